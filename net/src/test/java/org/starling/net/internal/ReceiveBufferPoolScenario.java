package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NativeMemory;

/**
 * The receiving thread that borrows buffers and gives them back, and others that ask how many there
 * are, for Lincheck. Nobody ever sees more buffers kept than may be kept, nor other numbers than
 * there were; no buffer is lent to two, and none is left behind.
 */
public abstract class ReceiveBufferPoolScenario {

    static final int KEEP_BUFFERS = 1;
    private static final int MAX_LENT = 3;
    private static final int BUFFER_BYTES = Limits.MIN_BUFFER_BYTES;

    private final long reservedBefore = NativeMemory.reservedBytes();

    // Confined to the receiving thread.
    private final ReceiveBuffer[] borrowed = new ReceiveBuffer[MAX_LENT];
    private int borrowedCount;

    /** A connection needs a buffer. */
    @Operation(nonParallelGroup = "receiving thread")
    public void borrow() {
        if (borrowedCount == MAX_LENT) {
            return;
        }
        ReceiveBuffer buffer = take();
        for (int i = 0; i < borrowedCount; i++) {
            if (borrowed[i].startAddress() == buffer.startAddress()) {
                throw new IllegalStateException("a buffer is lent to two");
            }
        }
        borrowed[borrowedCount++] = buffer;
    }

    /** A connection is done with its buffer. */
    @Operation(nonParallelGroup = "receiving thread")
    public void giveBack() {
        if (borrowedCount > 0) {
            giveBack(borrowed[--borrowedCount]);
        }
    }

    /** Somebody looks at the statistics. */
    @Operation
    public void look() {
        int lent = lent();
        int kept = kept();
        if (lent < 0 || lent > MAX_LENT || kept < 0 || kept > KEEP_BUFFERS) {
            throw new IllegalStateException(lent + " lent, " + kept + " kept");
        }
    }

    /** Checks the promise. */
    @Validate
    public void noBufferIsLeftBehind() {
        if (lent() != borrowedCount) {
            throw new IllegalStateException(lent() + " lent, in truth " + borrowedCount);
        }
        while (borrowedCount > 0) {
            giveBack();
        }
        close();
        if (lent() != 0 || kept() != 0 || NativeMemory.reservedBytes() != reservedBefore) {
            throw new IllegalStateException("a buffer is left behind");
        }
    }

    abstract ReceiveBuffer take();

    abstract void giveBack(ReceiveBuffer buffer);

    abstract int lent();

    abstract int kept();

    abstract void close();

    /** The pool itself. */
    public static class Real extends ReceiveBufferPoolScenario {
        final ReceiveBufferPool pool = new ReceiveBufferPool(BUFFER_BYTES, KEEP_BUFFERS);

        @Override
        ReceiveBuffer take() {
            return pool.take();
        }

        @Override
        void giveBack(ReceiveBuffer buffer) {
            pool.giveBack(buffer);
        }

        @Override
        int lent() {
            return pool.lent();
        }

        @Override
        int kept() {
            return pool.kept();
        }

        @Override
        void close() {
            pool.close();
        }
    }

    /** A pool that counts a buffer as kept before it looks whether it may keep it. */
    public static final class CountsTooEarly extends Real {
        private final AtomicInteger counted = new AtomicInteger();

        @Override
        ReceiveBuffer take() {
            ReceiveBuffer buffer = super.take();
            counted.set(pool.kept());
            return buffer;
        }

        @Override
        void giveBack(ReceiveBuffer buffer) {
            counted.incrementAndGet();
            super.giveBack(buffer);
            counted.set(pool.kept());
        }

        @Override
        int kept() {
            return counted.get();
        }

        @Override
        void close() {
            super.close();
            counted.set(pool.kept());
        }
    }
}
