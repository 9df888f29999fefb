/**
 * Numbers that look drawn and depend on nothing but what they are asked for, so that results are
 * the same whatever the number of peers and threads. Called by algorithms that draw; open {@link
 * org.starling.algorithms.chance.SplitMix}.
 */
@NullMarked
package org.starling.algorithms.chance;

import org.jspecify.annotations.NullMarked;
