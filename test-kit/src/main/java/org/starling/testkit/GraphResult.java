package org.starling.testkit;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starling.graph.GraphInfo;
import org.starling.graph.RunResult;
import org.starling.graph.VertexId;

/**
 * What a job has left on the graph of its trial, as read when it was over. Immutable; {@link
 * GraphAssert} says what must be in it.
 */
public final class GraphResult {
    private final String where;
    private final GraphInfo info;
    private final SortedMap<String, SortedMap<Long, Number>> states;
    private final SortedMap<Long, List<Long>> neighbours;
    private final List<RunResult> runs;
    private final @Nullable Object returned;

    GraphResult(
            String where,
            GraphInfo info,
            SortedMap<String, SortedMap<Long, Number>> states,
            SortedMap<Long, List<Long>> neighbours,
            List<RunResult> runs,
            @Nullable Object returned) {
        this.where = where;
        this.info = info;
        this.states = states;
        this.neighbours = neighbours;
        this.runs = List.copyOf(runs);
        this.returned = returned;
    }

    /** Facts about the graph, as the job has left it. */
    public GraphInfo info() {
        return info;
    }

    /** Ids of the (outgoing) neighbours of each vertex, ascending, as the job has left them. */
    public SortedMap<Long, List<Long>> neighbours() {
        return Collections.unmodifiableSortedMap(neighbours);
    }

    /**
     * Names of the states that programs have left; each element of a vector is a state: {@code
     * name[0]}, {@code name[1]} and so on.
     */
    public SortedSet<String> states() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(states.keySet()));
    }

    /**
     * Values of a state by id, ascending: a {@code Long} where the value is whole, else a {@code
     * Double}.
     *
     * @throws AssertionError if no program has left such a state
     */
    public SortedMap<Long, Number> state(String name) {
        SortedMap<Long, Number> values = states.get(name);
        if (values == null) {
            throw new AssertionError(
                    "there is no state \"" + name + "\"; programs left " + states.keySet());
        }
        return Collections.unmodifiableSortedMap(values);
    }

    /**
     * Value of a state at a vertex.
     *
     * @throws AssertionError if there is no such state or vertex
     */
    public Number value(String state, long id) {
        Number value = state(state).get(id);
        if (value == null) {
            throw new AssertionError("the graph has no vertex " + VertexId.text(id));
        }
        return value;
    }

    /** Runs of programs on the graph, in their order: supersteps, messages, aggregates. */
    public List<RunResult> runs() {
        return runs;
    }

    /**
     * The only run.
     *
     * @throws AssertionError if there were none or several
     */
    public RunResult run() {
        if (runs.size() != 1) {
            throw new AssertionError("the job ran " + runs.size() + " programs, not one");
        }
        return runs.getFirst();
    }

    /** Supersteps of all runs. */
    public int supersteps() {
        return runs.stream().mapToInt(RunResult::supersteps).sum();
    }

    /** What a driver returned; the results of a task by name. */
    public Optional<Object> returned() {
        return Optional.ofNullable(returned);
    }

    /**
     * A result of a task.
     *
     * @throws AssertionError if the task gave none of that name
     */
    public @Nullable Object returned(String name) {
        if (returned instanceof Map<?, ?> results && results.containsKey(name)) {
            return results.get(name);
        }
        throw new AssertionError("there is no result \"" + name + "\" in " + returned);
    }

    /** Where it ran, for people: {@code 3 peers}, for example. */
    public String where() {
        return where;
    }

    /** What is to be compared but for these states. */
    SortedMap<String, SortedMap<Long, Number>> statesBut(SortedSet<String> ignored) {
        SortedMap<String, SortedMap<Long, Number>> left = new TreeMap<>(states);
        left.keySet().removeIf(name -> ignored.contains(name.replaceFirst("\\[\\d+]$", "")));
        return left;
    }

    @Override
    public String toString() {
        return info.vertices() + " vertices with states " + states.keySet() + " on " + where;
    }
}
