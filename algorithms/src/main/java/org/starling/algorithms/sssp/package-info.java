/**
 * Programs behind {@link org.starling.algorithms.Sssp}: the search ({@code SsspProgram}, open it
 * first), the look at all weights before it ({@code WeightsProgram}), and the check after it
 * ({@code SsspCheckProgram}). Drivers know their providers only.
 *
 * <p>In a search, {@code SharedSearch} is what a node's workers share, {@code Searcher} is one
 * worker's part in it, and {@code Schedule} decides on the master how far each epoch goes.
 */
@NullMarked
package org.starling.algorithms.sssp;

import org.jspecify.annotations.NullMarked;
