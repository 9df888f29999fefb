package org.starling.benchmarks.graph500;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.KroneckerGraph;
import org.starling.loaders.SearchKeys;

/**
 * Task {@code benchmark.graph500}: runs Graph500 and gives its figures, and the reference's output
 * block as text.
 */
public final class Graph500Task implements Task {

    /** Result that holds the output block. */
    public static final String BLOCK = "block";

    /** Largest number of searches. */
    static final int MAX_ROOTS = 1 << 16;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("benchmark.graph500", "Runs the Graph500 benchmark by its rules.")
                .with(
                        Argument.required(
                                "scale",
                                Argument.Type.INTEGER,
                                "logarithm of the number of vertices"))
                .with(Argument.integer("edgefactor", "edges per vertex", 16))
                .with(Argument.integer("roots", "number of searches", SearchKeys.COUNT))
                .with(Argument.flag("sssp", "shortest paths (kernel 3), too"))
                .with(Argument.flag("skipValidation", "leaves the checks out"))
                .returns("scale", "integer", "as given")
                .returns("edgefactor", "integer", "as given")
                .returns("peers", "integer", "number of peers")
                .returns("processes", "flag", "whether each peer was a process of its own")
                .returns("generationSeconds", "number", "time until the edges were in memory")
                .returns("constructionSeconds", "number", "kernel 1")
                .returns("roots", "integer", "number of searches")
                .returns("validated", "flag", "whether all results were checked")
                .returns("bfs", "object", "traversed edges per second, and mean time")
                .returns("sssp", "object", "the same of shortest paths; null if not run")
                .returns("peakResidentBytes", "list", "largest memory of each process")
                .returns(BLOCK, "text", "the output block of the reference");
    }

    @Override
    public void check(Parameters arguments) {
        KroneckerGraph graph = KroneckerGraph.of(source(arguments));
        if (graph.scale() > Graph500Benchmark.MAX_SCALE) {
            throw new InvalidInputException(
                    "\"scale\" of the benchmark must be up to %d, found %d"
                            .formatted(Graph500Benchmark.MAX_SCALE, graph.scale()));
        }
        long roots = arguments.integer("roots", SearchKeys.COUNT);
        if (roots < 1 || roots > MAX_ROOTS) {
            throw new InvalidInputException(
                    "\"roots\" must be from 1 to %d, found %d".formatted(MAX_ROOTS, roots));
        }
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        check(arguments);
        Graph500Run run =
                new Graph500Benchmark(
                                context,
                                source(arguments),
                                (int) arguments.integer("roots", SearchKeys.COUNT),
                                arguments.flag("sssp"),
                                !arguments.flag("skipValidation"))
                        .run();
        Searches sssp = run.sssp();
        return new TaskResult()
                .put("scale", run.scale())
                .put("edgefactor", run.edgeFactor())
                .put("peers", run.peers())
                .put("processes", run.processes())
                .put("generationSeconds", run.generationSeconds())
                .put("constructionSeconds", run.constructionSeconds())
                .put("roots", run.bfs().all().size())
                .put("validated", run.validated())
                .put("bfs", figures(run.bfs()))
                .put("sssp", sssp == null ? null : figures(sssp))
                .put("peakResidentBytes", context.peakResidentBytes())
                .put(BLOCK, Graph500Block.of(run));
    }

    private static Map<String, @Nullable Double> figures(Searches searches) {
        Statistics teps = searches.teps();
        Map<String, @Nullable Double> figures = new LinkedHashMap<>();
        figures.put("harmonicMeanTeps", finite(teps.mean()));
        figures.put("minTeps", finite(teps.min()));
        figures.put("firstQuartileTeps", finite(teps.firstQuartile()));
        figures.put("medianTeps", finite(teps.median()));
        figures.put("thirdQuartileTeps", finite(teps.thirdQuartile()));
        figures.put("maxTeps", finite(teps.max()));
        figures.put("harmonicStddevTeps", finite(teps.stddev()));
        figures.put("meanSeconds", finite(searches.times().mean()));
        return figures;
    }

    /** JSON has no infinities: a key without edges in a tiny graph gives null. */
    private static @Nullable Double finite(double figure) {
        return Double.isFinite(figure) ? figure : null;
    }

    private static Parameters source(Parameters arguments) {
        return Parameters.of("scale", arguments.integer("scale"))
                .with("edgefactor", arguments.integer("edgefactor", 16));
    }
}
