package org.starling.store.internal.replica;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Members that zones of this node are not to be copied to for some time: the silent ones, which did
 * not answer it (they hang, or a cable is cut between them and it), until they have answered; and
 * those that refused a copy, as their disks are full or fail. Shared by the zones of an owner; any
 * thread.
 */
final class AvoidedNodes {
    /** After so long an avoided node is asked again. */
    static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOGGER = LogManager.getLogger(AvoidedNodes.class);

    private final LongSupplier nanoClock;

    /** By node: when it was last noticed. */
    private final Map<Integer, Long> silent = new ConcurrentHashMap<>();

    /** By node: when it last refused. */
    private final Map<Integer, Long> refusing = new ConcurrentHashMap<>();

    AvoidedNodes(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * It did not answer.
     *
     * @return whether that is news
     */
    boolean addSilent(int node) {
        boolean isNew = silent.put(node, nanoClock.getAsLong()) == null;
        if (isNew) {
            LOGGER.warn("node {} does not answer as a backup, though it is a member", node);
        }
        return isNew;
    }

    boolean isSilent(int node) {
        return !silent.isEmpty() && silent.containsKey(node);
    }

    /** It has answered. */
    void answered(int node) {
        if (!silent.isEmpty()) {
            silent.remove(node);
        }
    }

    /** It can keep no copy now. */
    void addRefusing(int node) {
        refusing.put(node, nanoClock.getAsLong());
    }

    /** It is a member no more. */
    void left(int node) {
        silent.remove(node);
        refusing.remove(node);
    }

    /** Those that are not to become backups now. */
    List<Integer> all() {
        forget(silent);
        forget(refusing);
        return Stream.concat(silent.keySet().stream(), refusing.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private void forget(Map<Integer, Long> noticed) {
        long now = nanoClock.getAsLong();
        noticed.values().removeIf(nanos -> now - nanos > FORGET_NANOS);
    }
}
