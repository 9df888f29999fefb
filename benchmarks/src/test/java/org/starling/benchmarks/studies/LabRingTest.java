package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.NativeMemory;

/** Both ways to commit. */
final class LabRingTest {
    private static final int CAPACITY = 4096;
    private static final int BYTES = 1000;

    private final long reservedBytes = NativeMemory.reservedBytes();
    private final List<Long> consumed = new ArrayList<>();

    @AfterEach
    void leavesNoMemory() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBytes);
    }

    @ParameterizedTest
    @EnumSource
    void keepsOrderOverManyLaps(LabRing.Commit commit) {
        try (LabRing ring = new LabRing(CAPACITY, commit)) {
            for (long i = 0; i < 100; i++) {
                send(ring, i);
                send(ring, -i);
                assertThat(drain(ring)).isPositive();
                assertThat(consumed).containsExactly(i, -i);
                consumed.clear();
            }
            assertThat(drain(ring)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesClaimsWhenItIsFull(LabRing.Commit commit) {
        try (LabRing ring = new LabRing(CAPACITY, commit)) {
            for (int i = 0; i < 4; i++) {
                send(ring, i);
            }

            assertThat(ring.claim(BYTES)).isEqualTo(LabRing.FULL);

            drain(ring);
            assertThat(ring.claim(BYTES)).isNotEqualTo(LabRing.FULL);
        }
    }

    @Test
    void returnsEarlyFromACommitBehindAnOpenClaim() {
        try (LabRing ring = new LabRing(CAPACITY, LabRing.Commit.EARLY_RETURN)) {
            long slow = ring.claim(BYTES);
            send(ring, 2);

            assertThat(drain(ring)).isZero();

            finish(ring, slow, 1);
            drain(ring);
            assertThat(consumed).containsExactly(1L, 2L);
        }
    }

    @Test
    void waitsInClaimOrderForTheClaimBefore() throws InterruptedException {
        try (LabRing ring = new LabRing(CAPACITY, LabRing.Commit.CLAIM_ORDER)) {
            long slow = ring.claim(BYTES);
            CountDownLatch claimed = new CountDownLatch(1);
            CountDownLatch committed = new CountDownLatch(1);
            Thread fast =
                    Thread.startVirtualThread(() -> {
                        long position = ring.claim(BYTES);
                        claimed.countDown();
                        finish(ring, position, 2);
                        committed.countDown();
                    });
            claimed.await();

            assertThat(committed.await(20, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(drain(ring)).isZero();

            finish(ring, slow, 1);
            fast.join();
            drain(ring);
            assertThat(consumed).containsExactly(1L, 2L);
        }
    }

    private int drain(LabRing ring) {
        return ring.drain(
                frame -> consumed.add(NativeMemory.getLong(frame + LabRing.HEADER_BYTES)));
    }

    private static void send(LabRing ring, long value) {
        finish(ring, ring.claim(BYTES), value);
    }

    private static void finish(LabRing ring, long position, long value) {
        NativeMemory.putLong(ring.content(position, BYTES), value);
        ring.commit(position, BYTES);
    }
}
