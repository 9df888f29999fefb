/**
 * How long questions about single vertices take, beside a job that takes all cores. {@link
 * org.starling.benchmarks.queries.QueryBench} is the command, and the class to open first.
 */
@NullMarked
package org.starling.benchmarks.queries;

import org.jspecify.annotations.NullMarked;
