package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NativeMemory;

/**
 * Producers and one consumer on a ring of four frames, for Lincheck. Afterwards every frame that
 * was committed must have been consumed exactly once and whole, and those of one producer in order.
 * Frames are dropped when the ring is full.
 *
 * <p>It keeps its books in plain arrays, since Lincheck takes apart and records every call of a
 * collection, which took ten times as long as the ring itself.
 */
public abstract class RingScenario {

    private static final int CAPACITY = 64;

    /** More than one scenario has operations. */
    private static final int MAX_VALUES = 32;

    private final TestRing ring;
    private final AtomicInteger lastValue = new AtomicInteger();

    /**
     * The thread that committed a value, 0 where none did; each element is written by one thread.
     */
    private final long[] producers = new long[MAX_VALUES];

    /** In the order of consumption; guarded by the group of consumers. */
    private final int[] consumed = new int[MAX_VALUES];

    private int consumedCount;

    RingScenario(TestRing ring) {
        this.ring = ring;
    }

    /** Goes to the second lap: 8 bytes may be claimed without a look, 24 are left to the end. */
    final void approachTheEnd() {
        for (int frameBytes : new int[] {24, 24, 24, 16}) {
            send(frameBytes);
            receive();
        }
    }

    /** Sends a frame of 16 bytes. */
    @Operation
    public void sendSmall() {
        send(16);
    }

    /** Sends a frame that sometimes doesn't fit before the end of the ring. */
    @Operation
    public void sendLarge() {
        send(24);
    }

    /** Consumes what is committed. */
    @Operation(nonParallelGroup = "consumer")
    public void receive() {
        int rounds = 0;
        for (int bytes = ring.scan(CAPACITY); bytes > 0; bytes = ring.scan(CAPACITY)) {
            if (++rounds > MAX_VALUES) {
                throw new IllegalStateException("there is more to consume than was ever sent");
            }
            take(ring.address() + ring.sendIndex(), bytes);
            ring.sent(bytes);
        }
    }

    /** Checks the promise. */
    @Validate
    public void everythingCommittedIsConsumedOnceAndInOrder() {
        receive();
        int committedCount = 0;
        for (int value = 1; value <= lastValue.get(); value++) {
            committedCount += producers[value] == 0 ? 0 : 1;
        }
        if (committedCount != consumedCount) {
            throw new IllegalStateException(
                    committedCount + " committed, " + consumedCount + " consumed");
        }
        checkOrder();
        ring.close();
        if (!ring.releaseIfQuiet()) {
            throw new IllegalStateException("a claim is neither committed nor consumed");
        }
    }

    /** Hook between claim and commit, where the broken copy goes wrong. */
    void write(long address, int frameBytes, long value) {
        NativeMemory.putLong(address + 8, value);
        if (frameBytes > 16) {
            NativeMemory.putLong(address + 16, ~value);
        }
    }

    private void send(int frameBytes) {
        int value = lastValue.incrementAndGet();
        long address = ring.claim(frameBytes);
        if (address == OutgoingRing.FULL) {
            return;
        }
        write(address, frameBytes, value);
        producers[value] = Thread.currentThread().threadId();
        ring.commit(address, FrameLayout.header(FrameLayout.RAW, 1, frameBytes));
    }

    /** The values of one producer ascend, so none may come twice or after a larger one. */
    private void checkOrder() {
        for (int i = 0; i < consumedCount; i++) {
            for (int j = 0; j < i; j++) {
                int earlier = consumed[j];
                int later = consumed[i];
                if (earlier == later
                        || (producers[earlier] == producers[later] && earlier > later)) {
                    throw new IllegalStateException(
                            "consumed " + earlier + " before " + later + " of one producer");
                }
            }
        }
    }

    private void take(long address, int bytes) {
        int at = 0;
        while (at < bytes) {
            long header = NativeMemory.getLong(address + at);
            if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                at += FrameLayout.HEADER_BYTES;
                continue;
            }
            long value = NativeMemory.getLong(address + at + 8);
            int length = FrameLayout.length(header);
            if (length < 16) {
                throw new IllegalStateException("a frame of " + length + " bytes");
            }
            if (length > 16 && NativeMemory.getLong(address + at + 16) != ~value) {
                throw new IllegalStateException("frame " + value + " is torn");
            }
            if (value < 1 || value > lastValue.get() || producers[(int) value] == 0) {
                throw new IllegalStateException("nobody committed " + value);
            }
            consumed[consumedCount++] = (int) value;
            at += FrameLayout.aligned(length);
        }
        if (at != bytes) {
            throw new IllegalStateException("frames of " + at + " bytes were told as " + bytes);
        }
    }

    /** The ring itself. */
    public static final class Real extends RingScenario {
        public Real() {
            super(TestRing.real(CAPACITY));
        }
    }

    /** The ring itself, where claims without a look end. */
    public static final class RealNearTheEnd extends RingScenario {
        public RealNearTheEnd() {
            super(TestRing.real(CAPACITY));
            approachTheEnd();
        }
    }

    /** Two producers may claim the same room. */
    public static final class ClaimWithoutCompareAndSet extends RingScenario {
        public ClaimWithoutCompareAndSet() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.CLAIM_WITHOUT_COMPARE_AND_SET));
        }
    }

    /** Who has an older tail may claim across the end of the ring. */
    public static final class UntilBeforeTheClaim extends RingScenario {
        public UntilBeforeTheClaim() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.UNTIL_BEFORE_THE_CLAIM));
            approachTheEnd();
        }
    }

    /** A claim without a look may go across the end of the ring. */
    public static final class UntilBeyondTheLap extends RingScenario {
        public UntilBeyondTheLap() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.UNTIL_BEYOND_THE_LAP));
            approachTheEnd();
        }
    }

    /** Frames of the last lap look committed. */
    public static final class MarksAreKept extends RingScenario {
        public MarksAreKept() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.MARKS_ARE_KEPT));
        }
    }

    /** A frame looks committed as soon as it is claimed. */
    public static final class MarkAtClaim extends RingScenario {
        public MarkAtClaim() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.MARK_AT_CLAIM));
        }
    }

    /** A frame's length is told as soon as it is claimed. */
    public static final class LengthAtClaim extends RingScenario {
        public LengthAtClaim() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.LENGTH_AT_CLAIM));
        }
    }

    /** The length told is that of the frame that was there a lap ago. */
    public static final class LengthOfTheLastLap extends RingScenario {
        public LengthOfTheLastLap() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.LENGTH_OF_THE_LAST_LAP));
        }
    }

    /** A commit between the head's move and the end of a mark is forgotten. */
    public static final class MarksAreTakenTooLate extends RingScenario {
        public MarksAreTakenTooLate() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.MARKS_ARE_TAKEN_TOO_LATE));
        }
    }

    /** Nothing behind the end of the ring is ever seen. */
    public static final class SkipWithoutMark extends RingScenario {
        public SkipWithoutMark() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.SKIP_WITHOUT_MARK));
        }
    }
}
