package org.starling.store.internal.replica;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.starling.net.Network;
import org.starling.store.internal.log.BackupLogs;

/** skeleton */
public final class BackupService {
    public BackupService(int nodeId, BackupLogs logs, ZoneDirectory directory, Executor executor) {}

    /** Registers the handlers, before the node is known to others. */
    public void register(Network network) {}

    /** Deletes logs that the directory says this node does not hold; call it every few seconds. */
    public CompletableFuture<Void> collectGarbage() {
        throw new UnsupportedOperationException();
    }
}
