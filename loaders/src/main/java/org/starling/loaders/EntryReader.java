package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.SourceDescription;

/**
 * Reads entries {@code row column [value]} of vertices that are counted from 1, as Matrix Market
 * and DIMACS files have them. Confined to one thread.
 */
final class EntryReader {
    private static final String BAD_WEIGHT =
            "a weight that is a finite number and not negative (correct it, or leave all weights out"
                    + " by \"weight\": \"none\")";

    private final TextFile text;
    private final Rules rules;
    private final WeightParser weights = new WeightParser();

    /**
     * What entries are like.
     *
     * @param vertices numbers are from 1 to this
     * @param valued whether a value follows the two numbers
     * @param weighted whether it is taken as the edge's weight
     * @param mirrored whether an entry stands for the edge back, too
     * @param form how a line looks, for people
     */
    record Rules(long vertices, boolean valued, boolean weighted, boolean mirrored, String form) {
        /** A file of so many entries. */
        SourceDescription describe(TextFile text, long entries) {
            return new SourceDescription(
                    text.parts(), true, 1, vertices, (mirrored ? 2 : 1) * entries, weighted);
        }
    }

    EntryReader(TextFile text, Rules rules) {
        this.text = text;
        this.rules = rules;
    }

    /**
     * Reads an entry.
     *
     * @param cursor before its row; afterwards behind the line
     * @param line where the line begins
     */
    void read(ByteCursor cursor, long line, EdgeSink sink) throws IOException {
        long source = number(cursor, line);
        cursor.skipBlanks();
        long target = number(cursor, line);
        float weight = 1f;
        if (rules.valued) {
            cursor.skipBlanks();
            weight = weights.parse(cursor);
            // Not a number fails the comparison, too.
            boolean valid = weight >= 0f && weight < Float.POSITIVE_INFINITY;
            if (rules.weighted && (!valid || !endsField(cursor))) {
                throw complaint(line, BAD_WEIGHT);
            }
            if (!rules.weighted) {
                weight = 1f;
                while (!endsField(cursor)) {
                    cursor.advance();
                }
            }
        }
        cursor.skipBlanks();
        if (!cursor.atLineEnd()) {
            throw complaint(line, "nothing behind the fields of " + rules.form);
        }
        cursor.skipLine();
        sink.edge(source, target, weight);
        if (rules.mirrored && source != target) {
            sink.edge(target, source, weight);
        }
    }

    private long number(ByteCursor cursor, long line) throws IOException {
        long number = cursor.unsignedLong();
        if (number < 1 || number > rules.vertices || !endsField(cursor)) {
            throw complaint(
                    line,
                    "%s with numbers from 1 to %d, as the header says"
                            .formatted(rules.form, rules.vertices));
        }
        return number;
    }

    private static boolean endsField(ByteCursor cursor) throws IOException {
        return cursor.peek() == ' ' || cursor.peek() == '\t' || cursor.atLineEnd();
    }

    private InvalidInputException complaint(long line, String expected) throws IOException {
        return text.complaint(
                line, "expected %s, found %s".formatted(expected, Quote.of(text.line(line))));
    }
}
