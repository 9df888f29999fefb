package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code graph.build}: makes a graph of an edge source that a jar brings. Starling's own
 * sources have tasks that know their arguments, and look at the files that they name.
 */
public final class BuildGraph implements SessionTask {
    private static final String SOURCE = "source";
    private static final String WITH = "with";
    private static final String DIRECTED = "directed";

    @Override
    public TaskSignature signature() {
        return MadeGraph.results(
                TaskSignature.of(
                                "graph.build",
                                "Makes a graph of an edge source that a jar of the job brings.")
                        .with(CommonArguments.newGraph())
                        .with(
                                Argument.required(
                                        SOURCE,
                                        Argument.Type.EDGE_SOURCE,
                                        "what the provider in the jar calls itself"))
                        .with(
                                Argument.optional(
                                        WITH,
                                        Argument.Type.PARAMETERS,
                                        "what the source is made with, as it wants it"))
                        .with(Argument.flag(DIRECTED, "whether edges keep their direction"))
                        .with(MadeGraph.incoming())
                        .with(MadeGraph.keep()));
    }

    @Override
    public void check(Parameters arguments) {
        MadeGraph.check(arguments, MadeGraph.GRAPH);
        MadeGraph.options(arguments.flag(DIRECTED), arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        return MadeGraph.result(
                context,
                arguments,
                MadeGraph.GRAPH,
                context.graphs()
                        .build(
                                arguments.text("graph"),
                                arguments.text(SOURCE),
                                arguments.nested(WITH),
                                MadeGraph.options(arguments.flag(DIRECTED), arguments)));
    }
}
