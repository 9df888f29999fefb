package org.starling.tasks.graphalytics;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Function;
import org.starling.graph.GraphSession;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;

/** Writes results in the suite's format. */
final class ResultFile {
    private ResultFile() {}

    /** Writes what an algorithm has left on a graph; the file appears whole or not at all. */
    static void write(GraphSession session, String graph, SuiteAlgorithm algorithm, Path file)
            throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Function<StateCursor, String> text = algorithm.text();
        try {
            try (StateCursor values = session.read(graph, algorithm.state());
                    BufferedWriter writer =
                            Files.newBufferedWriter(part, StandardCharsets.US_ASCII)) {
                while (values.next()) {
                    writer.write(VertexId.text(values.id()));
                    writer.write(' ');
                    writer.write(text.apply(values));
                    writer.write('\n');
                }
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
