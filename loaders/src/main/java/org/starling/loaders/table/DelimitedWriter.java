package org.starling.loaders.table;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes rows as lines of fields, below a header with the names of the columns. A field stands in
 * quotation marks, with those in it doubled, if it could be taken for something else otherwise. A
 * missing value is an empty field, an empty text two quotation marks; elements of vectors have
 * blanks between them. One thread.
 */
final class DelimitedWriter implements TableWriter {
    private final OutputStream out;
    private final char between;
    private final StringBuilder lines = new StringBuilder();

    DelimitedWriter(OutputStream out, List<TableColumn> columns, char between) throws IOException {
        this.out = out;
        this.between = between;
        for (int i = 0; i < columns.size(); i++) {
            separate(i);
            putText(columns.get(i).name());
        }
        lines.append('\n');
        flush();
    }

    @Override
    public void write(TableBatch batch) throws IOException {
        for (int row = 0; row < batch.rows(); row++) {
            for (int column = 0; column < batch.columns().size(); column++) {
                separate(column);
                put(batch, column, row);
            }
            lines.append('\n');
            if (lines.length() > ElementText.FLUSH_CHARACTERS) {
                flush();
            }
        }
        flush();
    }

    @Override
    public void end() {}

    private void separate(int column) {
        if (column > 0) {
            lines.append(between);
        }
    }

    private void put(TableBatch batch, int column, int row) {
        int length = batch.columns().get(column).length();
        for (int i = 0; i < length; i++) {
            int element = row * length + i;
            lines.append(i == 0 ? "" : " ");
            if (batch.isPresent(column, element)) {
                if (batch.columns().get(column).kind() == TableColumn.Kind.STRING) {
                    putText(batch.text(column, element));
                } else {
                    lines.append(ElementText.text(batch, column, element));
                }
            }
        }
    }

    private void putText(String text) {
        if (!needsQuotes(text)) {
            lines.append(text);
            return;
        }
        lines.append('"').append(text.replace("\"", "\"\"")).append('"');
    }

    private boolean needsQuotes(String text) {
        if (text.isEmpty() || text.startsWith("#") || text.startsWith("%")) {
            return true;
        }
        if (text.charAt(0) <= ' ' || text.charAt(text.length() - 1) <= ' ') {
            return true;
        }
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == between || one == '"' || one == '\n' || one == '\r') {
                return true;
            }
        }
        return false;
    }

    private void flush() throws IOException {
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        lines.setLength(0);
    }
}
