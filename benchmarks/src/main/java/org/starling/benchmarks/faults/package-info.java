/**
 * What the loss of a process costs: recovery of chunks ({@link
 * org.starling.benchmarks.faults.RecoveryBench}) and of jobs ({@link
 * org.starling.benchmarks.faults.JobBench}), measured on clusters of real processes that are
 * killed. Called through {@code ServiceLoader} by whoever runs benches.
 */
@NullMarked
package org.starling.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
