package org.starling.loaders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads METIS files; see {@link MetisProvider}. Several threads read different parts at the same
 * time. The header is read once and then kept.
 */
final class MetisSource implements EdgeSource {

    private final Parameters parameters;
    private final Kept<Opened> opened = new Kept<>(this::open);

    MetisSource(Parameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened file = opened.get();
        MetisHeader header = file.header();
        return new SourceDescription(
                file.text().parts(),
                true,
                1,
                header.vertices(),
                header.edges(),
                header.weighted() && !SourceOptions.leavesOutWeights(parameters));
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Once once = new Once(sink);
        MetisReader.Lines lines = opened.get().reader().read(part, once);
        return new PartSummary(lines.all(), lines.vertices(), once.entries, once.balance);
    }

    @Override
    public void check(List<PartSummary> parts) {
        try {
            Opened file = opened.get();
            checkVertices(file, parts.stream().mapToLong(PartSummary::vertices).sum());
            if (parts.stream().mapToLong(PartSummary::checksum).sum() != 0) {
                throw new MetisAsymmetry(file.text(), file.reader()).find();
            }
            checkEdges(file, parts.stream().mapToLong(PartSummary::entries).sum());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static void checkVertices(Opened file, long found) {
        if (found != file.header().vertices()) {
            throw new InvalidInputException(
                    ("%s:%d: the header says %d vertices, but there are %d lines after it (correct"
                                    + " the header, or add an empty line for each isolated vertex)")
                            .formatted(
                                    file.text().path(),
                                    file.header().line(),
                                    file.header().vertices(),
                                    found));
        }
    }

    private static void checkEdges(Opened file, long entries) {
        if (entries != 2 * file.header().edges()) {
            throw new InvalidInputException(
                    ("%s:%d: the header says %d edges, but the lines after it have %d neighbours,"
                                    + " which makes %d edges (correct the header)")
                            .formatted(
                                    file.text().path(),
                                    file.header().line(),
                                    file.header().edges(),
                                    entries,
                                    entries / 2));
        }
    }

    private Opened open() throws IOException {
        TextFile text = TextFile.open(parameters);
        MetisHeader header = MetisHeader.read(text);
        return new Opened(text, header, new MetisReader(text, header));
    }

    /** A file that exists, what it promises, and its reader. */
    private record Opened(TextFile text, MetisHeader header, MetisReader reader) {}

    /** Gives every edge once and keeps the balance of both its lines. Confined to one thread. */
    private static final class Once implements MetisEntries {

        private final EdgeSink sink;
        // A self-loop stands in one line only and counts twice.
        private long entries;
        private long balance;

        Once(EdgeSink sink) {
            this.sink = sink;
        }

        @Override
        public void entry(long vertex, long neighbour, float weight) {
            balance += MetisAsymmetry.share(vertex, neighbour, weight);
            entries += vertex == neighbour ? 2 : 1;
            if (neighbour >= vertex) {
                sink.edge(vertex, neighbour, weight);
            }
        }
    }
}
