/**
 * The Graph500 benchmark by its rules: generation, construction, 64 timed searches, validation of
 * each, and the output block of the reference 3.0.0.
 *
 * <p>Scripts and commands call in through the task {@link
 * org.starling.benchmarks.graph500.Graph500Task} (start there). The run itself is {@code
 * Graph500Benchmark}; beside it stand the two programs that check it, {@code SearchValidation} and
 * {@code ConstructionCheck}, which believe nothing that the kernels say.
 */
@NullMarked
package org.starling.benchmarks.graph500;

import org.jspecify.annotations.NullMarked;
