package org.starling.store.internal.replica;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Members that did not answer this node in time: they hang, or a cable is cut between them and it.
 * Zones do without them until they have answered, or some time has passed. Shared by the zones of
 * an owner; any thread.
 */
final class SilentNodes {
    /** After so long a silent node is asked again. */
    static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOGGER = LogManager.getLogger(SilentNodes.class);

    private final LongSupplier nanoClock;

    /** By node: when it was last noticed. */
    private final Map<Integer, Long> silent = new ConcurrentHashMap<>();

    SilentNodes(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * It did not answer.
     *
     * @return whether that is news
     */
    boolean add(int node) {
        boolean isNew = silent.put(node, nanoClock.getAsLong()) == null;
        if (isNew) {
            LOGGER.warn("node {} does not answer as a backup, though it is a member", node);
        }
        return isNew;
    }

    /** It has answered, or is gone. */
    void remove(int node) {
        if (!silent.isEmpty()) {
            silent.remove(node);
        }
    }

    boolean contains(int node) {
        return !silent.isEmpty() && silent.containsKey(node);
    }

    /** Those that are not to become backups now. */
    List<Integer> all() {
        long now = nanoClock.getAsLong();
        silent.values().removeIf(noticed -> now - noticed > FORGET_NANOS);
        return silent.keySet().stream().sorted().toList();
    }
}
