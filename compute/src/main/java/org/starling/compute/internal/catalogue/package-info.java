/**
 * The catalogue of graphs that outlive jobs: one value in the store, under one name.
 *
 * <p>Called by {@code group} for the job that makes, reads and drops graphs, and by the superpeer
 * for people. Open {@link org.starling.compute.internal.catalogue.CatalogueChunk} first. See {@code
 * docs/design/catalogue.md}.
 */
@NullMarked
package org.starling.compute.internal.catalogue;

import org.jspecify.annotations.NullMarked;
