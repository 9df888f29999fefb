package org.starling.examples;

import java.util.List;
import org.starling.graph.Argument;
import org.starling.graph.ElementType;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.StoredMap;
import org.starling.graph.StoredTable;
import org.starling.graph.Structures;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code examples.tally}: keeps the largest degree that each vertex has had in any graph so
 * far, and says how many have had many.
 */
public final class TallyDegrees implements Task {
    private static final String TALLY = "tally";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("examples.tally", "Keeps the largest degree of each vertex.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "name of the graph"))
                .with(Argument.integer("many", "a vertex of more neighbours is a hub", 10))
                .returns("known", "integer", "vertices seen so far, in all jobs")
                .returns("hubs", "integer", "those that have had many neighbours");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        GraphSession graphs = context.graphs();
        Structures structures = context.structures();
        StoredMap<Long, Long> tally = structures.map(TALLY, ElementType.LONG, ElementType.LONG);
        structures.keep(TALLY);
        try (RowCursor rows = graphs.rows(arguments.text("graph"))) {
            while (rows.next()) {
                long degree = rows.degree();
                if (degree > tally.get(rows.id()).orElse(-1L)) {
                    tally.put(rows.id(), degree);
                }
            }
        }
        StoredTable hubs =
                structures.table(
                        "hubs",
                        List.of(
                                new StoredTable.Column("id", ElementType.LONG),
                                new StoredTable.Column("degree", ElementType.LONG)));
        Parameters many = Parameters.of("many", arguments.integer("many"));
        long found = structures.each(TALLY, GuideProgramsProvider.HUBS, many, hubs);
        return new TaskResult().put("known", tally.size()).put("hubs", found);
    }
}
