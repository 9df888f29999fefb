package org.starling.store.internal.node;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;

/**
 * How often a superpeer was started, as the directory knows it, should its disk be another one: its
 * writes have to have numbers above all of before. The replica of one that begins with an empty
 * disk may know an earlier number only, that of a snapshot; so the directory counts on from the
 * number that was read or not at all. Confined to the starting thread.
 */
final class StartCount {
    /** Before and behind the number of a superpeer: a name of a number, and of no chunk. */
    private static final String SUPERPEER = "starling/superpeer/";

    private static final String STARTS = "/starts";

    /** From one look to the next whether this replica has caught up. */
    private static final long PAUSE_NANOS = 10_000_000;

    private StartCount() {}

    static String name(int superpeer) {
        return SUPERPEER + superpeer + STARTS;
    }

    /**
     * Counts a start.
     *
     * @param replica of the directory, which may be behind
     * @param superpeer whose start it is
     * @param known how often it has been started, this time included, as far as its disk knows
     * @param apply carries a command out, however often it has to be sent for that
     * @param isLate whether there is no more time to wait for the replica
     * @return how often it has been started, this time included
     */
    static long next(
            DirectoryReplica replica,
            int superpeer,
            long known,
            Function<Command, Result> apply,
            BooleanSupplier isLate) {
        String name = name(superpeer);
        while (true) {
            long before = replica.read(directory -> directory.lookup(name));
            long starts = Math.max(known, before + 1);
            long nonce = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
            if (apply.apply(new Command.MoveName(name, before, starts, nonce))
                            instanceof Result.Done(boolean isCounted)
                    && isCounted) {
                return starts;
            }
            while (before == replica.<Long>read(directory -> directory.lookup(name))) {
                if (isLate.getAsBoolean()) {
                    throw new StoreException(
                            "this superpeer did not hear in time how often it was started before");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
