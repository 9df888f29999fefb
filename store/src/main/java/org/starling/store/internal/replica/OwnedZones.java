package org.starling.store.internal.replica;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.starling.net.Network;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.ZoneInfo;

/** skeleton */
public final class OwnedZones implements AutoCloseable {
    public OwnedZones(
            int nodeId,
            LocalChunks chunks,
            Network network,
            ZoneDirectory directory,
            ReplicaConfig config,
            Executor executor,
            LongSupplier nanoClock) {}

    /** Starts the thread that calls {@link #doWork}. */
    public void start() {}

    /** Time-outs, retries, partly filled messages, confirmations, new backups. */
    public void doWork() {}

    public void zoneChanged(ZoneInfo info) {}

    /** Before a write enters a chunk: waits while too much is unacknowledged, checks backups, tells retries. */
    public WriteGuard admit(long zone, WriteTag tag, Durability durability) {
        throw new UnsupportedOperationException();
    }

    /** After a write. */
    public CompletableFuture<Void> await(long id, long position, Durability durability) {
        throw new UnsupportedOperationException();
    }

    /** After a read: completes when all the changes that it can have seen are acknowledged. */
    public CompletableFuture<Void> settled(long id) {
        throw new UnsupportedOperationException();
    }

    /** Everything written so far is on disk at two backups. */
    public CompletableFuture<Void> sync() {
        throw new UnsupportedOperationException();
    }

    /** Logs the present values of a range in pieces, waiting in between; returns the last position. */
    public long replicate(long first, int count) {
        throw new UnsupportedOperationException();
    }

    public long zoneForCreate(long bytes, long near) {
        throw new UnsupportedOperationException();
    }

    public boolean owns(long zone) {
        throw new UnsupportedOperationException();
    }

    public boolean isLost(long id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
