package org.starling.tasks;

import java.util.List;
import org.starling.algorithms.groups.QuotientGraph;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.groups}: {@link QuotientGraph}. */
public final class GroupVertices implements SessionTask {
    private static final int USUAL_GROUPS = 20;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.groups",
                        "Puts vertices with equal values of a state or column together, as"
                                + " communities, and counts the edges between such groups.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "state",
                                Argument.Type.TEXT,
                                "the state or published column: whole numbers, booleans or"
                                        + " vertices"))
                .with(
                        Argument.integer(
                                "limit",
                                "how many of the largest groups stay apart, at most "
                                        + QuotientGraph.MAX_GROUPS
                                        + "; all others are put together",
                                USUAL_GROUPS))
                .with(CommonArguments.verify())
                .returns("values", "integer", "number of different values")
                .returns(
                        "groups",
                        "list of lists",
                        "value and number of vertices of each group, the largest first")
                .returns("others", "integer", "vertices of all other groups")
                .returns(
                        "edges",
                        "list of lists",
                        "from, to and number of edges: from and to count through groups, from 0"
                                + " on, and are -1 for all others; pairs without edges are left"
                                + " out");
    }

    @Override
    public void check(Parameters arguments) {
        BoundedInteger.within("limit", arguments, 1, QuotientGraph.MAX_GROUPS);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        QuotientGraph.Result found =
                QuotientGraph.run(
                        context.graphs(),
                        arguments.text("graph"),
                        arguments.text("state"),
                        (int) arguments.integer("limit"),
                        arguments.flag("verify"));
        return new TaskResult()
                .put("values", found.values())
                .put(
                        "groups",
                        found.groups().stream()
                                .map(one -> List.of(one.value(), one.vertices()))
                                .toList())
                .put("others", found.others())
                .put(
                        "edges",
                        found.between().stream()
                                .map(one ->
                                        List.of((long) one.from(), (long) one.to(), one.edges()))
                                .toList());
    }
}
