package org.starling.benchmarks.studies;

import java.util.List;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.starling.benchmarks.studies.calls.Cost;

/**
 * One measurement.
 *
 * @param operations what was done in it
 * @param nanos how long it took
 * @param latency nanoseconds of each step, as its thread saw it
 * @param cost what the process used up
 */
record Tally(long operations, long nanos, Histogram latency, Cost cost) {

    double perSecond() {
        return operations * 1e9 / nanos;
    }

    /** Mean time of a step in microseconds. */
    double micros() {
        return latency.getMean() / 1e3;
    }

    /** Cores that were busy on average. */
    double busyCores() {
        return (double) cost.processorNanos() / nanos;
    }

    double allocatedBytesPerOperation() {
        return operations == 0 ? 0 : (double) cost.allocatedBytes() / operations;
    }

    /** The same, with what another process used up in that time. */
    Tally plus(Cost elsewhere) {
        return new Tally(operations, nanos, latency, cost.plus(elsewhere));
    }

    /** The same work, with the time until the last of it had arrived. */
    Tally lasting(long nanos) {
        return new Tally(operations, nanos, latency, cost);
    }

    static long sum(List<Tally> tallies, ToLongFunction<Tally> quantity) {
        return tallies.stream().mapToLong(quantity).sum();
    }

    /** A percentile of the steps of all measurements in microseconds. */
    static double percentileMicros(List<Tally> tallies, double percentile) {
        Histogram all = Crew.histogram();
        tallies.forEach(tally -> all.add(tally.latency));
        return all.getValueAtPercentile(percentile) / 1e3;
    }

    /** Median and 99th percentile of a step in microseconds, and the cores that were busy. */
    static List<Double> latencyAndCores(List<Tally> tallies) {
        return List.of(
                percentileMicros(tallies, 50),
                percentileMicros(tallies, 99),
                Sample.of(tallies, Tally::busyCores).mean());
    }
}
