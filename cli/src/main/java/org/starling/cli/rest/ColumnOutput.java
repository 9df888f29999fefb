package org.starling.cli.rest;

import java.io.IOException;
import org.starling.compute.columns.ColumnTable;

/** A format in which columns go out: a beginning, batches, an end. One thread. */
interface ColumnOutput extends ColumnTable.Sink {
    /** Before the first batch. */
    void begin() throws IOException;

    /** Behind the last batch. */
    void end() throws IOException;
}
