/**
 * Measurements: the Graph500 benchmark by its rules, and micro- and system benchmarks of each room,
 * every one with its baseline in the same run. Nobody calls in but people and commands that want
 * figures. Start with the Graph500 run: it takes the whole system from edge generation to the
 * validated result block.
 */
@NullMarked
package org.starling.benchmarks;

import org.jspecify.annotations.NullMarked;
