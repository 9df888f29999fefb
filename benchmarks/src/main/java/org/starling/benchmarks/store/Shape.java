package org.starling.benchmarks.store;

import java.util.List;
import java.util.function.IntConsumer;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;

/**
 * One way to read or write chunks. Checks what it reads. Used by one thread.
 *
 * @param name for people, and the key of its figures
 * @param work does it for a while
 */
record Shape(String name, Work work) {
    /** Reads or writes until a time is over. */
    @FunctionalInterface
    interface Work {
        /**
         * Does it.
         *
         * @param deadlineNanos on {@link System#nanoTime}
         * @return chunks read or written
         * @throws WrongResultException if a chunk is not what was written
         */
        long until(long deadlineNanos) throws InterruptedException;
    }

    /** Where the chunks are that shapes read and write; has what is needed until it is closed. */
    interface Place extends AutoCloseable {
        /** Ways to read and write them; the first is what the others are compared with. */
        List<Shape> shapes();

        @Override
        void close();
    }

    /**
     * Indexes of chunks, in an order that no cache foresees, at a cost of about a nanosecond (G.
     * Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003).
     */
    static final class RandomIndexes {
        private final int bound;
        private long state = 0x9E3779B97F4A7C15L;

        RandomIndexes(int bound) {
            this.bound = bound;
        }

        int next() {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return (int) (((state >>> 32) * bound) >>> 32);
        }
    }

    /** Looks at the clock after so many operations. */
    private static final int BLOCK = 1_024;

    /** One operation after the other, each on one of so many chunks. */
    static Shape single(String name, int chunks, IntConsumer operation) {
        RandomIndexes random = new RandomIndexes(chunks);
        return new Shape(
                name,
                deadlineNanos -> {
                    long done = 0;
                    while (System.nanoTime() < deadlineNanos) {
                        for (int i = 0; i < BLOCK; i++) {
                            operation.accept(random.next());
                        }
                        done += BLOCK;
                    }
                    return done;
                });
    }

    /** Reads of chunks into memory with room for one. */
    static Shape intoMemory(String name, ChunkService service, Load load, long buffer) {
        return single(
                name,
                load.chunks(),
                index -> {
                    int got = service.get(load.id(index), buffer, load.bytes());
                    load.check(index, NativeMemory.getLong(buffer) + got - load.bytes());
                });
    }

    /** Reads of chunks as arrays. */
    static Shape array(String name, ChunkService service, Load load) {
        return single(name, load.chunks(), index -> load.check(index, service.get(load.id(index))));
    }
}
