/**
 * What jobs have written, in the store, until whoever has submitted them fetches it. Masters put it
 * there, superpeers give it out. Start with {@link
 * org.starling.compute.internal.results.ResultStore}.
 */
@NullMarked
package org.starling.compute.internal.results;

import org.jspecify.annotations.NullMarked;
