package org.starling.benchmarks.studies;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NativeMemory;

/**
 * Producers and a consumer on a ring of four small frames, for Lincheck. Afterwards every frame
 * that was committed must have been consumed once and whole, and those of one producer in order.
 * Frames are dropped when the ring is full.
 */
public abstract class LabRingScenario {
    private static final int CAPACITY = 64;
    private static final int SMALL_BYTES = 8;
    private static final int LARGE_BYTES = 16;

    /** More than one scenario sends. */
    private static final int MAX_VALUES = 32;

    private final LabRing ring;
    private final AtomicInteger lastValue = new AtomicInteger();

    /** The thread that committed a value, 0 where none did; each is written by one thread. */
    private final long[] producers = new long[MAX_VALUES];

    /** In the order of consumption; guarded by the group of consumers. */
    private final int[] consumed = new int[MAX_VALUES];

    private int consumedCount;

    LabRingScenario(LabRing ring) {
        this.ring = ring;
    }

    /** Sends a frame of which four fill the ring. */
    @Operation
    public void sendSmall() {
        send(SMALL_BYTES);
    }

    /** Sends a frame that sometimes does not fit before the end of the ring. */
    @Operation
    public void sendLarge() {
        send(LARGE_BYTES);
    }

    /** Consumes what is committed. */
    @Operation(nonParallelGroup = "consumer")
    public void receive() {
        ring.drain(this::take);
    }

    /** Checks the promise. */
    @Validate
    public void everythingCommittedIsConsumedOnceAndInOrder() {
        receive();
        receive();
        int committed = 0;
        for (int value = 1; value <= lastValue.get(); value++) {
            committed += producers[value] == 0 ? 0 : 1;
        }
        require(committed == consumedCount, "not as many are consumed as were committed");
        for (int i = 0; i < consumedCount; i++) {
            for (int j = 0; j < i; j++) {
                int earlier = consumed[j];
                int later = consumed[i];
                require(
                        earlier != later
                                && (producers[earlier] != producers[later] || earlier < later),
                        "one is consumed twice or out of order");
            }
        }
        ring.close();
    }

    private void send(int bytes) {
        int value = lastValue.incrementAndGet();
        long position = ring.claim(bytes);
        if (position == LabRing.FULL) {
            return;
        }
        long content = ring.content(position, bytes);
        NativeMemory.putLong(content, value);
        if (bytes > SMALL_BYTES) {
            NativeMemory.putLong(content + SMALL_BYTES, ~(long) value);
        }
        producers[value] = Thread.currentThread().threadId();
        ring.commit(position, bytes);
    }

    private void take(long frame) {
        long value = NativeMemory.getLong(frame + LabRing.HEADER_BYTES);
        boolean large = NativeMemory.getLong(frame) > LabRing.frameBytes(SMALL_BYTES);
        require(
                value >= 1 && value <= lastValue.get() && producers[(int) value] != 0,
                "nobody committed it");
        require(
                !large
                        || NativeMemory.getLong(frame + LabRing.HEADER_BYTES + SMALL_BYTES)
                                == ~value,
                "it is torn");
        require(consumedCount < MAX_VALUES, "there is more than was ever sent");
        consumed[consumedCount++] = (int) value;
    }

    private static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalStateException(complaint);
        }
    }

    /** As it is measured. */
    public static final class EarlyReturn extends LabRingScenario {
        public EarlyReturn() {
            super(new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN));
        }
    }

    /** As it is measured. */
    public static final class ClaimOrder extends LabRingScenario {
        public ClaimOrder() {
            super(new LabRing(CAPACITY, LabRing.Commit.CLAIM_ORDER));
        }
    }

    /** Two producers may claim the same room. */
    public static final class ClaimWithoutCompareAndSet extends LabRingScenario {
        public ClaimWithoutCompareAndSet() {
            super(
                    new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN) {
                        @Override
                        boolean moveTail(AtomicLong position, long from, long to) {
                            position.set(to);
                            return true;
                        }
                    });
        }
    }

    /** Headers of the last lap look committed. */
    public static final class RoomIsNotZeroed extends LabRingScenario {
        public RoomIsNotZeroed() {
            super(
                    new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN) {
                        @Override
                        void clear(long address, long bytes) {
                            // what was there stays
                        }
                    });
        }
    }

    /** Claims are published before those in front of them are written. */
    public static final class PublishesOutOfTurn extends LabRingScenario {
        public PublishesOutOfTurn() {
            super(
                    new LabRing(CAPACITY, LabRing.Commit.CLAIM_ORDER) {
                        @Override
                        void awaitTurn(AtomicLong publishedPosition, long position) {
                            // nobody is waited for
                        }
                    });
        }
    }
}
