package org.starling.benchmarks.store;

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
         * @throws WrongChunkException if a chunk is not what was written
         */
        long until(long deadlineNanos) throws InterruptedException;
    }

    /** Reads or writes one chunk. */
    @FunctionalInterface
    interface Operation {
        /**
         * Does it.
         *
         * @param index the chunk's, from 0
         */
        void on(int index);
    }

    /** Looks at the clock after so many operations. */
    private static final int BLOCK = 1_024;

    /** One operation after the other, on random chunks of so many. */
    static Shape single(String name, int chunks, Operation operation) {
        RandomIndexes random = new RandomIndexes(chunks);
        return new Shape(
                name,
                deadlineNanos -> {
                    long done = 0;
                    while (System.nanoTime() < deadlineNanos) {
                        for (int i = 0; i < BLOCK; i++) {
                            operation.on(random.next());
                        }
                        done += BLOCK;
                    }
                    return done;
                });
    }
}
