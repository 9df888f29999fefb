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
 * not answer it (they hang, or a cable is cut between them and it), until they have answered; those
 * that refused a copy, as their disks are full or fail; and by a single zone those that refused
 * what is in it. Shared by the zones of an owner; any thread.
 */
final class AvoidedNodes {
    /** After so long an avoided node is asked again. */
    static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** In the place of a zone. */
    private static final long ALL = -1;

    private static final Logger LOGGER = LogManager.getLogger(AvoidedNodes.class);

    private final LongSupplier nanoClock;

    /** By node: when it was last noticed. */
    private final Map<Integer, Long> silent = new ConcurrentHashMap<>();

    /** By node and zone, or {@link #ALL}: when it last refused. */
    private final Map<Refusal, Long> refusing = new ConcurrentHashMap<>();

    private record Refusal(int node, long zone) {
        boolean concerns(long other) {
            return zone == other || zone == ALL;
        }
    }

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
        return silent.containsKey(node);
    }

    /** It has answered. */
    void answered(int node) {
        silent.remove(node);
    }

    /** It has answered a part of a copy, or of the stream behind it; only refusals are noted. */
    void refused(int node, long zone, ReplicaMessage.Status status) {
        switch (status) {
            case FAILED -> refusing.put(new Refusal(node, ALL), nanoClock.getAsLong());
            case REFUSED -> refusing.put(new Refusal(node, zone), nanoClock.getAsLong());
            case OK, STALE, GAP, ABSENT -> {}
        }
    }

    /** It is a member no more. */
    void left(int node) {
        silent.remove(node);
        refusing.keySet().removeIf(each -> each.node == node);
    }

    /** Those that are not to become backups of a zone now, some perhaps twice. */
    List<Integer> by(long zone) {
        forget(silent);
        forget(refusing);
        Stream<Integer> refused =
                refusing.keySet().stream().filter(each -> each.concerns(zone)).map(Refusal::node);
        return Stream.concat(silent.keySet().stream(), refused).toList();
    }

    private void forget(Map<?, Long> noticed) {
        long now = nanoClock.getAsLong();
        noticed.values().removeIf(nanos -> now - nanos > FORGET_NANOS);
    }
}
