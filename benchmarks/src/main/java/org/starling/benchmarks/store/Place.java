package org.starling.benchmarks.store;

import java.util.List;

/**
 * Where the chunks are that are read and written; has what is needed for that until it is closed.
 */
interface Place extends AutoCloseable {
    /** Ways to read and write them; the first is what the others are compared with. */
    List<Shape> shapes();

    @Override
    void close();
}
