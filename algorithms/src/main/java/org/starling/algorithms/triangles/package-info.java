/**
 * Triangles at each vertex and local clustering coefficients. The driver {@link
 * org.starling.algorithms.Triangles} runs the programs that live here; the engine finds them by
 * their providers. Open {@code TrianglesProgram} first, then {@code TriangleKernel}, which does the
 * work.
 */
@NullMarked
package org.starling.algorithms.triangles;

import org.jspecify.annotations.NullMarked;
