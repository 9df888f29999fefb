package org.starling.store.internal.log;

import java.util.function.LongSupplier;

/**
 * What all logs of a peer share.
 *
 * @param config sizes and times
 * @param files the disk
 * @param pool memory of blocks
 * @param nanoClock monotonic time
 * @param wake tells the logs' thread that there is something to do
 */
record LogContext(
        LogConfig config, DiskWatch files, BlockPool pool, LongSupplier nanoClock, Runnable wake) {}
