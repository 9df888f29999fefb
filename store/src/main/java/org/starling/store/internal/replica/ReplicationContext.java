package org.starling.store.internal.replica;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.starling.store.internal.chunk.LocalChunks;

/**
 * What all zones of an owner share. Immutable; its parts are thread-safe.
 *
 * @param self this node's id
 * @param chunks of this node
 * @param wire to backups
 * @param directory to ask
 * @param config sizes and times
 * @param executor of threads that may wait
 * @param nanoClock for time-outs
 * @param pool of buffers
 * @param avoided members that are not to become backups now
 */
record ReplicationContext(
        int self,
        LocalChunks chunks,
        BackupWire wire,
        ZoneDirectory directory,
        ReplicaConfig config,
        Executor executor,
        LongSupplier nanoClock,
        PiecePool pool,
        AvoidedNodes avoided) {}
