package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/** What can go wrong with a zone that a backup has in memory. */
@Timeout(value = 150, unit = TimeUnit.SECONDS)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class PreparedZoneFaultsTest {
    private static final int BACKUP = 2;
    private static final long LONG = Duration.ofSeconds(40).toNanos();

    /** Its memory could not be freed in time, as somebody was inside an operation for long. */
    @Tag("slow")
    @Test
    void isNotTakenOverEmptyWhenItsMemoryCouldNotBeFreed() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            long first = filled(owner, 100);
            long zone = ChunkId.zone(first);
            prepare(cluster, zone);
            Peer backup = cluster.peer(BACKUP);

            try (Inside inside = new Inside(backup)) {
                long now = System.nanoTime();
                backup.recovery.forgetPrepared(now);
                try {
                    backup.recovery.forgetPrepared(now + LONG);
                } catch (StoreException e) {
                    assertThat(e).hasMessageContaining("gave up waiting"); // the agent logs it
                }
                assertThat(inside.isThere()).isTrue();
            }
            cluster.kill(1);
            cluster.recover(zone);

            assertThat(backup.zones.owns(zone)).isTrue();
            assertThat(backup.chunks.get(first + 99)).hasSize(16).contains(99);
        }
    }

    /** Whoever was inside delays the freeing alone. */
    @Test
    void isLetGoWithoutHoldingUpTheStream() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            long first = filled(owner, 100);
            long zone = ChunkId.zone(first);
            prepare(cluster, zone);
            Peer backup = cluster.peer(BACKUP);

            Thread agent;
            try (Inside _ = new Inside(backup)) {
                agent =
                        Thread.ofPlatform()
                                .start(() -> {
                                    long now = System.nanoTime();
                                    backup.recovery.forgetPrepared(now);
                                    backup.recovery.forgetPrepared(now + LONG);
                                });
                LockSupport.parkNanos(300_000_000);
                CompletableFuture<?> _ =
                        owner.wire.ask(
                                BACKUP,
                                new ReplicaMessage.Prepare(
                                        zone, cluster.directory.zoneNow(zone).epoch()));
                LockSupport.parkNanos(100_000_000);

                assertThat(owner.put(first, new byte[16], Durability.PROCESS))
                        .succeedsWithin(1500, TimeUnit.MILLISECONDS);
            }
            agent.join();
        }
    }

    /** For want of Java heap, for example, in the middle of it. */
    @Test
    void isNotCompleteWhenItsReplayEndedWithAnError() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            long first = filled(cluster.peer(1), 100);
            long zone = ChunkId.zone(first);
            Peer backup = cluster.peer(BACKUP);
            ZoneLog log = failingOnce(backup.logs.get(zone));
            BackupService over =
                    new BackupService(BACKUP, only(zone, log), cluster.directory, System::nanoTime);
            PreparedZone prepared = new PreparedZone(zone, over, backup.chunks);

            assertThat(prepared.bring(cluster.executor)).failsWithin(5, TimeUnit.SECONDS);
            boolean isComplete = prepared.isComplete();

            assertThat(!isComplete || prepared.target().count() >= 100)
                    .as("complete with %d of 100 chunks", prepared.target().count())
                    .isTrue();
            over.close();
        }
    }

    @Test
    void isReportedWithTheChunksThatItHas() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer owner = cluster.peer(1);
            long first = filled(owner, 100);
            long zone = ChunkId.zone(first);
            prepare(cluster, zone);
            for (int round = 0; round < 3; round++) {
                write(owner, first, 100);
            }
            cluster.kill(1);

            RecoveryReport report = cluster.recover(zone);

            assertThat(report.chunks()).isEqualTo(100);
        }
    }

    /** Whoever asked for it has given it up before, and the directory tells of that only once. */
    @Test
    void isLetGoWhenTheZoneWasGivenBackBeforeItWasRecovered() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            long first = filled(cluster.peer(1), 100);
            long zone = ChunkId.zone(first);
            Peer backup = cluster.peer(BACKUP);
            long version = cluster.directory.version();
            long epoch = cluster.directory.zoneNow(zone).epoch();
            cluster.directory.now(new Command.YieldZone(zone, epoch, 1, BACKUP));
            ZoneInfo yielded = cluster.directory.zoneNow(zone);
            cluster.directory.now(new Command.GiveBackZone(zone, yielded.epoch()));
            cluster.tellAfter(version);

            backup.recovery
                    .recover(zone, yielded.epoch(), ZoneSources.of(yielded.backups(), false, false))
                    .get(10, TimeUnit.SECONDS);
            backup.zones.collectGarbage(node -> true);

            cluster.await(() -> !backup.zones.isRecovered(zone));
            prepare(cluster, zone);
            write(cluster.peer(1), first, 100);
        }
    }

    /** It said that it could not bring the zone into memory. */
    @Test
    void goesToABackupThatHasRoom() throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ClusterInProcess.config())) {
            Peer leaver = cluster.peer(1);
            long first = leaver.create(100, 50_000).first();
            write(leaver, first, 1);
            long zone = ChunkId.zone(first);
            ZoneInfo info = cluster.directory.zoneNow(zone);
            int full =
                    info.backups().stream()
                            .sorted()
                            .toList()
                            .get((int) Math.floorMod(zone, (long) info.backups().size()));
            fill(cluster.peer(full).chunks);
            AtomicInteger target = new AtomicInteger();
            AtomicInteger failed = new AtomicInteger();
            cluster.directory.onApplied((command, result) -> {
                if (command instanceof Command.YieldZone yielded
                        && result instanceof Result.Zone now
                        && now.changed()) {
                    target.set(yielded.target());
                }
            });

            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (leaver.zones.handOverAll(node -> true) > 0 && System.nanoTime() < deadline) {
                if (cluster.directory.zoneNow(zone).isYielded()) {
                    failed.addAndGet(recover(cluster, zone, target.get(), full) ? 0 : 1);
                }
                LockSupport.parkNanos(10_000_000);
            }

            assertThat(leaver.zones.staying()).as("after %s failures", failed).isZero();
            assertThat(leaver.zones.owns(zone)).isFalse();
        }
    }

    /** Its next owner has not answered yet: it would be away until that has read all of it. */
    @Test
    @SuppressWarnings("SynchronizeOnNonFinalField")
    void staysInUseWhileItsNextOwnerStillReadsItsLog() throws Exception {
        ReplicaConfig config = ReplicaConfig.defaults().with(3, 8 << 20, Duration.ofSeconds(1));
        try (ClusterInProcess cluster = new ClusterInProcess(4, config)) {
            Peer owner = cluster.peer(1);
            long first = filled(owner, 100);
            long zone = ChunkId.zone(first);
            MemoryZoneLog log = cluster.peer(BACKUP).logs.get(zone);

            boolean isYielded = false;
            synchronized (log) { // as if reading it took so long
                CompletableFuture<?> _ = owner.zones.handOver(BACKUP, Long.MAX_VALUE);
                long deadline = System.nanoTime() + Duration.ofSeconds(6).toNanos();
                while (!isYielded && System.nanoTime() < deadline) {
                    LockSupport.parkNanos(10_000_000);
                    isYielded = cluster.directory.zoneNow(zone).isYielded();
                }
            }

            assertThat(isYielded).isFalse();
        }
    }

    /** As the coordinator does it: the target if one is named, else who has most memory. */
    private static boolean recover(ClusterInProcess cluster, long zone, int target, int full)
            throws Exception {
        long before = cluster.directory.version();
        ZoneInfo yielded = cluster.directory.zoneNow(zone);
        cluster.directory.now(new Command.BeginRecovery(zone, yielded.epoch()));
        ZoneInfo info = cluster.directory.zoneNow(zone);
        int next =
                target != Command.YieldZone.ANYBODY
                        ? target
                        : info.backups().stream().filter(node -> node != full).findFirst().get();
        try {
            cluster.peer(next)
                    .recovery
                    .recover(zone, info.epoch(), ZoneSources.of(info.backups(), false, false))
                    .get(10, TimeUnit.SECONDS);
            cluster.switchTo(zone, info.epoch(), next);
            return true;
        } catch (java.util.concurrent.ExecutionException e) {
            cluster.directory.now(new Command.GiveBackZone(zone, info.epoch()));
            cluster.tellAfter(before);
            return false;
        }
    }

    private static void fill(LocalChunks chunks) {
        for (int bytes = 64 << 20; bytes >= 64 << 10; bytes /= 2) {
            try {
                while (true) {
                    chunks.create(bytes);
                }
            } catch (OutOfChunkMemoryException e) {
                // smaller ones then
            }
        }
    }

    private static long filled(Peer owner, int chunks) throws Exception {
        long first = owner.create(chunks, 16).first();
        write(owner, first, chunks);
        return first;
    }

    private static void write(Peer owner, long first, int chunks) throws Exception {
        for (int i = 0; i < chunks; i++) {
            byte[] value = new byte[16];
            value[0] = (byte) i;
            owner.put(first + i, value, Durability.PROCESS).get(5, TimeUnit.SECONDS);
        }
    }

    private static void prepare(ClusterInProcess cluster, long zone) throws Exception {
        long epoch = cluster.directory.zoneNow(zone).epoch();
        assertThat(
                        cluster.peer(BACKUP)
                                .backups
                                .take(1, new ReplicaMessage.Prepare(zone, epoch))
                                .get(10, TimeUnit.SECONDS)
                                .status())
                .isEqualTo(ReplicaMessage.Status.OK);
    }

    /** A thread inside an operation on the chunks of a node. */
    private static final class Inside implements AutoCloseable {
        private final CountDownLatch over = new CountDownLatch(1);
        private final CountDownLatch begun = new CountDownLatch(1);
        private final Thread thread;

        Inside(Peer peer) throws InterruptedException {
            long id = peer.create(1, 8).first();
            thread =
                    Thread.ofPlatform()
                            .start(() ->
                                    peer.chunks.forEach(
                                            ChunkId.zone(id),
                                            0,
                                            (_, _, _) -> {
                                                begun.countDown();
                                                try {
                                                    over.await();
                                                } catch (InterruptedException e) {
                                                    throw new AssertionError(e);
                                                }
                                                return false;
                                            }));
            begun.await();
        }

        boolean isThere() {
            return thread.isAlive();
        }

        @Override
        public void close() {
            over.countDown();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A log whose first replay ends with an error. */
    private static ZoneLog failingOnce(ZoneLog log) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        return (ZoneLog)
                Proxy.newProxyInstance(
                        ZoneLog.class.getClassLoader(),
                        new Class<?>[] {ZoneLog.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("replay")
                                    && hasFailed.compareAndSet(false, true)) {
                                throw new OutOfMemoryError("of the test");
                            }
                            try {
                                return method.invoke(log, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static ZoneLogs only(long which, ZoneLog log) {
        return new ZoneLogs() {
            @Override
            public Set<Long> zones() {
                return Set.of(which);
            }

            @Override
            public ZoneLog create(long zone, long epoch) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ZoneLog createCopy(long zone, long epoch, long basePosition) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ZoneLog adoptCopy(long zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void dropCopy(long zone) {}

            @Override
            public @Nullable ZoneLog get(long zone) {
                return zone == which ? log : null;
            }

            @Override
            public void delete(long zone) {}

            @Override
            public void onFailure(Consumer<ZoneLog> gaveUp) {}
        };
    }
}
