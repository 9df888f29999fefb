package org.starling.tasks.graphalytics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Argument;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.FileFormat;
import org.starling.loaders.GraphalyticsDataset;

/** Task {@code benchmark.graphalytics}: the LDBC Graphalytics suite on one dataset. */
public final class GraphalyticsTask implements Task {
    private static final String PROPERTIES = "properties";
    private static final String ALGORITHMS = "algorithms";
    private static final String OUTPUT = "output";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "benchmark.graphalytics",
                        "Runs algorithms of the LDBC Graphalytics suite on one of its datasets,"
                                + " and compares results with reference outputs beside it.")
                .with(
                        Argument.required(
                                PROPERTIES,
                                Argument.Type.INPUT_FILE,
                                "the dataset's properties; NAME.v and NAME.e lie beside it,"
                                        + " perhaps NAME-BFS and so on, too"))
                .with(
                        Argument.optional(
                                ALGORITHMS,
                                Argument.Type.TEXT,
                                "which to run, with commas between: some of "
                                        + String.join(", ", SuiteAlgorithm.words())
                                        + "; otherwise those that the properties list"))
                .with(
                        Argument.optional(
                                OUTPUT,
                                Argument.Type.TEXT,
                                "folder for results, as NAME-BFS and so on"))
                .returns("graph", "text", "the dataset's name")
                .returns(
                        "algorithms",
                        "list",
                        "algorithm, seconds (without reading and writing), valid (null without a"
                                + " reference output), problem (null if there is none)");
    }

    @Override
    public void check(Parameters arguments) {
        if (arguments.has(ALGORITHMS)) {
            selected(Arrays.asList(arguments.text(ALGORITHMS).split(",", -1)), "\"algorithms\"");
        }
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path properties = context.inputFile(arguments.text(PROPERTIES));
        GraphalyticsDataset dataset = GraphalyticsDataset.read(properties);
        dataset.files().forEach(file -> context.inputFile(file.toString()));
        List<SuiteAlgorithm> algorithms =
                arguments.has(ALGORITHMS)
                        ? selected(
                                Arrays.asList(arguments.text(ALGORITHMS).split(",", -1)),
                                "\"algorithms\"")
                        : selected(
                                dataset.algorithms(),
                                dataset.file() + ":" + dataset.algorithmsLine());
        List<SuiteAlgorithm.Kernel> kernels = new ArrayList<>();
        for (SuiteAlgorithm algorithm : algorithms) {
            kernels.add(algorithm.kernel(dataset));
            output(context, arguments, dataset, algorithm);
        }
        boolean weighted = algorithms.stream().anyMatch(SuiteAlgorithm::isWeighted);
        BuildOptions options = dataset.directed() ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
        context.graphs()
                .build(
                        dataset.name(),
                        FileFormat.GRAPHALYTICS.title(),
                        dataset.source(weighted),
                        options);
        List<Map<String, @Nullable Object>> results = new ArrayList<>();
        try {
            dataset.requireVertices(context.graphs().info(dataset.name()).vertices());
            for (int i = 0; i < kernels.size(); i++) {
                context.progress(algorithms.get(i).word(), i, kernels.size());
                results.add(result(context, arguments, dataset, algorithms.get(i), kernels.get(i)));
            }
        } finally {
            context.graphs().drop(dataset.name());
        }
        return new TaskResult().put("graph", dataset.name()).put("algorithms", results);
    }

    private static List<SuiteAlgorithm> selected(List<String> words, String place) {
        List<SuiteAlgorithm> algorithms = new ArrayList<>();
        for (String word : words) {
            Optional<SuiteAlgorithm> named =
                    Arrays.stream(SuiteAlgorithm.values())
                            .filter(one -> one.word().equals(word.strip()))
                            .findFirst();
            if (named.isEmpty()) {
                throw new InvalidInputException(
                        "%s: there is no algorithm \"%s\"; there are %s"
                                .formatted(
                                        place,
                                        word.strip(),
                                        String.join(", ", SuiteAlgorithm.words())));
            }
            if (!algorithms.contains(named.get())) {
                algorithms.add(named.get());
            }
        }
        if (algorithms.isEmpty()) {
            throw new InvalidInputException(place + ": no algorithm is named");
        }
        return algorithms;
    }

    /**
     * Where an algorithm's results go; null if nobody wants them.
     *
     * @throws InvalidInputException if they would take the place of the reference
     */
    private static @Nullable Path output(
            TaskContext context,
            Parameters arguments,
            GraphalyticsDataset dataset,
            SuiteAlgorithm algorithm)
            throws IOException {
        if (!arguments.has(OUTPUT)) {
            return null;
        }
        String fileName = dataset.name() + "-" + algorithm.name();
        String folder = arguments.text(OUTPUT);
        String slash = folder.isEmpty() || folder.endsWith("/") ? "" : "/";
        Path file = context.outputFile(folder + slash + fileName);
        Path reference = dataset.file().resolveSibling(fileName);
        if (Files.exists(file) && Files.exists(reference) && Files.isSameFile(file, reference)) {
            throw new InvalidInputException(
                    file + " is the reference output; choose another folder for results");
        }
        return file;
    }

    private static Map<String, @Nullable Object> result(
            TaskContext context,
            Parameters arguments,
            GraphalyticsDataset dataset,
            SuiteAlgorithm algorithm,
            SuiteAlgorithm.Kernel kernel)
            throws IOException {
        long begin = System.nanoTime();
        kernel.run(context.graphs(), dataset.name());
        double seconds = (System.nanoTime() - begin) / 1e9;
        String fileName = dataset.name() + "-" + algorithm.name();
        Path reference = dataset.file().resolveSibling(fileName);
        Path file = output(context, arguments, dataset, algorithm);
        Optional<String> problem = Optional.empty();
        boolean compared = Files.isRegularFile(reference);
        if (file != null) {
            ResultFile.write(context.graphs(), dataset.name(), algorithm, file);
            problem = compared ? algorithm.rule().problem(reference, file) : problem;
        } else if (compared) {
            Path draft = Files.createTempFile(fileName, ".txt");
            try {
                ResultFile.write(context.graphs(), dataset.name(), algorithm, draft);
                problem = algorithm.rule().problem(reference, draft);
            } finally {
                Files.deleteIfExists(draft);
            }
        }
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("algorithm", algorithm.word());
        result.put("seconds", seconds);
        result.put("valid", compared ? problem.isEmpty() : null);
        result.put("problem", problem.orElse(null));
        return result;
    }
}
