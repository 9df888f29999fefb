package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** The ring step by step, on one thread; {@link RingsLincheckTest} has the many. */
@Timeout(20)
class OutgoingRingTest {

    private final long reservedBefore = NativeMemory.reservedBytes();

    @Test
    void letsNothingLeaveBeforeItIsCommitted() {
        OutgoingRing ring = new OutgoingRing(256);
        long slow = ring.claim(16);
        long fast = ring.claim(16);
        commit(ring, fast, 16);
        assertThat(ring.scan(256)).isZero();

        commit(ring, slow, 16);

        assertThat(ring.scan(256)).isEqualTo(32);
        close(ring);
    }

    @Test
    void letsAllCommittedFramesLeaveInOneRun() {
        OutgoingRing ring = new OutgoingRing(1024);
        for (int i = 0; i < 20; i++) {
            commit(ring, ring.claim(24), 24);
        }

        assertThat(ring.scan(1024)).isEqualTo(20 * 24);
        assertThat(ring.sentFrames()).isEqualTo(20);
        close(ring);
    }

    @Test
    void claimsWithoutALookOnlyUpToTheWindow() {
        OutgoingRing ring = new OutgoingRing(256);
        assertThat(ring.tryClaim(ring.tail(), 16)).isEqualTo(OutgoingRing.FULL); // nobody looked
        commit(ring, ring.claim(16, 48), 16);

        for (int end = 32; end <= 48; end += 16) {
            long address = ring.tryClaim(ring.tail(), 16);
            assertThat(address).isEqualTo(ring.address() + end - 16);
            commit(ring, address, 16);
        }

        assertThat(ring.tryClaim(ring.tail(), 16)).isEqualTo(OutgoingRing.FULL);
        assertThat(ring.claim(16, 48)).isEqualTo(OutgoingRing.FULL);
        close(ring);
    }

    @Test
    void claimThatPassesTheWindowLeavesItToTheOthers() {
        OutgoingRing ring = new OutgoingRing(256);
        commit(ring, ring.claim(16, 16), 16);

        commit(ring, ring.claim(16), 16);

        assertThat(ring.tryClaim(ring.tail(), 16)).isEqualTo(OutgoingRing.FULL);
        close(ring);
    }

    @Test
    void claimsWithoutALookNeitherAcrossTheEndNorBehindAnOldTailNorWhenClosed() {
        OutgoingRing ring = new OutgoingRing(64);
        commit(ring, ring.claim(40, 1024), 40);
        assertThat(ring.tryClaim(ring.tail(), 32)).isEqualTo(OutgoingRing.FULL); // 24 to the end
        assertThat(ring.tryClaim(0, 16)).isEqualTo(OutgoingRing.FULL);

        commit(ring, ring.tryClaim(ring.tail(), 16), 16);
        ring.close();

        assertThat(ring.tryClaim(ring.tail(), 8)).isEqualTo(OutgoingRing.FULL);
        assertThat(ring.claim(8, 1024)).isEqualTo(OutgoingRing.CLOSED);
        close(ring);
    }

    @Test
    void isFullWhenNothingLeavesAndHasRoomAgainWhenSomethingHas() {
        OutgoingRing ring = new OutgoingRing(64);
        for (int i = 0; i < 4; i++) {
            commit(ring, ring.claim(16), 16);
        }
        assertThat(ring.claim(16)).isEqualTo(OutgoingRing.FULL);

        assertThat(ring.scan(64)).isEqualTo(32);
        ring.sent(16);

        assertThat(ring.claim(16)).isEqualTo(ring.address());
        assertThat(ring.claim(16)).isEqualTo(OutgoingRing.FULL);
        commit(ring, ring.address(), 16);
        close(ring);
    }

    @Test
    void sendsTheRestOfAPartialWriteOnceAndFreesWholeWordsOnly() {
        OutgoingRing ring = new OutgoingRing(64);
        commit(ring, ring.claim(16), 16);
        assertThat(ring.scan(64)).isEqualTo(16);

        ring.sent(11);

        assertThat(ring.freePosition()).isEqualTo(8);
        assertThat(ring.sendIndex()).isEqualTo(11);
        assertThat(ring.scan(64)).isEqualTo(5);
        ring.sent(5);
        assertThat(ring.freePosition()).isEqualTo(16);
        close(ring);
    }

    @Test
    void refusesClaimsOnceItIsClosedAndWaitsForTheClaimsBefore() {
        OutgoingRing ring = new OutgoingRing(64);
        long slow = ring.claim(16);
        ring.close();

        assertThat(ring.claim(16)).isEqualTo(OutgoingRing.CLOSED);
        assertThat(ring.releaseIfQuiet()).isFalse();
        commit(ring, slow, 16);
        assertThat(ring.releaseIfQuiet()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void carriesTheStreamOfAnyClaimsAndWritesUnchangedOverManyLaps() {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            OutgoingRing ring = new OutgoingRing(256);
            ArrayDeque<Long> expected = new ArrayDeque<>();
            long next = 1;
            for (int step = 0; step < 500; step++) {
                int bytes = 16 + 8 * random.nextInt(7);
                long address = random.nextInt(3) == 0 ? OutgoingRing.FULL : claim(ring, bytes);
                if (address != OutgoingRing.FULL) {
                    NativeMemory.putLong(address + 8, next);
                    NativeMemory.putLong(address + bytes - 8, next);
                    expected.add(next++);
                    commit(ring, address, bytes);
                } else {
                    consume(ring, expected, random, seed);
                }
            }
            close(ring);
        }
    }

    /** Sends some of what is committed; counts the frames whose end has left. */
    private static void consume(
            OutgoingRing ring, ArrayDeque<Long> expected, Random random, long seed) {
        int bytes = ring.scan(1 + random.nextInt(200));
        int at = 0;
        while (at < bytes) {
            long frame = ring.address() + ring.sendIndex() + at;
            long header = NativeMemory.getLong(frame);
            if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                at += FrameLayout.HEADER_BYTES;
                continue;
            }
            int length = FrameLayout.length(header);
            assertThat(NativeMemory.getLong(frame + 8))
                    .as("seed %d", seed)
                    .isEqualTo(expected.remove());
            assertThat(NativeMemory.getLong(frame + length - 8))
                    .as("seed %d", seed)
                    .isEqualTo(NativeMemory.getLong(frame + 8));
            at += FrameLayout.aligned(length);
        }
        if (bytes > 0) {
            ring.sent(bytes);
        }
    }

    /** Like a sender: looks only when it must. */
    private static long claim(OutgoingRing ring, int bytes) {
        long address = ring.tryClaim(ring.tail(), bytes);
        return address == OutgoingRing.FULL ? ring.claim(bytes, TestRing.FAR) : address;
    }

    private static void commit(OutgoingRing ring, long address, int bytes) {
        ring.commit(address, FrameLayout.header(FrameLayout.RAW, 1, bytes));
    }

    private void close(OutgoingRing ring) {
        ring.close();
        assertThat(ring.releaseIfQuiet()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }
}
