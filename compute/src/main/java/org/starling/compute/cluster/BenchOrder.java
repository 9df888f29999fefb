package org.starling.compute.cluster;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ClusterBench} is asked for.
 *
 * @param plan the cluster to start; its folder must not exist yet and is removed afterwards
 * @param numbers by name, as the command line gives them
 * @param kills whom to kill and when, in words of the bench
 * @param jobs scripts to run, null for a bench without any
 * @param progress takes a line for people from time to time
 */
public record BenchOrder(
        ClusterPlan plan,
        Map<String, Long> numbers,
        List<String> kills,
        @Nullable BenchJobs jobs,
        Consumer<String> progress) {
    /** Figure of a bench that compares: what it has compared, as a tree. */
    public static final String COMPARED = "compared";

    /** In that tree: how many differences there are. */
    public static final String DIFFERENCES = "differences";

    /** Copies the collections. */
    public BenchOrder {
        numbers = Map.copyOf(numbers);
        kills = List.copyOf(kills);
    }

    /**
     * A number that was given.
     *
     * @param name its name
     * @return its value
     * @throws IllegalArgumentException if it was not given
     */
    public long number(String name) {
        Long number = numbers.get(name);
        if (number == null) {
            throw new IllegalArgumentException("the bench was not given " + name);
        }
        return number;
    }
}
