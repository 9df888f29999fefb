/**
 * The LDBC Graphalytics suite as a task: a dataset's algorithms are run, their results written in
 * the suite's format and compared with reference outputs by the suite's rules. Open {@code
 * GraphalyticsTask} first; {@code SuiteAlgorithm} says what each algorithm needs and leaves.
 */
@NullMarked
package org.starling.tasks.graphalytics;

import org.jspecify.annotations.NullMarked;
