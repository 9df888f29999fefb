package org.starling.benchmarks.studies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.BenchResult;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * {@code bench study}: runs a study, or all of them, and writes the table of each into a CSV file
 * as soon as it is there.
 */
public final class StudyBench implements Bench {

    private static final String NAME = "name";
    private static final String ALL = "all";
    private static final String QUICK = "quick";
    private static final String REPEAT = "repeat";
    private static final String GRAPH_SCALE = "scale";
    private static final String OUTPUT = "output";
    private static final String DEFAULT_OUTPUT = "studies";
    private static final int MAX_REPEAT = 1_000;
    private static final int MAX_GRAPH_SCALE = 26;

    /** In the order in which they are listed. */
    static final List<Study> ALL_STUDIES = allStudies();

    private final List<Study> studies;

    /** A bench of all studies; made by {@link java.util.ServiceLoader}. */
    public StudyBench() {
        this(ALL_STUDIES);
    }

    /** A bench of some studies. */
    StudyBench(List<Study> studies) {
        this.studies = List.copyOf(studies);
    }

    @Override
    public String name() {
        return "study";
    }

    @Override
    public List<BenchOption> options() {
        List<String> names = new ArrayList<>(List.of(ALL));
        studies.forEach(study -> names.add(study.name()));
        return List.of(
                new BenchOption.Word(NAME, "which one", names),
                new BenchOption.Flag(QUICK, "only the ends of each range, a few seconds in all"),
                new BenchOption.Whole(
                        REPEAT,
                        "measurements of each contender",
                        Scale.FULL.repetitions(),
                        2,
                        MAX_REPEAT),
                new BenchOption.Whole(
                        GRAPH_SCALE,
                        "logarithm of the vertices of generated graphs",
                        Scale.FULL.graphScale(),
                        1,
                        MAX_GRAPH_SCALE),
                new BenchOption.Folder(OUTPUT, "where to write NAME.csv", DEFAULT_OUTPUT));
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        String name = choices.word(NAME);
        Scale scale = choices.flag(QUICK) ? Scale.QUICK : Scale.FULL;
        if (choices.isGiven(REPEAT)) {
            scale = scale.withRepetitions((int) choices.number(REPEAT));
        }
        if (choices.isGiven(GRAPH_SCALE)) {
            scale = scale.withGraphScale((int) choices.number(GRAPH_SCALE));
        }
        Path folder = made(choices.folder(OUTPUT));
        List<Map<String, @Nullable Object>> figures = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Study study : studies) {
            if (name.equals(ALL) || name.equals(study.name())) {
                Table table = run(study, scale, progress);
                Path csv = write(table, folder.resolve(study.name() + ".csv"));
                figures.add(tree(study, table, csv));
                text.append("%s: %s%n".formatted(study.name(), study.question()))
                        .append(table.text())
                        .append("written to %s%n%n".formatted(csv));
            }
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("repetitions", scale.repetitions());
        tree.put("millisPerMeasurement", scale.time().toMillis());
        tree.put("studies", figures);
        return new BenchResult(tree, text.toString());
    }

    private static List<Study> allStudies() {
        List<Study> all = new ArrayList<>(MessageStudies.all());
        all.addAll(List.of(new ConversionStudy(), new AdjacencyStudy(), new SearchStudy()));
        return List.copyOf(all);
    }

    private static Table run(Study study, Scale scale, Consumer<String> progress) {
        try {
            return study.run(
                    new Contest(scale, cell -> progress.accept(study.name() + ": " + cell)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the study " + study.name() + " was interrupted");
        } catch (Exception failed) {
            throw new JobFailedException(
                    "the study %s failed: %s".formatted(study.name(), sentence(failed)), failed);
        }
    }

    private static String sentence(Exception failed) {
        String message = failed.getMessage();
        return failed instanceof WrongResultException && message != null
                ? message
                : failed.toString();
    }

    private static Map<String, @Nullable Object> tree(Study study, Table table, Path csv) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("study", study.name());
        tree.put("question", study.question());
        tree.put("csv", csv.toString());
        tree.put("rows", table.tree());
        return tree;
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException broken) {
            throw new InvalidInputException("%s can't be made: %s".formatted(folder, broken));
        }
    }

    private static Path write(Table table, Path file) {
        try {
            return Files.writeString(file, table.csv());
        } catch (IOException broken) {
            throw new InvalidInputException("%s can't be written: %s".formatted(file, broken));
        }
    }
}
