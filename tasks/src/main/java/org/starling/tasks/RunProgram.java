package org.starling.tasks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code graph.run}: runs a program that a jar brings. For programs that need no driver; what
 * they leave is read, written and published like any other state.
 */
public final class RunProgram implements SessionTask {
    private static final String PROGRAM = "program";
    private static final String WITH = "with";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.run", "Runs a program that a jar of the job brings.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                PROGRAM,
                                Argument.Type.PROGRAM,
                                "its name, as the provider in the jar declares it"))
                .with(
                        Argument.optional(
                                WITH,
                                Argument.Type.PARAMETERS,
                                "what the program is made with, as it wants it"))
                .returns("supersteps", "integer", "number of supersteps, superstep 0 included")
                .returns("messages", "integer", "number of messages before combining")
                .returns("seconds", "number", "time of the supersteps")
                .returns("states", "list", "names of the states that it left")
                .returns(
                        "aggregates",
                        "object",
                        "values of its aggregators in the last superstep, by their names");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        RunResult run =
                context.graphs()
                        .run(
                                arguments.text("graph"),
                                arguments.text(PROGRAM),
                                arguments.nested(WITH));
        return new TaskResult()
                .put("supersteps", run.supersteps())
                .put("messages", run.messages())
                .put("seconds", run.seconds())
                .put("states", List.copyOf(run.states()))
                .put("aggregates", shown(run.aggregates()));
    }

    /** JSON has no word for numbers that are not finite. */
    private static Map<String, Object> shown(Map<String, Number> values) {
        Map<String, Object> shown = new TreeMap<>();
        values.forEach((name, value) ->
                shown.put(name, Double.isFinite(value.doubleValue()) ? value : value.toString()));
        return shown;
    }
}
