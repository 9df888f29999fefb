package org.starling.benchmarks.studies;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NativeMemory;

/**
 * Producers and one consumer on a {@link LabRing} of four frames, for Lincheck. Afterwards every
 * frame that was committed has been consumed once and whole.
 */
public abstract class LabRingScenario {

    private static final int CAPACITY = 64;
    private static final int MAX_VALUES = 32;

    private final LabRing ring;
    private final AtomicInteger lastValue = new AtomicInteger();

    /** False where the ring was full; each element is written by one thread. */
    private final boolean[] isCommitted = new boolean[MAX_VALUES];

    /** Guarded by the group of consumers. */
    private final int[] consumptions = new int[MAX_VALUES];

    LabRingScenario(LabRing ring) {
        this.ring = ring;
    }

    /** Sends a frame of 16 bytes. */
    @Operation
    public void sendSmall() {
        send(1);
    }

    /** Sends a frame that sometimes doesn't fit before the end of the ring. */
    @Operation
    public void sendLarge() {
        send(2);
    }

    /** Consumes what is committed. */
    @Operation(nonParallelGroup = "consumer")
    public void receive() {
        ring.drain(this::take);
    }

    /** Checks the promise. */
    @Validate
    public void everythingCommittedIsConsumedOnceAndWhole() {
        receive();
        ring.close();
        for (int value = 1; value <= lastValue.get(); value++) {
            if (consumptions[value] != (isCommitted[value] ? 1 : 0)) {
                throw new IllegalStateException(
                        value + " was consumed " + consumptions[value] + " times");
            }
        }
    }

    private void send(int words) {
        int value = lastValue.incrementAndGet();
        int bytes = words * Long.BYTES;
        long position = ring.claim(bytes);
        if (position == LabRing.FULL) {
            return;
        }
        long content = ring.content(position, bytes);
        NativeMemory.putLong(content, value);
        if (words > 1) {
            NativeMemory.putLong(content + Long.BYTES, ~(long) value);
        }
        isCommitted[value] = true;
        ring.commit(position, bytes);
    }

    private void take(long frame) {
        long value = NativeMemory.getLong(frame + LabRing.HEADER_BYTES);
        boolean isLarge = NativeMemory.getLong(frame) > LabRing.frameBytes(Long.BYTES);
        if (value < 1
                || value > lastValue.get()
                || (isLarge
                        && NativeMemory.getLong(frame + LabRing.HEADER_BYTES + Long.BYTES)
                                != ~value)) {
            throw new IllegalStateException("a frame with " + value + " is torn");
        }
        consumptions[(int) value]++;
    }

    /** A commit returns before those of earlier claims. */
    public static final class EarlyReturn extends LabRingScenario {
        public EarlyReturn() {
            super(new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN));
        }
    }

    /** A commit waits for those of earlier claims. */
    public static final class ClaimOrder extends LabRingScenario {
        public ClaimOrder() {
            super(new LabRing(CAPACITY, LabRing.Commit.CLAIM_ORDER));
        }
    }

    /** Two producers may claim the same room. */
    public static final class LooksAndMoves extends LabRingScenario {
        public LooksAndMoves() {
            super(
                    new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN) {
                        @Override
                        boolean moveTail(AtomicLong position, long from, long to) {
                            boolean isFirst = position.get() == from;
                            if (isFirst) {
                                position.set(to);
                            }
                            return isFirst;
                        }
                    });
        }
    }

    /** Commits are published before those of earlier claims, which may not be written. */
    public static final class WaitsForNobody extends LabRingScenario {
        public WaitsForNobody() {
            super(
                    new LabRing(CAPACITY, LabRing.Commit.CLAIM_ORDER) {
                        @Override
                        void awaitTurn(AtomicLong publishedPosition, long position) {}
                    });
        }
    }
}
