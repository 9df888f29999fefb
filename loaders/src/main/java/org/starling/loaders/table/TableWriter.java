package org.starling.loaders.table;

import java.io.IOException;

/** Writes a table to a stream, which is the caller's. One thread. */
public interface TableWriter {
    /** Writes rows; the batch may be used again afterwards. */
    void write(TableBatch batch) throws IOException;

    /** Writes what stands behind the last row. */
    void end() throws IOException;
}
