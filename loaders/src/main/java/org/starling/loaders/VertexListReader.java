package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.PartSummary;

/** Reads one part of a file with an id a line. Confined to one thread. */
final class VertexListReader {
    private final TextFile text;

    VertexListReader(TextFile text) {
        this.text = text;
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            DataLines lines =
                    DataLines.read(cursor, text.partEnd(part), () -> sink.vertex(readId(cursor)));
            return new PartSummary(lines.all(), lines.data(), 0, 0);
        }
    }

    private long readId(ByteCursor cursor) throws IOException {
        long line = cursor.offset();
        boolean found = cursor.readId();
        cursor.skipBlanks();
        if (!found || !cursor.atLineEnd()) {
            throw text.complaint(
                    line,
                    "expected one vertex id from 0 to %s, found %s"
                            .formatted(Long.toUnsignedString(-1), Quote.of(text.line(line))));
        }
        cursor.skipLine();
        return cursor.id();
    }
}
