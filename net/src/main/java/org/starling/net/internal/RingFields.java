package org.starling.net.internal;

/**
 * The words of an {@link OutgoingRing} that several threads use, in layers: the JVM lays the fields
 * of a superclass before those of its subclasses, so that what producers write, what the consumer
 * writes for them, and what it writes for itself lie in cache lines apart, with one between them
 * that nobody fetches along. Beside the producers' words stands all they read with them: who sends
 * to many nodes in turn finds little of each ring in the cache, and every line counts.
 */
@SuppressWarnings("UnusedVariable") // gaps are there to be there
final class RingFields {
    private RingFields() {}

    /** Keeps away what lies before the ring. */
    abstract static class Front {
        private long a0, a1, a2, a3, a4, a5, a6, a7;
    }

    /** What producers write, and what they read with it. */
    abstract static class Producers extends Front {

        /** Position after the last claim; all producers, through its VarHandle. */
        volatile long tail;

        /** A claim that ends up to here need look at nothing else; any producer, opaque. */
        long until;

        final long base;

        /** Behind the ring; all zero but for those of frames committed and not scanned. */
        final long marks;

        final int capacity;
        final int mask;

        /** See {@link OutgoingRing#isDeferred}; changed through its VarHandle. */
        volatile boolean deferred;

        /** See {@link OutgoingRing#isOverflowing}; the receiving thread writes it. */
        volatile boolean overflowing;

        Producers(long base, int capacity) {
            this.base = base;
            this.marks = base + capacity;
            this.capacity = capacity;
            this.mask = capacity - 1;
        }
    }

    /** Two lines. */
    abstract static class Gap extends Producers {
        private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;

        Gap(long base, int capacity) {
            super(base, capacity);
        }
    }

    /** What the consumer writes and producers read who find no room. */
    abstract static class Consumer extends Gap {

        /** Position up to which room is free again; written with release. */
        long head;

        Consumer(long base, int capacity) {
            super(base, capacity);
        }
    }

    /** Two lines. */
    abstract static class Behind extends Consumer {
        private long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

        Behind(long base, int capacity) {
            super(base, capacity);
        }
    }
}
