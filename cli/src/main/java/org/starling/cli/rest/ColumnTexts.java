package org.starling.cli.rest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnValues;
import org.starling.graph.VertexId;

/** Values of columns as people read them. Stateless. */
final class ColumnTexts {
    private ColumnTexts() {}

    /**
     * A value for JSON: a number, true or false, a text, a list of such; null for no vertex and no
     * finite number.
     */
    static @Nullable Object json(ColumnField field, ColumnValues values, int row) {
        if (field.length() == 1) {
            return jsonElement(field.kind(), values, row);
        }
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < field.length(); i++) {
            elements.add(jsonElement(field.kind(), values, row * field.length() + i));
        }
        return elements;
    }

    private static @Nullable Object jsonElement(
            ColumnField.Kind kind, ColumnValues values, int index) {
        ByteBuffer fixed = values.fixed();
        return switch (kind) {
            case BOOLEAN -> fixed.get(index) != 0;
            case INT -> (long) fixed.getInt(index * Integer.BYTES);
            case LONG -> fixed.getLong(index * Long.BYTES);
            case FLOAT, DOUBLE -> {
                double value = Double.parseDouble(text(kind, values, index)); // as people write it
                yield Double.isFinite(value) ? value : null;
            }
            case VERTEX ->
                    values.isPresent(index)
                            ? VertexId.number(fixed.getLong(index * Long.BYTES))
                            : null;
            case STRING -> string(values, index);
            case NAME -> values.isPresent(index) ? string(values, index) : null;
        };
    }

    /** Adds a value as a field of CSV; nothing for no vertex. */
    static void addCsv(ColumnField field, ColumnValues values, int row, StringBuilder line) {
        if (field.kind().isText()) {
            if (values.isPresent(row)) {
                addQuoted(string(values, row), line);
            }
            return;
        }
        for (int i = 0; i < field.length(); i++) {
            int index = row * field.length() + i;
            if (i > 0) {
                line.append(' ');
            }
            if (values.isPresent(index)) {
                line.append(text(field.kind(), values, index));
            }
        }
    }

    /** Adds a text to CSV, in quotes where it needs them. */
    static void addQuoted(String text, StringBuilder line) {
        boolean isPlain = !text.isEmpty();
        for (int i = 0; isPlain && i < text.length(); i++) {
            isPlain = "\",\n\r".indexOf(text.charAt(i)) < 0;
        }
        if (isPlain) {
            line.append(text);
        } else {
            line.append('"').append(text.replace("\"", "\"\"")).append('"');
        }
    }

    private static String text(ColumnField.Kind kind, ColumnValues values, int index) {
        ByteBuffer fixed = values.fixed();
        return switch (kind) {
            case BOOLEAN -> Boolean.toString(fixed.get(index) != 0);
            case INT -> Integer.toString(fixed.getInt(index * Integer.BYTES));
            case LONG -> Long.toString(fixed.getLong(index * Long.BYTES));
            case FLOAT -> Float.toString(fixed.getFloat(index * Float.BYTES));
            case DOUBLE -> Double.toString(fixed.getDouble(index * Double.BYTES));
            case VERTEX -> VertexId.text(fixed.getLong(index * Long.BYTES));
            case STRING, NAME -> string(values, index);
        };
    }

    private static String string(ColumnValues values, int index) {
        int from = values.fixed().getInt(index * Integer.BYTES);
        int end = values.fixed().getInt((index + 1) * Integer.BYTES);
        byte[] utf8 = new byte[end - from];
        values.text().get(from, utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
