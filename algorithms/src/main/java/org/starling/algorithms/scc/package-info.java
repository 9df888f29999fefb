/**
 * Strongly connected components of directed graphs. Tasks call {@link
 * org.starling.algorithms.scc.StronglyConnectedComponents}; open it first, it names the programs in
 * the order in which they run. Two checkers stand beside them: {@code SccCheck} for what belongs
 * together, {@code SccOrderCheck} for what does not.
 */
@NullMarked
package org.starling.algorithms.scc;

import org.jspecify.annotations.NullMarked;
