package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NativeMemory;

/**
 * Producers and one consumer on a ring of four frames, for Lincheck. Afterwards every frame that
 * was committed must have been consumed exactly once and whole, and those of one producer in order.
 * Frames are dropped when the ring is full.
 */
public abstract class RingScenario {

    private static final int CAPACITY = 64;

    private final TestRing ring;
    private final AtomicLong nextValue = new AtomicLong(1);
    private final Map<Long, List<Long>> committed = new ConcurrentHashMap<>();
    private final List<Long> consumed = new ArrayList<>();

    RingScenario(TestRing ring) {
        this.ring = ring;
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
        for (int bytes = ring.scan(CAPACITY); bytes > 0; bytes = ring.scan(CAPACITY)) {
            take(ring.address() + ring.sendIndex(), bytes);
            ring.sent(bytes);
        }
    }

    /** Checks the promise. */
    @Validate
    public void everythingCommittedIsConsumedOnceAndInOrder() {
        receive();
        List<Long> expected = committed.values().stream().flatMap(List::stream).sorted().toList();
        List<Long> found = consumed.stream().sorted().toList();
        if (!expected.equals(found)) {
            throw new IllegalStateException("committed " + expected + ", consumed " + found);
        }
        for (List<Long> values : committed.values()) {
            List<Long> order = consumed.stream().filter(values::contains).toList();
            if (!order.equals(values)) {
                throw new IllegalStateException(
                        "one producer committed " + values + ", consumed were " + order);
            }
        }
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
        long value = nextValue.getAndIncrement();
        long address = ring.claim(frameBytes);
        if (address == OutgoingRing.FULL) {
            return;
        }
        write(address, frameBytes, value);
        committed
                .computeIfAbsent(Thread.currentThread().threadId(), thread -> new ArrayList<>())
                .add(value);
        ring.commit(address, FrameLayout.header(FrameLayout.RAW, 1, frameBytes));
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
            if (length > 16 && NativeMemory.getLong(address + at + 16) != ~value) {
                throw new IllegalStateException("frame " + value + " is torn");
            }
            consumed.add(value);
            at += FrameLayout.aligned(length);
        }
    }

    /** The ring itself. */
    public static final class Real extends RingScenario {
        public Real() {
            super(TestRing.real(CAPACITY));
        }
    }

    /** Two producers may claim the same room. */
    public static final class ClaimWithoutCompareAndSet extends RingScenario {
        public ClaimWithoutCompareAndSet() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.CLAIM_WITHOUT_COMPARE_AND_SET));
        }
    }

    /** Header words of the last lap look committed. */
    public static final class RoomIsNotZeroed extends RingScenario {
        public RoomIsNotZeroed() {
            super(new BuggyRing(CAPACITY, BuggyRing.Bug.ROOM_IS_NOT_ZEROED));
        }
    }
}
