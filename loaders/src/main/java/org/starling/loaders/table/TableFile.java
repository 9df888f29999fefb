package org.starling.loaders.table;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import org.starling.graph.WholeFile;
import org.starling.loaders.Packing;

/**
 * A table that is written to a file, which appears whole, by {@link #commit}, or not at all. Texts
 * are packed if the file's name ends that way. Confined to one thread.
 */
public final class TableFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final WholeFile whole;
    private final OutputStream out;
    private final TableWriter writer;

    private TableFile(WholeFile whole, OutputStream out, TableWriter writer) {
        this.whole = whole;
        this.out = out;
        this.writer = writer;
    }

    /**
     * Begins a table.
     *
     * @param file its absolute path without links
     * @throws org.starling.graph.InvalidInputException if the format can't be packed as the name
     *     says
     */
    public static TableFile create(Path file, TableFormat format, List<TableColumn> columns)
            throws IOException {
        format.requirePackable(file);
        WholeFile whole = WholeFile.create(file);
        try {
            OutputStream out =
                    new BufferedOutputStream(
                            Packing.named(file)
                                    .pack(
                                            new BufferedOutputStream(
                                                    Channels.newOutputStream(whole.channel()),
                                                    BUFFER_BYTES)),
                            BUFFER_BYTES);
            return new TableFile(whole, out, format.begin(out, columns));
        } catch (IOException | RuntimeException failed) {
            whole.close();
            throw failed;
        }
    }

    /** Writes rows; the batch may be used again afterwards. */
    public void write(TableBatch batch) throws IOException {
        writer.write(batch);
    }

    /** Gives the file its name. */
    public void commit() throws IOException {
        writer.end();
        out.close();
        whole.commit();
    }

    /** Removes what was not committed. */
    @Override
    public void close() throws IOException {
        whole.close();
    }
}
