package org.starling.store.internal.replica;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.replica.ClusterInProcess.Peer;

/**
 * Times writes of 64 bytes by one thread in each durability, a bulk of them with one sync at the
 * end, and a recovery, with four peers in this process. Argument: an empty folder for the logs.
 */
final class ReplicationMeasurement {
    private static final int CHUNKS = 20_000;

    private ReplicationMeasurement() {}

    public static void main(String[] arguments) throws Exception {
        try (ClusterInProcess cluster =
                new ClusterInProcess(4, ReplicaConfig.defaults(), Path.of(arguments[0]))) {
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
                owner.put(created.first() + i % CHUNKS, value, Durability.MEMORY);
            }
            owner.zones.sync().get(30, TimeUnit.SECONDS);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("bulk: %.0f writes/s%n", 500_000 / seconds);
            cluster.kill(1);
            start = System.nanoTime();
            cluster.recover(ChunkId.zone(created.first()));
            System.out.printf("recovery: %d ms%n", (System.nanoTime() - start) / 1000000);
        }
    }
}
