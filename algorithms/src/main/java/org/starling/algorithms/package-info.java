/**
 * Graph programs that come in the box, each beside the checker that judges what it left. They are
 * written against {@code org.starling.graph} alone, as a user's own would be; tasks bind them to
 * names in scripts.
 *
 * <p>Callers use the drivers ({@link org.starling.algorithms.Bfs}, {@link
 * org.starling.algorithms.PageRank} and their like), which run programs by name on a session and
 * hand back figures. Open {@code BfsProgram} first: it is the shortest program that shows states,
 * channels and settling at work. Checkers turn what they find into sentences with {@code Verdict}.
 */
@NullMarked
package org.starling.algorithms;

import org.jspecify.annotations.NullMarked;
