/**
 * Graph programs that come in the box, each beside the checker that judges its result at much lower
 * cost than the program itself. They are written against {@code org.starling.graph} alone, as a
 * user's own would be; tasks bind them to names in scripts. Start with the shortest paths, the
 * shortest program that shows states, channels and edges at work.
 */
@NullMarked
package org.starling.algorithms;

import org.jspecify.annotations.NullMarked;
