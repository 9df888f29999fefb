package org.starling.tasks.graphalytics;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.starling.graph.GraphSession;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;
import org.starling.graph.WholeFile;

/** Writes results in the suite's format. */
final class ResultFile {
    private ResultFile() {}

    /** Writes what an algorithm has left on a graph; the file appears whole or not at all. */
    static void write(GraphSession session, String graph, SuiteAlgorithm algorithm, Path file)
            throws IOException {
        Function<StateCursor, String> text = algorithm.text();
        try (WholeFile whole = WholeFile.create(file);
                StateCursor values = session.read(graph, algorithm.state())) {
            BufferedWriter writer =
                    new BufferedWriter(
                            Channels.newWriter(whole.channel(), StandardCharsets.US_ASCII));
            while (values.next()) {
                writer.write(VertexId.text(values.id()));
                writer.write(' ');
                writer.write(text.apply(values));
                writer.write('\n');
            }
            writer.flush();
            whole.commit();
        }
    }
}
