package org.starling.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * Name, arguments and results of a task.
 *
 * @param name dotted, for example {@code graph.bfs}
 * @param summary one sentence
 * @param arguments in the order of the documentation
 * @param results in the order of the report
 */
public record TaskSignature(
        String name, String summary, List<Argument> arguments, List<Result> results) {
    /** Copies the lists. */
    public TaskSignature {
        arguments = List.copyOf(arguments);
        results = List.copyOf(results);
    }

    /**
     * A result of a task.
     *
     * @param name its name in the report
     * @param type its JSON type, for people
     * @param summary one sentence or less
     */
    public record Result(String name, String type, String summary) {}

    /** Starts a signature without arguments and results. */
    public static TaskSignature of(String name, String summary) {
        return new TaskSignature(name, summary, List.of(), List.of());
    }

    /** This signature with one more argument. */
    public TaskSignature with(Argument argument) {
        List<Argument> more = new ArrayList<>(arguments);
        more.add(argument);
        return new TaskSignature(name, summary, more, results);
    }

    /** This signature with one more result. */
    public TaskSignature returns(String result, String type, String meaning) {
        List<Result> more = new ArrayList<>(results);
        more.add(new Result(result, type, meaning));
        return new TaskSignature(name, summary, arguments, more);
    }
}
