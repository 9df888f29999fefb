package org.starling.store.internal.log;

import java.io.IOException;

/** One file of a log. Used by one thread at a time. Whoever opened it closes it. */
interface LogFile extends AutoCloseable {
    /** Length in bytes. */
    long size() throws IOException;

    /** Writes all the bytes; offset, address and length are multiples of 4096. */
    void write(long at, long address, int bytes) throws IOException;

    /** Reads until there is as much as wanted, or the file ends. */
    int read(long at, long address, int bytes) throws IOException;

    /** Makes what was written safe from the loss of power. */
    void force() throws IOException;

    /** Cuts the file to a length. */
    void truncate(long bytes) throws IOException;

    @Override
    void close() throws IOException;
}
