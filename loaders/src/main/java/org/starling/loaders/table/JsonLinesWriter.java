package org.starling.loaders.table;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Writes each row as a JSON object on a line of its own. What JSON has no number for, as not a
 * number and infinities, is null, as are missing values; vectors are arrays. One thread.
 */
final class JsonLinesWriter implements TableWriter {
    private static final HexFormat HEX = HexFormat.of();

    private final OutputStream out;
    private final StringBuilder lines = new StringBuilder();

    JsonLinesWriter(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(TableBatch batch) throws IOException {
        for (int row = 0; row < batch.rows(); row++) {
            for (int column = 0; column < batch.columns().size(); column++) {
                lines.append(column == 0 ? '{' : ',');
                putText(batch.columns().get(column).name());
                lines.append(':');
                put(batch, column, row);
            }
            lines.append("}\n");
            if (lines.length() > ElementText.FLUSH_CHARACTERS) {
                flush();
            }
        }
        flush();
    }

    @Override
    public void end() {}

    private void put(TableBatch batch, int column, int row) {
        int length = batch.columns().get(column).length();
        if (length == 1) {
            putElement(batch, column, row);
            return;
        }
        for (int i = 0; i < length; i++) {
            lines.append(i == 0 ? '[' : ',');
            putElement(batch, column, row * length + i);
        }
        lines.append(']');
    }

    private void putElement(TableBatch batch, int column, int element) {
        if (!batch.isPresent(column, element)) {
            lines.append("null");
            return;
        }
        switch (batch.columns().get(column).kind()) {
            case STRING -> putText(batch.text(column, element));
            case FLOAT, DOUBLE ->
                    lines.append(
                            Double.isFinite(batch.asDouble(column, element))
                                    ? ElementText.text(batch, column, element)
                                    : "null");
            case BOOLEAN, INT, LONG, ID -> lines.append(ElementText.text(batch, column, element));
        }
    }

    private void putText(String text) {
        lines.append('"');
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            switch (one) {
                case '"', '\\' -> lines.append('\\').append(one);
                case '\n' -> lines.append("\\n");
                case '\r' -> lines.append("\\r");
                case '\t' -> lines.append("\\t");
                default -> {
                    if (one < ' ') {
                        lines.append("\\u").append(HEX.toHexDigits(one));
                    } else {
                        lines.append(one);
                    }
                }
            }
        }
        lines.append('"');
    }

    private void flush() throws IOException {
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        lines.setLength(0);
    }
}
