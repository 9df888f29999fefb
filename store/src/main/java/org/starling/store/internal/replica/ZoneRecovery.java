package org.starling.store.internal.replica;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.starling.net.Network;
import org.starling.store.internal.chunk.LocalChunks;

/** skeleton */
public final class ZoneRecovery {
    public ZoneRecovery(
            int nodeId,
            BackupService backups,
            OwnedZones owned,
            LocalChunks chunks,
            Network network,
            ReplicaConfig config,
            Executor executor,
            int threads) {}

    public CompletableFuture<RecoveryReport> recover(long zone, long epoch, List<Integer> sources) {
        throw new UnsupportedOperationException();
    }
}
