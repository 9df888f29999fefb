package org.starling.loaders.table;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.starling.graph.VertexColumns;
import org.starling.graph.VertexTableFormats;
import org.starling.loaders.Packing;

/** The formats of {@link TableFormat}, for peers that write parts. Stateless. */
public final class TableFormats implements VertexTableFormats {
    @Override
    public Set<String> names() {
        return new LinkedHashSet<>(List.of(TableFormat.titles()));
    }

    @Override
    public void write(String format, String fileName, VertexColumns columns, OutputStream out)
            throws IOException {
        TableFormat meant = TableFormat.named(format);
        Path file = Path.of(fileName);
        meant.requirePackable(file);
        VertexTable table = new VertexTable(columns); // its cursors are the caller's
        try (OutputStream packed = Packing.named(file).pack(new Kept(out))) {
            TableWriter writer = meant.begin(packed, table.columns());
            TableBatch batch = new TableBatch(table.columns());
            while (table.fill(batch)) {
                writer.write(batch);
                batch.clear();
            }
            writer.end();
        }
    }

    /** A stream that stays open when the one that packs is closed. */
    private static final class Kept extends FilterOutputStream {
        Kept(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            out.write(from, offset, count);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
