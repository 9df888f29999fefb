/**
 * Maximal cliques. The driver {@link org.starling.algorithms.MaximalCliques} runs the program that
 * lives here; the engine finds it by its provider. Open {@code CliquesProgram} first, then {@code
 * CliqueKernel}, which cuts the graph into sub-problems, and {@code PivotSearch}, which does the
 * work.
 */
@NullMarked
package org.starling.algorithms.cliques;

import org.jspecify.annotations.NullMarked;
