package org.starling.loaders;

import java.io.IOException;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads Matrix Market files; see {@link MatrixMarketProvider}. Several threads read different parts
 * at the same time. The header is read once and then kept.
 */
final class MatrixMarketSource implements EdgeSource, Oriented {
    private final Kept<Opened> opened;

    MatrixMarketSource(Parameters parameters) {
        this.opened = new Kept<>(() -> open(parameters));
    }

    private record Opened(TextFile text, MatrixMarketHeader header, EntryReader.Rules rules) {}

    private static Opened open(Parameters parameters) throws IOException {
        TextFile text = TextFile.open(parameters);
        MatrixMarketHeader header = MatrixMarketHeader.read(text);
        boolean weighted = header.valued() && !SourceOptions.leavesOutWeights(parameters);
        boolean mirrored = header.symmetric() && parameters.flag(SourceOptions.DIRECTED);
        String form = header.valued() ? "\"row column value\"" : "\"row column\"";
        return new Opened(
                text,
                header,
                new EntryReader.Rules(
                        header.vertices(), header.valued(), weighted, mirrored, form));
    }

    @Override
    public boolean directed() throws IOException {
        return !opened.get().header.symmetric();
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened file = opened.get();
        return file.rules.describe(file.text, file.header.entries());
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened file = opened.get();
        EntryReader entries = new EntryReader(file.text, file.rules);
        try (ByteCursor cursor = file.text.cursorOnPart(part)) {
            while (cursor.offset() < file.header.bodyOffset() && cursor.skipLine()) {
                // the banner, comments and sizes
            }
            DataLines lines =
                    DataLines.read(
                            cursor,
                            file.text.partEnd(part),
                            () -> entries.read(cursor, cursor.offset(), sink));
            return new PartSummary(lines.all(), 0, lines.data(), 0);
        }
    }

    @Override
    public void check(List<PartSummary> parts) {
        Opened file = opened.known();
        long found = parts.stream().mapToLong(PartSummary::entries).sum();
        if (found != file.header.entries()) {
            throw new InvalidInputException(
                    "%s:%d: the header says %d entries, but there are %d lines after it (is the file complete?)"
                            .formatted(
                                    file.text.path(),
                                    file.header.line(),
                                    file.header.entries(),
                                    found));
        }
    }
}
