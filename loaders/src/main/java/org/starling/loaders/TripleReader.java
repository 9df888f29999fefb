package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.TextId;

/**
 * Reads parts of a file of N-Triples. A triple whose object is a literal names a vertex, its
 * subject, but no edge: it is counted with the lines that are passed over. Confined to one thread.
 */
final class TripleReader {
    /** The property of edges. */
    static final Property PREDICATE = Property.of("predicate", PropertyType.STRING);

    /** Predicates that are kept as texts, a power of 2: most files have few different ones. */
    private static final int KEPT = 1 << 10;

    private static final int SHOWN_CHARACTERS = 40;

    private final TextFile text;
    private final TripleLine line;
    private final boolean skips;
    private final PropertyValues values = new PropertyValues(List.of(PREDICATE));
    private final boolean withPredicate;
    private final byte[][] keptBytes = new byte[KEPT][];
    private final String[] keptTexts = new String[KEPT];

    /**
     * A reader.
     *
     * @param blankPrefix see {@link TripleLine}
     * @param withPredicate whether edges have the predicate as a property
     * @param skips whether lines that make no sense are passed over and counted
     */
    TripleReader(TextFile text, byte[] blankPrefix, boolean withPredicate, boolean skips) {
        this.text = text;
        this.line = new TripleLine(blankPrefix);
        this.withPredicate = withPredicate;
        this.skips = skips;
    }

    /** Takes the lines of a text that have data. */
    interface Lines {
        /**
         * The cursor stands on the first byte that is no blank; afterwards anywhere on the line.
         *
         * @param start offset of the line's first byte
         */
        void take(ByteCursor cursor, long start) throws IOException;
    }

    /** Goes through lines that begin before an offset, without comments and empty ones. */
    static long read(ByteCursor cursor, long end, Lines lines) throws IOException {
        long all = 0;
        DataLines.skipMark(cursor);
        while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
            long start = cursor.offset();
            cursor.skipBlanks();
            if (cursor.peek() != '#' && !cursor.atLineEnd()) {
                lines.take(cursor, start);
            }
            cursor.skipLine();
            all++;
        }
        return all;
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        LongArrayList bad = new LongArrayList();
        LongArrayList literals = new LongArrayList();
        long[] counts = new long[3]; // edges, literals, bad lines
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            long all =
                    read(
                            cursor,
                            text.partEnd(part),
                            (at, start) -> {
                                InvalidInputException wrong = take(at, start, sink);
                                if (wrong != null) {
                                    note(bad, start);
                                    counts[2]++;
                                } else if (line.isLiteral()) {
                                    note(literals, start);
                                    counts[1]++;
                                } else {
                                    counts[0]++;
                                }
                            });
            literals.forEach(start -> note(bad, start));
            return new PartSummary(all, 0, counts[0], 0, counts[1] + counts[2], bad.toLongArray());
        }
    }

    private static void note(LongArrayList offsets, long offset) {
        if (offsets.size() < PartSummary.MAX_FIRST_SKIPPED) {
            offsets.add(offset);
        }
    }

    /** Gives a line's triple; what is wrong with it if it makes no sense and may be passed over. */
    private @Nullable InvalidInputException take(ByteCursor cursor, long start, EdgeSink sink)
            throws IOException {
        if (!line.read(cursor)) {
            if (skips) {
                return BadLines.unsaid();
            }
            throw complaint(start);
        }
        try {
            long source = number(line.subject(), sink);
            if (line.isLiteral()) {
                sink.vertex(source);
                return null;
            }
            long target = number(line.object(), sink);
            if (!withPredicate) {
                sink.edge(source, target, 1f);
                return null;
            }
            values.setString(0, predicate());
            sink.edge(source, target, 1f, values);
            return null;
        } catch (InvalidInputException wrong) {
            if (skips) {
                return wrong;
            }
            throw new InvalidInputException(text.where(start) + ": " + wrong.getMessage(), wrong);
        }
    }

    private static long number(TripleTerm term, EdgeSink sink) {
        return sink.number(term.bytes(), 0, term.length());
    }

    /** The predicate as a text; one that was there lately is not made again. */
    private String predicate() {
        TripleTerm term = line.predicate();
        int place = (int) term.hash() & (KEPT - 1);
        if (keptBytes[place] == null || !term.is(keptBytes[place])) {
            TextId.require(term.bytes(), 0, term.length());
            keptTexts[place] = term.text();
            keptBytes[place] = keptTexts[place].getBytes(StandardCharsets.UTF_8);
        }
        return keptTexts[place];
    }

    /**
     * Why the line that begins there was passed over.
     *
     * @param ofLiterals whether lines with literals are asked for, or those that make no sense
     * @return null if it is one of the others
     */
    @Nullable String explain(long start, boolean ofLiterals) throws IOException {
        try (ByteCursor cursor = text.cursorAt(start)) {
            cursor.skipBlanks();
            InvalidInputException wrong;
            try {
                wrong = take(cursor, start, new Nowhere());
            } catch (InvalidInputException said) {
                wrong = said;
            }
            if (wrong != null) {
                return ofLiterals ? null : wrong.getMessage();
            }
        }
        return ofLiterals && line.isLiteral()
                ? text.where(start)
                        + ": the object is a literal, and no vertex; the subject is one, the edge is left out"
                : null;
    }

    private InvalidInputException complaint(long start) throws IOException {
        String before =
                utf8(text, start, (int) Math.min(Integer.MAX_VALUE, line.mistake() - start));
        String found = utf8(text, line.mistake(), SHOWN_CHARACTERS);
        return new InvalidInputException(
                "%s:%d: expected %s, found %s (a line is: subject predicate object .)"
                        .formatted(
                                text.where(start),
                                before.codePointCount(0, before.length()) + 1,
                                line.expected(),
                                found.isEmpty() ? "the end of the line" : Quote.of(found)));
    }

    /** What stands on a line from an offset on, in so many bytes at most. */
    private static String utf8(TextFile text, long offset, int most) throws IOException {
        byte[] bytes = new byte[Math.max(0, Math.min(most, TripleSource.MAX_SHOWN_BYTES))];
        int count = 0;
        try (ByteCursor cursor = text.cursorAt(offset)) {
            while (count < bytes.length && !cursor.atLineEnd()) {
                bytes[count++] = (byte) cursor.peek();
                cursor.advance();
            }
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }
}
