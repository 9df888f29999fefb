package org.starling.tasks;

import java.util.ArrayList;
import java.util.List;
import org.starling.graph.Argument;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Neighbours;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.neighbours}: the neighbours of one vertex, or some of many. */
public final class AskNeighbours implements Task {
    private static final long LIMIT = 100;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.neighbours",
                        "Tells the neighbours of a vertex, in the graph's own order: those with many"
                                + " edges come first.")
                .with(CommonArguments.graph())
                .with(CommonArguments.vertex("id", "id of the vertex"))
                .with(
                        Argument.choice(
                                "direction",
                                "whether edges lead to them or come from them",
                                "out",
                                "in"))
                .with(Argument.integer("limit", "how many to tell, up to 10000", LIMIT))
                .with(Argument.integer("offset", "how many to leave out first", 0))
                .returns("count", "integer", "how many there are in all")
                .returns("neighbours", "list", "their ids")
                .returns("weights", "list", "of the edges to them; empty without weights");
    }

    @Override
    public void check(Parameters arguments) {
        limit(arguments);
        offset(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        EdgeDirection direction =
                arguments.text("direction").equals("in")
                        ? EdgeDirection.INCOMING
                        : EdgeDirection.OUTGOING;
        Neighbours found =
                context.graphs()
                        .queries()
                        .neighbours(
                                arguments.text("graph"),
                                arguments.integer("id"),
                                direction,
                                offset(arguments),
                                (int) limit(arguments));
        List<Object> weights = new ArrayList<>();
        found.weights().forEach(weight -> weights.add(Double.valueOf(weight.toString())));
        return new TaskResult()
                .put("count", found.count())
                .put("neighbours", context.graphs().shown(arguments.text("graph"), found.ids()))
                .put("weights", weights);
    }

    private static long limit(Parameters arguments) {
        return BoundedInteger.within("limit", arguments, 0, GraphQueries.MAX_NEIGHBOURS);
    }

    private static long offset(Parameters arguments) {
        return BoundedInteger.within("offset", arguments, 0, Long.MAX_VALUE);
    }
}
