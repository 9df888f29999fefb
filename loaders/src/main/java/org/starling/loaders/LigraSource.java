package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** Reads Ligra's adjacency files; see {@link LigraProvider}. */
final class LigraSource implements EdgeSource, Oriented {
    /** What such a file begins with if its edges have no weights. */
    static final String PLAIN = "AdjacencyGraph";

    /** What it begins with if they have. */
    static final String WEIGHTED = "WeightedAdjacencyGraph";

    private static final int MAX_WORD_BYTES = 64;

    /** Bytes of the shortest number and what ends it. */
    private static final int SHORTEST_NUMBER_BYTES = 2;

    private final Kept<Opened> opened;

    LigraSource(Parameters parameters) {
        this.opened = new Kept<>(() -> open(parameters));
    }

    /** The file and its first three words; {@code body} is the offset behind them. */
    private record Opened(
            TextFile text,
            long vertices,
            long edges,
            boolean valued,
            boolean weighted,
            long body) {}

    private static Opened open(Parameters parameters) throws IOException {
        TextFile text = TextFile.open(parameters);
        try (ByteCursor cursor = text.cursor()) {
            String word = word(cursor);
            boolean weighted = word.equals(WEIGHTED);
            if (!weighted && !word.equals(PLAIN)) {
                throw new InvalidInputException(
                        "%s:1: expected %s or %s, found %s (say what the file is by \"format\")"
                                .formatted(text.path(), PLAIN, WEIGHTED, Quote.of(word)));
            }
            long most = text.maxTextBytes() / SHORTEST_NUMBER_BYTES + 1;
            long vertices = number(text, cursor, "a number of vertices that fits the file", most);
            long edges =
                    number(
                            text,
                            cursor,
                            "a number of edges that fits the file",
                            (most - vertices) / (weighted ? 2 : 1));
            if (vertices == 0) {
                throw new InvalidInputException(
                        "%s: expected at least one vertex, found 0 (fetch the file again)"
                                .formatted(text.path()));
            }
            return new Opened(
                    text,
                    vertices,
                    edges,
                    weighted,
                    weighted && !SourceOptions.leavesOutWeights(parameters),
                    cursor.offset());
        }
    }

    @Override
    public boolean directed() {
        return true;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened file = opened.get();
        return new SourceDescription(1, true, 0, file.vertices, file.edges, file.weighted);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened file = opened.get();
        try (ByteCursor firsts = cursor(file, 0);
                ByteCursor targets = cursor(file, file.vertices);
                ByteCursor weights = cursor(file, file.vertices + (file.valued ? file.edges : 0))) {
            new Reading(file, firsts, targets, weights).into(sink);
        }
        return new PartSummary(file.edges, 0, file.edges, 0);
    }

    /** A cursor behind so many numbers of the body. */
    private static ByteCursor cursor(Opened file, long numbers) throws IOException {
        ByteCursor cursor = file.text.cursor();
        while (cursor.offset() < file.body && cursor.peek() != ByteCursor.END) {
            cursor.advance();
        }
        for (long i = 0; i < numbers; i++) {
            pass(cursor);
            if (cursor.peek() == ByteCursor.END) {
                break; // whoever reads on complains
            }
            while (!isSpace(cursor.peek()) && cursor.peek() != ByteCursor.END) {
                cursor.advance();
            }
        }
        return cursor;
    }

    /** Three cursors that go through a file side by side. Confined to one thread. */
    private static final class Reading {
        private final Opened file;
        private final ByteCursor firsts;
        private final ByteCursor targets;
        private final ByteCursor weights;
        private final WeightParser parser = new WeightParser();

        Reading(Opened file, ByteCursor firsts, ByteCursor targets, ByteCursor weights) {
            this.file = file;
            this.firsts = firsts;
            this.targets = targets;
            this.weights = weights;
        }

        private void into(EdgeSink sink) throws IOException {
            long edge = 0;
            if (first(0, 0) != 0) {
                throw new InvalidInputException(
                        "%s: expected 0 as the index of the first vertex's first edge (correct the file)"
                                .formatted(file.text.path()));
            }
            for (long vertex = 0; vertex < file.vertices; vertex++) {
                long end = vertex + 1 < file.vertices ? first(vertex + 1, edge) : file.edges;
                for (; edge < end; edge++) {
                    long target =
                            number(
                                    file.text,
                                    targets,
                                    "a target from 0 to " + (file.vertices - 1),
                                    file.vertices - 1);
                    sink.edge(vertex, target, file.valued ? weight() : 1f);
                }
            }
            ByteCursor last = file.valued ? weights : targets;
            pass(last);
            if (last.peek() != ByteCursor.END) {
                throw complaint(file.text, last.offset(), "the end of the file behind the edges");
            }
        }

        private long first(long vertex, long least) throws IOException {
            String expected =
                    "an index of the first edge of vertex %d from %d to %d"
                            .formatted(vertex, least, file.edges);
            pass(firsts);
            long at = firsts.offset();
            long first = number(file.text, firsts, expected, file.edges);
            if (first < least) {
                throw complaint(file.text, at, expected);
            }
            return first;
        }

        private float weight() throws IOException {
            pass(weights);
            long at = weights.offset();
            float weight = parser.parse(weights);
            if (!file.weighted) {
                return 1f;
            }
            // Not a number fails the comparison, too.
            boolean valid = weight >= 0f && weight < Float.POSITIVE_INFINITY;
            if (!valid || !endsNumber(weights)) {
                throw complaint(file.text, at, "a weight that is a finite number and not negative");
            }
            return weight;
        }
    }

    private static String word(ByteCursor cursor) throws IOException {
        StringBuilder word = new StringBuilder();
        while (!endsNumber(cursor) && word.length() < MAX_WORD_BYTES) {
            word.append((char) cursor.peek());
            cursor.advance();
        }
        return word.toString();
    }

    private static long number(TextFile text, ByteCursor cursor, String expected, long most)
            throws IOException {
        pass(cursor);
        long at = cursor.offset();
        long number = cursor.unsignedLong();
        if (number < 0 || number > most || !endsNumber(cursor)) {
            throw complaint(text, at, expected);
        }
        return number;
    }

    private static InvalidInputException complaint(TextFile text, long at, String expected)
            throws IOException {
        String rest = text.line(at).strip();
        return text.complaint(
                at,
                "expected %s, found %s (is the file complete?)"
                        .formatted(
                                expected, rest.isEmpty() ? "the end of the file" : Quote.of(rest)));
    }

    private static boolean endsNumber(ByteCursor cursor) throws IOException {
        return isSpace(cursor.peek()) || cursor.peek() == ByteCursor.END;
    }

    private static void pass(ByteCursor cursor) throws IOException {
        while (isSpace(cursor.peek())) {
            cursor.advance();
        }
    }

    private static boolean isSpace(int character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }
}
