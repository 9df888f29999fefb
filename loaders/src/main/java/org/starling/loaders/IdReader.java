package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;

/**
 * Reads the original ids of lines, numbers or texts, and gives them to a sink as it wants them.
 * Texts are fields as {@link FieldReader} has them, byte by byte. Confined to one thread.
 */
final class IdReader {
    private final TextFile text;
    private final Separator separator;
    private final boolean textIds;
    private final EdgeSink sink;
    private final FieldReader fields;
    private long id;

    /**
     * Reads for one sink.
     *
     * @param text for complaints
     * @param textIds whether ids are texts
     */
    IdReader(TextFile text, Separator separator, boolean textIds, EdgeSink sink) {
        this.text = text;
        this.separator = separator;
        this.textIds = textIds;
        this.sink = sink;
        this.fields = new FieldReader(separator);
    }

    /**
     * Reads an id that {@link #id} then answers.
     *
     * @param cursor on its first byte; afterwards behind it
     * @param line where the line begins, for people
     * @return false if there is no number where ids are numbers
     * @throws InvalidInputException if a text can be no id
     */
    boolean read(ByteCursor cursor, long line) throws IOException {
        if (!textIds) {
            boolean found = cursor.readId();
            id = cursor.id();
            return found;
        }
        int length = fields.readBytes(cursor);
        if (length == FieldReader.NO_FIELD) {
            throw text.complaint(
                    line,
                    "an id is longer than %d bytes, or lacks its second quotation mark"
                            .formatted(FieldReader.MAX_BYTES));
        }
        try {
            id = sink.number(fields.bytes(), 0, length);
        } catch (InvalidInputException wrong) {
            throw text.complaint(line, String.valueOf(wrong.getMessage()));
        }
        if (!separator.endsField(cursor.peek())) {
            throw text.complaint(
                    line,
                    "expected %s or the end of the line behind the quotation mark of an id"
                            .formatted(separator));
        }
        return true;
    }

    /** The id that was read last, as the sink wants it. */
    long id() {
        return id;
    }
}
