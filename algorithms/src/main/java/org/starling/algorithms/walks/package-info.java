/**
 * Random walks. Tasks call {@link org.starling.algorithms.walks.RandomWalks}; open {@code
 * WalkProgram} next, which does the walking, and then {@code WalkCheck}.
 */
@NullMarked
package org.starling.algorithms.walks;

import org.jspecify.annotations.NullMarked;
