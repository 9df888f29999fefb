/**
 * Common substructures of two graphs. Tasks call {@link
 * org.starling.algorithms.substructure.CommonSubstructure}; open it first, then {@code
 * ProductSource}, which makes the graph whose cliques the substructures are.
 */
@NullMarked
package org.starling.algorithms.substructure;

import org.jspecify.annotations.NullMarked;
