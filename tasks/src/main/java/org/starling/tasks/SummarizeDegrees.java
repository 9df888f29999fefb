package org.starling.tasks;

import java.util.Locale;
import org.starling.algorithms.degrees.DegreeStatistics;
import org.starling.graph.Argument;
import org.starling.graph.EdgeDirection;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.degrees}: {@link DegreeStatistics}. */
public final class SummarizeDegrees implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.degrees", "Counts vertices by degree.")
                .with(CommonArguments.graph())
                .with(
                        Argument.choice(
                                "direction",
                                "which edges of a directed graph count; both adds up the two",
                                "outgoing",
                                "incoming",
                                "both"))
                .with(CommonArguments.verify())
                .returns("minimum", "integer", "smallest degree")
                .returns("maximum", "integer", "largest degree")
                .returns("average", "number", "average degree")
                .returns("histogram", "object", "number of vertices by degree");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        DegreeStatistics.Result found =
                DegreeStatistics.run(
                        context.graphs(),
                        arguments.text("graph"),
                        EdgeDirection.valueOf(arguments.text("direction").toUpperCase(Locale.ROOT)),
                        arguments.flag("verify"));
        return new TaskResult()
                .put("minimum", found.minimum())
                .put("maximum", found.maximum())
                .put("average", found.average())
                .put("histogram", found.histogram());
    }
}
