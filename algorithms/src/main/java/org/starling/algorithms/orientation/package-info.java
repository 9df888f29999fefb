/**
 * Orders of a graph's vertices and the graph's edges directed by such an order, in plain arrays:
 * what algorithms need that look further than one edge. Triangles and maximal cliques call in; open
 * {@link org.starling.algorithms.orientation.OrientedGraph} first.
 */
@NullMarked
package org.starling.algorithms.orientation;

import org.jspecify.annotations.NullMarked;
