package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Frames that find no room go to the ring later, whole and in order. */
@Timeout(20)
class OverflowQueueTest {

    private static final int RING_BYTES = 4 << 10;
    private static final int MAX_FRAME_BYTES = RING_BYTES / 4;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final OverflowQueue queue = new OverflowQueue(MAX_FRAME_BYTES);
    private final OutgoingRing ring = new OutgoingRing(RING_BYTES);
    private final long reservedWithRing = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNothingBehind() {
        queue.release();
        ring.close();
        assertThat(ring.releaseIfQuiet()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void takesNoMemoryUntilItIsNeeded() {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.bytes()).isZero();
        assertThat(queue.moveTo(ring)).isZero();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedWithRing);
    }

    @Test
    void movesWhatFitsAndKeepsTheRest() {
        for (int i = 0; i < 6; i++) {
            add(1_024, i);
        }

        long moved = queue.moveTo(ring);

        assertThat(moved).isEqualTo(RING_BYTES);
        assertThat(queue.bytes()).isEqualTo(2 * 1_024);
        assertThat(queue.moveTo(ring)).isZero();
        assertThat(consume()).containsExactly(0, 1, 2, 3);
        assertThat(queue.moveTo(ring)).isEqualTo(2 * 1_024);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(consume()).containsExactly(4, 5);
    }

    @Test
    void keepsItsFramesWhenTheRingIsClosed() {
        add(64, 1);
        ring.close();

        assertThat(queue.moveTo(ring)).isZero();
        assertThat(queue.bytes()).isEqualTo(64);
    }

    @Test
    void dropsEverythingAndIsOfUseAgain() {
        add(64, 1);
        add(64, 2);

        queue.release();
        add(64, 3);

        assertThat(queue.bytes()).isEqualTo(64);
        assertThat(queue.moveTo(ring)).isEqualTo(64);
        assertThat(consume()).containsExactly(3);
    }

    @Test
    void givesItsMemoryBackWhenItIsEmpty() {
        for (int i = 0; i < 2_000; i++) {
            add(1_024, i);
        }
        assertThat(NativeMemory.reservedBytes() - reservedBefore).isGreaterThan(2_000 * 1_024L);

        int moved = 0;
        while (!queue.isEmpty()) {
            queue.moveTo(ring);
            moved += consume().size();
        }

        assertThat(moved).isEqualTo(2_000);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedWithRing);
    }

    @Test
    void keepsOrderAndBytesOverManyChunksWhateverTheSizes() {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            List<Integer> got = new ArrayList<>();
            int added = 0;
            while (got.size() < 3_000) {
                for (int burst = random.nextInt(200); burst > 0; burst--) {
                    add(16 + 8 * random.nextInt(MAX_FRAME_BYTES / 8 - 1), added++);
                }
                for (int rounds = random.nextInt(40); rounds > 0; rounds--) {
                    queue.moveTo(ring);
                    got.addAll(consume());
                }
            }
            while (!queue.isEmpty()) {
                queue.moveTo(ring);
                got.addAll(consume());
            }

            assertThat(got).as("seed %d", seed).hasSize(added).isSorted().doesNotHaveDuplicates();
        }
    }

    /** A frame whose first and last words are its number. */
    private void add(int frameBytes, int number) {
        long address = queue.claim(frameBytes);
        NativeMemory.putInt(address + 8, number);
        NativeMemory.putInt(address + frameBytes - 4, number);
        NativeMemory.putLong(address, FrameLayout.header(FrameLayout.RAW, 1, frameBytes));
    }

    /** Takes all frames out of the ring; returns their numbers. */
    private List<Integer> consume() {
        List<Integer> numbers = new ArrayList<>();
        for (int bytes = ring.scan(RING_BYTES); bytes > 0; bytes = ring.scan(RING_BYTES)) {
            long address = ring.address() + ring.sendIndex();
            int at = 0;
            while (at < bytes) {
                long header = NativeMemory.getLong(address + at);
                if (FrameLayout.kind(header) == FrameLayout.SKIP) {
                    at += FrameLayout.HEADER_BYTES;
                    continue;
                }
                int length = FrameLayout.length(header);
                int number = NativeMemory.getInt(address + at + 8);
                assertThat(NativeMemory.getInt(address + at + length - 4)).isEqualTo(number);
                numbers.add(number);
                at += length;
            }
            ring.sent(bytes);
        }
        return numbers;
    }
}
