package org.starling.tasks;

import java.util.List;
import java.util.ServiceLoader;
import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.generate}: makes a graph of a generator's edges. */
public final class GenerateGraph implements SessionTask {
    private static final int DEFAULT_EDGE_FACTOR = 16;
    private static final List<Long> DEFAULT_SEEDS = List.of(2L, 3L);

    @Override
    public TaskSignature signature() {
        return MadeGraph.results(
                TaskSignature.of("graph.generate", "Makes an undirected graph by a generator.")
                        .with(CommonArguments.newGraph())
                        .with(
                                Argument.requiredChoice(
                                        "generator",
                                        "Graph500's Kronecker graphs, uniform random edges, or a"
                                                + " grid",
                                        "kronecker",
                                        "uniform",
                                        "grid"))
                        .with(GeneratedEdges.scale())
                        .with(
                                Argument.integer(
                                        "edgefactor",
                                        "generated edges per vertex; a grid has its own",
                                        DEFAULT_EDGE_FACTOR))
                        .with(
                                Argument.optional(
                                        "seeds",
                                        Argument.Type.UNSIGNED_LIST,
                                        "two numbers that the edges depend on; a grid has none",
                                        DEFAULT_SEEDS))
                        .with(MadeGraph.keep()));
    }

    /** Lets the generator look at its parameters, which costs nothing. */
    @Override
    public void check(Parameters arguments) {
        MadeGraph.check(arguments, MadeGraph.GRAPH);
        String generator = arguments.text("generator");
        ServiceLoader.load(EdgeSourceProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(generator))
                .findFirst()
                .ifPresent(provider -> provider.create(generated(arguments)));
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
                                arguments.text("generator"),
                                generated(arguments),
                                BuildOptions.UNDIRECTED));
    }

    private static Parameters generated(Parameters arguments) {
        return Parameters.of("scale", arguments.integer("scale"))
                .with("edgefactor", arguments.integer("edgefactor"))
                .with("seeds", arguments.integers("seeds"));
    }
}
