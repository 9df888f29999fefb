/**
 * Programs behind {@link org.starling.algorithms.Betweenness}: the sum over sources ({@code
 * BetweennessProgram}, open it first) and the check of what it left ({@code
 * BetweennessCheckProgram}). Drivers know their providers only.
 */
@NullMarked
package org.starling.algorithms.betweenness;

import org.jspecify.annotations.NullMarked;
