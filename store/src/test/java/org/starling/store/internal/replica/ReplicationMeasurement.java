package org.starling.store.internal.replica;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/**
 * Times writes of 64 bytes by one thread in each durability, a bulk of them with one sync at the
 * end, and a recovery, with four peers in this process; with a second argument, so many chunks that
 * are written in place and then replicated. First argument: an empty folder for the logs.
 */
final class ReplicationMeasurement {
    private static final int CHUNKS = 20_000;

    private ReplicationMeasurement() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1) {
            bulk(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        } else {
            single(Path.of(arguments[0]));
        }
    }

    /** Chunks written in place and then brought to two backups, beside the writing alone. */
    private static void bulk(Path folder, int chunks) throws Exception {
        ReplicaConfig config = ReplicaConfig.defaults().with(2, 256L << 20, Duration.ofSeconds(30));
        try (ClusterInProcess cluster = new ClusterInProcess(3, config, folder)) {
            Peer owner = cluster.peer(1);
            for (int round = 0; round < 5; round++) {
                long start = System.nanoTime();
                long first = owner.chunks.createRange(new Sizes.Uniform(chunks, 64));
                write(owner, first, chunks);
                final double plain = (System.nanoTime() - start) / 1e9;
                owner.chunks.removeRange(first, chunks);
                start = System.nanoTime();
                Created created = owner.create(chunks, 64);
                write(owner, created.first(), chunks);
                final double filled = (System.nanoTime() - start) / 1e9;
                long position = owner.zones.replicate(created.first(), chunks);
                final double logged = (System.nanoTime() - start) / 1e9;
                owner.zones
                        .await(created.first(), position, Durability.PROCESS)
                        .get(30, TimeUnit.SECONDS);
                final double process = (System.nanoTime() - start) / 1e9;
                owner.zones.sync(_ -> true).get(30, TimeUnit.SECONDS);
                double synced = (System.nanoTime() - start) / 1e9;
                System.out.printf(
                        "plain %.3f s; replicated: written %.3f, logged %.3f, process %.3f, synced %.3f s%n",
                        plain, filled, logged, process, synced);
            }
        }
    }

    private static void write(Peer owner, long first, int chunks) {
        try (PinnedRange range = owner.chunks.pin(first, chunks)) {
            for (int i = 0; i < chunks; i++) {
                long address = range.address(i);
                for (int j = 0; j < 64; j += 8) {
                    NativeMemory.putLong(address + j, i + j);
                }
            }
        }
    }

    private static void single(Path folder) throws Exception {
        try (ClusterInProcess cluster = new ClusterInProcess(4, ReplicaConfig.defaults(), folder)) {
            Peer owner = cluster.peer(1);
            Created created = owner.create(CHUNKS, 64);
            byte[] value = new byte[64];
            for (Durability durability : Durability.values()) {
                int writes = durability == Durability.POWER ? 200 : 20_000;
                long start = System.nanoTime();
                for (int i = 0; i < writes; i++) {
                    owner.put(created.first() + i % CHUNKS, value, durability)
                            .get(10, TimeUnit.SECONDS);
                }
                System.out.printf(
                        "%s: %.1f us a write%n",
                        durability, (System.nanoTime() - start) / 1000.0 / writes);
            }
            long start = System.nanoTime();
            for (int i = 0; i < 500_000; i++) {
                CompletableFuture<?> _ =
                        owner.put(created.first() + i % CHUNKS, value, Durability.MEMORY);
            }
            owner.zones.sync(_ -> true).get(30, TimeUnit.SECONDS);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("bulk: %.0f writes/s%n", 500_000 / seconds);
            cluster.kill(1);
            start = System.nanoTime();
            cluster.recover(ChunkId.zone(created.first()));
            System.out.printf("recovery: %d ms%n", (System.nanoTime() - start) / 1000000);
        }
    }
}
