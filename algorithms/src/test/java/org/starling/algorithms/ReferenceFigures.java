package org.starling.algorithms;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.algorithms.orientation.GraphFile;
import org.starling.graph.BuildOptions;
import org.starling.graph.Parameters;

/**
 * A graph of the optional reference data, and what igraph found in it. Tests that ask for one are
 * skipped, visibly, where there is no such data.
 */
final class ReferenceFigures {
    private final Path file;
    private final JsonObject figures;

    private ReferenceFigures(Path file, JsonObject figures) {
        this.file = file;
        this.figures = figures;
    }

    /** Figures of one graph by the name of its file. */
    static ReferenceFigures of(String name) throws IOException {
        Optional<Path> data = GraphFile.referenceData();
        assumeTrue(data.isPresent(), "no folder with reference graphs");
        Path folder = data.orElseThrow();
        JsonObject all =
                JsonParser.parseString(Files.readString(folder.resolve("expected.json")))
                        .getAsJsonObject();
        return new ReferenceFigures(folder.resolve(name), all.getAsJsonObject(name));
    }

    /** The graph on a cluster of so many peers. */
    Lab lab(int peers) {
        String source = file.toString().endsWith(".graph") ? "metis" : "edgelist";
        return Lab.of(
                peers, source, Parameters.of("file", file.toString()), BuildOptions.UNDIRECTED);
    }

    long integer(String name) {
        return figures.get(name).getAsLong();
    }

    double number(String name) {
        return figures.get(name).getAsDouble();
    }

    /** Counts by a number. */
    SortedMap<Integer, Long> histogram(String name) {
        SortedMap<Integer, Long> histogram = new TreeMap<>();
        figures.getAsJsonObject(name)
                .entrySet()
                .forEach(entry ->
                        histogram.put(
                                Integer.valueOf(entry.getKey()), entry.getValue().getAsLong()));
        return histogram;
    }
}
