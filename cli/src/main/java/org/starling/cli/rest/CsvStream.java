package org.starling.cli.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;

/** Writes columns as CSV with a header; the first column is {@code id}. One thread. */
final class CsvStream implements ColumnOutput {
    static final String MEDIA_TYPE = "text/csv";

    private static final int FULL_CHARS = 1 << 15;

    private final OutputStream out;
    private final ColumnField id;
    private final List<ColumnField> fields;
    private final StringBuilder text = new StringBuilder();

    CsvStream(ColumnField id, List<ColumnField> fields, OutputStream out) {
        this.id = id;
        this.fields = List.copyOf(fields);
        this.out = out;
    }

    @Override
    public void begin() {
        text.append(id.name());
        for (ColumnField field : fields) {
            text.append(',');
            ColumnTexts.addQuoted(field.name(), text);
        }
        text.append('\n');
    }

    @Override
    public void take(ColumnBatch batch) throws IOException {
        for (int row = 0; row < batch.rows(); row++) {
            ColumnTexts.addCsv(id, batch.ids(), row, text);
            for (int i = 0; i < fields.size(); i++) {
                text.append(',');
                ColumnTexts.addCsv(fields.get(i), batch.values().get(i), row, text);
            }
            text.append('\n');
            if (text.length() >= FULL_CHARS) {
                flush();
            }
        }
        flush();
    }

    @Override
    public void end() throws IOException {
        flush();
    }

    private void flush() throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
    }
}
