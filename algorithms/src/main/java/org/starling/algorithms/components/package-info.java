/**
 * Connected and strongly connected components. Tasks call {@link
 * org.starling.algorithms.components.ConnectedComponents} and {@link
 * org.starling.algorithms.components.StronglyConnectedComponents}; open these first, they name the
 * programs in the order in which they run. Of strong ones two checkers stand beside them: {@code
 * SccCheck} for what belongs together, {@code SccOrderCheck} for what does not.
 */
@NullMarked
package org.starling.algorithms.components;

import org.jspecify.annotations.NullMarked;
