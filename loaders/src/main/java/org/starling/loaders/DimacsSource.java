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
 * Reads DIMACS files; see {@link DimacsProvider}. Several threads read different parts at the same
 * time. The header is read once and then kept.
 */
final class DimacsSource implements EdgeSource, Oriented {
    private final Kept<Opened> opened;

    DimacsSource(Parameters parameters) {
        this.opened = new Kept<>(() -> open(parameters));
    }

    private record Opened(TextFile text, DimacsHeader header, EntryReader.Rules rules) {}

    private static Opened open(Parameters parameters) throws IOException {
        TextFile text = TextFile.open(parameters);
        DimacsHeader header = DimacsHeader.read(text);
        boolean arcs = header.arcs();
        return new Opened(
                text,
                header,
                new EntryReader.Rules(
                        header.vertices(),
                        arcs,
                        arcs && !SourceOptions.leavesOutWeights(parameters),
                        !arcs && parameters.flag(SourceOptions.DIRECTED),
                        arcs ? "\"a source target weight\"" : "\"e one other\""));
    }

    @Override
    public boolean directed() throws IOException {
        return opened.get().header.arcs();
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
        long end = file.text.partEnd(part);
        long lines = 0;
        long found = 0;
        try (ByteCursor cursor = file.text.cursorOnPart(part)) {
            while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
                lines++;
                if (beginsEntry(cursor, file)) {
                    found++;
                    entries.read(cursor, cursor.offset() - 1, sink);
                } else {
                    cursor.skipLine();
                }
            }
        }
        return new PartSummary(lines, 0, found, 0);
    }

    /** Moves past the letter of a line with an entry; false if the line is another one. */
    private static boolean beginsEntry(ByteCursor cursor, Opened file) throws IOException {
        long line = cursor.offset();
        cursor.skipBlanks();
        int letter = cursor.peek();
        if (letter == (file.header.arcs() ? 'a' : 'e') && line > file.header.offset()) {
            cursor.advance();
            if (cursor.skipBlanks() > 0) {
                return true;
            }
        } else if (letter == 'c'
                || (letter == 'n' && !file.header.arcs())
                || cursor.atLineEnd()
                || line == file.header.offset()) {
            return false;
        }
        throw file.text.complaint(
                line,
                "expected a line %s, or c and a comment, found %s (correct the line)"
                        .formatted(file.rules.form(), Quote.of(file.text.line(line))));
    }

    @Override
    public void check(List<PartSummary> parts) {
        Opened file = opened.known();
        long found = parts.stream().mapToLong(PartSummary::entries).sum();
        long promised = file.header.entries();
        // Of the graphs of challenge 2 some count every edge twice, in the header or in lines.
        boolean usual = found == 2 * promised || promised == 2 * found;
        if (found != promised && (file.header.arcs() || !usual)) {
            throw new InvalidInputException(
                    "%s:%d: the header says %d %s, but there are %d (is the file complete?)"
                            .formatted(
                                    file.text.path(),
                                    file.header.line(),
                                    promised,
                                    file.header.arcs() ? "arcs" : "edges",
                                    found));
        }
    }
}
