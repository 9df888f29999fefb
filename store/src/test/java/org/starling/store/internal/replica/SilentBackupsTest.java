package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** Backups that are members and do not answer: zones do without them, but for the last copy. */
@Timeout(30)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class SilentBackupsTest {
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final int CLIENTS = 6;

    private static ReplicaConfig config(int backups) {
        return ReplicaConfig.defaults()
                .with(backups, 8 << 20, Duration.ofSeconds(15))
                .withBackupPatience(PATIENCE);
    }

    private static Created written(Peer owner) throws Exception {
        Created created = owner.create(CLIENTS, 8);
        owner.put(created.first(), new byte[8], Durability.POWER).get(5, TimeUnit.SECONDS);
        return created;
    }

    @Tag("slow")
    @Test
    void putsOfAllClientsGoOnSoonAfterOneDirectionIsCut() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, config(3))) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            long zone = ChunkId.zone(created.first());
            int cut = cluster.directory.zoneNow(zone).backups().getFirst();
            owner.wire.cut(cut);

            AtomicLong puts = new AtomicLong();
            AtomicLong longestNanos = new AtomicLong();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                long id = created.first() + i;
                clients.add(
                        CompletableFuture.runAsync(
                                () -> putFor(owner, id, Duration.ofSeconds(5), puts, longestNanos),
                                cluster.executor));
            }
            CompletableFuture.allOf(clients.toArray(CompletableFuture<?>[]::new))
                    .get(20, TimeUnit.SECONDS);

            assertThat(puts.get()).isGreaterThan(60L * CLIENTS);
            assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(PATIENCE.multipliedBy(4));
            assertThat(cluster.directory.zoneNow(zone).backups()).doesNotContain(cut).hasSize(3);
        }
    }

    private static void putFor(
            Peer owner, long id, Duration time, AtomicLong puts, AtomicLong longestNanos) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            long begun = System.nanoTime();
            owner.put(id, new byte[16], Durability.PROCESS).join();
            longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
            puts.incrementAndGet();
        }
    }

    @Test
    void aFreshZoneHardlyWaitsForABackupThatIsKnownToBeSilent() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, config(3))) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            owner.wire.cut(3);
            owner.put(created.first(), new byte[9], Durability.PROCESS).get(5, TimeUnit.SECONDS);

            long begun = System.nanoTime();
            long fresh = owner.zones.zoneForCreate(9 << 20, 0);
            Created second =
                    owner.chunks.create(
                            fresh,
                            new org.starling.store.internal.chunk.Sizes.Uniform(1, 8),
                            org.starling.store.internal.chunk.WriteTag.NONE);
            owner.put(second.first(), new byte[9], Durability.PROCESS).get(5, TimeUnit.SECONDS);

            assertThat(fresh).isNotEqualTo(ChunkId.zone(created.first()));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
        }
    }

    /** The directory may name it before everybody has heard where it is. */
    @Test
    void aNodeOfWhichNobodyHasHeardYetIsNotTakenForSilent() throws Exception {
        long standingStill = 0; // who is silent stays so
        try (ClusterInProcess cluster =
                new ClusterInProcess(4, config(2), null, () -> standingStill)) {
            Peer owner = cluster.peer(1);
            long zone = ChunkId.zone(written(owner).first());
            List<Integer> backups = cluster.directory.zoneNow(zone).backups();
            int fresh = 9 - backups.stream().mapToInt(Integer::intValue).sum();
            owner.wire.forget(fresh);
            cluster.kill(backups.getFirst());
            cluster.await(() -> owner.wire.askedInVain(fresh) > 0);

            owner.wire.hearOf(fresh);
            owner.zones.nodeJoined();

            cluster.await(() -> cluster.directory.zoneNow(zone).backups().contains(fresh));
        }
    }

    @Test
    void aBackupWhoseForcesDoNotReturnIsReplaced() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(5, config(3))) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            long zone = ChunkId.zone(created.first());
            int hung = cluster.directory.zoneNow(zone).backups().getFirst();
            cluster.peer(hung).logs.get(zone).hang();

            owner.put(created.first(), new byte[9], Durability.POWER).get(5, TimeUnit.SECONDS);

            List<Integer> backups = List.of(hung);
            while (backups.contains(hung) || backups.size() < 3) {
                LockSupport.parkNanos(1_000_000);
                backups = cluster.directory.zoneNow(zone).backups();
            }
            owner.put(created.first(), new byte[10], Durability.POWER).get(5, TimeUnit.SECONDS);
        }
    }

    /**
     * What waits for an acknowledgement may have to connect to a dead node to say that it failed.
     */
    @Tag("slow")
    @Test
    void whoIsToldThatNobodyAnswersHoldsUpNoOtherWrites() throws Exception {
        ReplicaConfig hasty =
                ReplicaConfig.defaults()
                        .with(2, 8 << 20, Duration.ofSeconds(2))
                        .withBackupPatience(Duration.ofMinutes(1));
        try (ClusterInProcess cluster = new ClusterInProcess(3, hasty)) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            owner.wire.cut(2);
            owner.wire.cut(3);
            CountDownLatch isTold = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            try {
                CompletableFuture<Boolean> _ =
                        owner.put(created.first(), new byte[9], Durability.PROCESS)
                                .handle((_, _) -> {
                                    isTold.countDown();
                                    return waitFor(end);
                                });
                assertThat(isTold.await(10, TimeUnit.SECONDS)).isTrue();

                CompletableFuture<Void> other =
                        owner.put(created.first() + 1, new byte[9], Durability.PROCESS);

                assertThat(other)
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .withCauseInstanceOf(IndeterminateException.class);
            } finally {
                end.countDown();
            }
        }
    }

    private static boolean waitFor(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Tag("slow")
    @Test
    void theLastCopyIsNotGivenUpBeforeThereIsAnother() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(3, config(1))) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            long zone = ChunkId.zone(created.first());
            int only = cluster.directory.zoneNow(zone).backups().getFirst();
            int other = 5 - only;
            owner.wire.cut(2);
            owner.wire.cut(3);
            CompletableFuture<Void> write =
                    owner.put(created.first(), new byte[9], Durability.PROCESS);

            assertThatThrownBy(() ->
                            write.get(PATIENCE.multipliedBy(3).toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            assertThat(cluster.directory.zoneNow(zone).backups()).containsExactly(only);

            owner.wire.mend(other);
            write.get(20, TimeUnit.SECONDS);
            while (!cluster.directory.zoneNow(zone).backups().equals(List.of(other))) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @Tag("thorough")
    @Test
    void theOnlyNodeThatCanBackUpIsCopiedToAgainAfterItsDiskHung() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(2, config(1))) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            long zone = ChunkId.zone(created.first());
            MemoryLogs disk = cluster.peer(2).logs;
            disk.hang();
            CompletableFuture<Void> hung =
                    owner.put(created.first(), new byte[9], Durability.POWER);
            disk.giveUp();
            cluster.await(() -> owner.zones.backups(zone) == 0);
            assertThat(cluster.directory.zoneNow(zone).backups())
                    .as("it has the last copy")
                    .containsExactly(2);

            disk.answerAgain();

            hung.get(15, TimeUnit.SECONDS);
            owner.put(created.first(), new byte[10], Durability.POWER).get(5, TimeUnit.SECONDS);
            assertThat(disk.get(zone).content(new NoTags()).get(ChunkId.index(created.first())))
                    .extracting(MemoryZoneLog.Value::bytes)
                    .isEqualTo(new byte[10]);
            assertThat(disk.get(zone).forcedEnd()).isEqualTo(disk.get(zone).end());
        }
    }

    @Test
    void aBackupThatAnswersAgainInTimeStays() throws Exception {
        ReplicaConfig patient = config(3).withBackupPatience(Duration.ofSeconds(20));
        try (ClusterInProcess cluster = new ClusterInProcess(4, patient)) {
            Peer owner = cluster.peer(1);
            Created created = written(owner);
            long zone = ChunkId.zone(created.first());
            for (int i = 0; i < 5; i++) {
                owner.wire.cut(3);
                CompletableFuture<Void> write =
                        owner.put(created.first(), new byte[i], Durability.PROCESS);
                assertThatThrownBy(() -> write.get(50, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                owner.wire.mend(3);
                write.get(5, TimeUnit.SECONDS);
            }

            assertThat(cluster.directory.zoneNow(zone).backups()).contains(3);
            assertThat(cluster.directory.zoneNow(zone).epoch()).isEqualTo(1);
        }
    }
}
