package org.starling.compute.internal.group;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import org.starling.compute.internal.run.Aggregates;
import org.starling.graph.RunResult;

/** What a run left. Immutable as far as anybody can see. */
record FinishedRun(
        int supersteps,
        long messages,
        SortedSet<String> states,
        double seconds,
        Aggregates values,
        Map<String, long[]> histograms)
        implements RunResult {
    @Override
    public long longAggregate(String name) {
        return values.value(name, false);
    }

    @Override
    public double doubleAggregate(String name) {
        return Double.longBitsToDouble(values.value(name, true));
    }

    @Override
    public SortedMap<String, Number> aggregates() {
        return values.byName();
    }

    @Override
    public long[] histogram(String name) {
        long[] counts = histograms.get(name);
        if (counts == null) {
            throw new IllegalArgumentException(
                    "no histogram \"" + name + "\" among " + histograms.keySet());
        }
        return counts.clone();
    }
}
