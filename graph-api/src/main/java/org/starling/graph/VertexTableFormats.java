package org.starling.graph;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;

/**
 * Formats of files that columns of vertices are written to, by all peers at once ({@link
 * GraphSession#writeTable}). Found through {@link java.util.ServiceLoader} on every peer; any
 * thread.
 */
public interface VertexTableFormats {
    /** Their names. */
    Set<String> names();

    /**
     * Writes all vertices that are left as a table of its own, with a column of ids in front.
     *
     * @param format one of {@link #names}
     * @param fileName how the file will be called: its ending may say how it is packed
     * @param out is flushed, and stays open
     * @throws InvalidInputException if such a file can't be packed that way
     */
    void write(String format, String fileName, VertexColumns columns, OutputStream out)
            throws IOException;
}
