package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;

/**
 * Reads lines of a table of edges whose columns have any order, field by field. Confined to one
 * thread.
 */
final class TableReader {
    /** What stands for bytes that are no UTF-8. */
    private static final char NO_CHARACTER = '\uFFFD';

    private final TextFile text;
    private final TableColumns table;
    private final FieldReader fields;
    private final PropertyValues values;
    private final boolean textIds;

    /**
     * A reader.
     *
     * @param textIds whether ids are texts
     */
    TableReader(TextFile text, Separator separator, TableColumns table, boolean textIds) {
        this.text = text;
        this.textIds = textIds;
        this.table = table;
        this.fields = new FieldReader(separator);
        this.values = new PropertyValues(table.columns().properties());
    }

    /**
     * Reads a line.
     *
     * @param cursor on its first character; afterwards behind it
     * @param quietly whether nobody asks what is wrong with a bad one
     */
    void read(ByteCursor cursor, EdgeSink sink, boolean quietly) throws IOException {
        long line = cursor.offset();
        List<String> read = fields.readLine(cursor);
        String wrong =
                read == null
                        ? "a field is longer than %d bytes, or its quotation marks don't match"
                                .formatted(FieldReader.MAX_BYTES)
                        : take(read);
        if (wrong != null || read == null) {
            throw quietly ? BadLines.unsaid() : text.complaint(line, String.valueOf(wrong));
        }
        long source = id(read.get(table.source()), line, sink, quietly);
        long target = id(read.get(table.target()), line, sink, quietly);
        cursor.skipLine();
        sink.edge(
                source,
                target,
                table.weight() < 0 ? 1f : Float.parseFloat(read.get(table.weight()).strip()),
                values);
    }

    /** Checks a line and takes its properties; what is wrong with it. */
    private @Nullable String take(List<String> read) {
        if (read.size() != table.names().size()) {
            return "expected %d fields, as the header says, found %d"
                    .formatted(table.names().size(), read.size());
        }
        for (int field : new int[] {table.source(), table.target()}) {
            if (!textIds && !isId(read.get(field))) {
                return "expected a vertex id from 0 to %s in column %s, found %s"
                        .formatted(
                                Long.toUnsignedString(-1),
                                Quote.of(table.names().get(field)),
                                Quote.of(read.get(field)));
            }
        }
        if (table.weight() >= 0 && !isWeight(read.get(table.weight()).strip())) {
            return "expected a weight that is a finite number and not negative in column %s, found %s (correct it, or leave weights out by \"weight\": \"none\")"
                    .formatted(
                            Quote.of(table.names().get(table.weight())),
                            Quote.of(read.get(table.weight())));
        }
        values.clear();
        for (int i = 0; i < table.properties().size(); i++) {
            String field = read.get(table.properties().get(i));
            String value = isText(i) ? field : field.strip();
            if (value.isEmpty() && table.optional().get(i)) {
                continue; // 0, false or an empty text
            }
            String wrong = table.columns().read(i, value, values);
            if (wrong != null) {
                return wrong + remedy(i, value);
            }
        }
        return null;
    }

    private boolean isText(int property) {
        return table.columns().properties().get(property).type() == PropertyType.STRING;
    }

    private String remedy(int property, String value) {
        String name = table.columns().properties().get(property).name();
        String type = table.columns().properties().get(property).typeName();
        return " (correct it, or say what the column is: \"columns\": {\"%s\": \"%s\"})"
                .formatted(name, value.isEmpty() ? type + "?" : "string");
    }

    /** The one place where ids of tables are read; {@link #isId} has looked at the field. */
    private long id(String field, long line, EdgeSink sink, boolean quietly) throws IOException {
        if (!textIds) {
            return Long.parseUnsignedLong(field.strip());
        }
        String wrong = "an id holds bytes that are no UTF-8, or the character U+FFFD";
        if (field.indexOf(NO_CHARACTER) < 0) {
            byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
            try {
                return sink.number(utf8, 0, utf8.length);
            } catch (InvalidInputException refused) {
                wrong = String.valueOf(refused.getMessage());
            }
        }
        throw quietly ? BadLines.unsaid() : text.complaint(line, wrong);
    }

    private static boolean isId(String field) {
        String digits = field.strip();
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false;
        }
        try {
            Long.parseUnsignedLong(digits);
            return true;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    private static boolean isWeight(String field) {
        try {
            float weight = Float.parseFloat(field);
            return weight >= 0f && weight < Float.POSITIVE_INFINITY;
        } catch (NumberFormatException none) {
            return false;
        }
    }
}
