package org.starling.store.internal.node;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.starling.store.NodeInfo;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Directory;

/**
 * What the leading superpeer alone knows of the members: when each was last heard, how long each
 * may still serve, and which have been heard at all. Forgotten when the lead is lost; a new leader
 * counts everybody as heard when it took over, plus the time for which its predecessor may have
 * granted leases without knowing that it led no more. Thread-safe, guarded by itself; never waits.
 */
final class MemberWatch {
    private static final long NEVER = -1;

    /**
     * A node that has registered has so many loss time-outs for its first heartbeat: it opens its
     * disk and its network in between, and many may do so at once on a busy machine. It has no
     * lease before, so nothing hangs on it but who waits for what it has on its disk.
     */
    private static final int JOINING_TIMEOUTS = 3;

    /** Loss time-outs for nodes that store, while none of them is heard. */
    private static final int ALL_SILENT_TIMEOUTS = 10;

    private final long leaseNanos;
    private final LongSupplier nanoClock;
    private final long lossNanos;
    private final long tickNanos;

    /** A node id rests so long after its bearer has gone: twice as long as anybody asks again. */
    private final long restNanos;

    // guarded by this
    private boolean leads;

    /** Since when no node that stores has been heard; never, if one is. */
    private long silentSinceNanos = NEVER;

    private LossDetector detector;
    private final Set<Integer> shown = new HashSet<>();

    /** Who was given more time as all were silent together, and has not been heard since. */
    private final Set<Integer> excused = new HashSet<>();

    /** The last view, and the directory's membership in it; void when {@code shown} changes. */
    private View view = View.EMPTY;

    private long viewedVersion = NEVER;

    /** Those who have said that they leave; they are not expected to have lost anything. */
    private final Set<Integer> leaving = new HashSet<>();

    /** By node that was removed since this superpeer took over: when. */
    private final Map<Integer, Long> goneNanos = new HashMap<>();

    /** By node, lost ones included: when a lease was last granted, at the latest. */
    private final Map<Integer, Long> heardNanos = new HashMap<>();

    /** By node: memory that it has for more chunks, as it last said. */
    private final Map<Integer, Long> freeBytes = new HashMap<>();

    /** Nobody was granted anything by an earlier leader after this. */
    private long takenOverNanos;

    /**
     * A watch that does not lead.
     *
     * @param config loss time-out, heartbeat interval, lease
     * @param nanoClock monotonic
     */
    MemberWatch(StoreConfig config, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        leaseNanos = config.lease().toNanos();
        lossNanos = config.lossTimeout().toNanos();
        tickNanos = config.heartbeatInterval().toNanos();
        restNanos = 2 * config.requestTimeout().toNanos();
        detector = new LossDetector(lossNanos, tickNanos);
    }

    /**
     * This superpeer leads.
     *
     * @param confirmWindowNanos how long a leader before it may have granted leases after it last
     *     made sure that it led; 0 if there was none
     */
    synchronized void takeOver(Collection<NodeInfo> members, long confirmWindowNanos) {
        leads = true;
        takenOverNanos = nanoClock.getAsLong() + confirmWindowNanos;
        detector = new LossDetector(lossNanos, tickNanos);
        shown.clear();
        viewedVersion = NEVER;
        heardNanos.clear();
        freeBytes.clear();
        goneNanos.clear();
        leaving.clear();
        silentSinceNanos = NEVER;
        excused.clear();
        for (NodeInfo member : members) {
            shown.add(member.id());
            detector.heard(member.id(), takenOverNanos);
        }
    }

    synchronized void stepDown() {
        leads = false;
    }

    synchronized boolean leads() {
        return leads;
    }

    /** A node has registered; it is shown to the others from its first heartbeat on. */
    synchronized void admitted(int node) {
        leaving.remove(node);
        goneNanos.remove(node);
        detector.heard(node, nanoClock.getAsLong() + (JOINING_TIMEOUTS - 1) * lossNanos);
    }

    /** A member says that it leaves, with all that it has on its disk. */
    synchronized void leaves(int node) {
        leaving.add(node);
    }

    /** Whether all of some nodes have said so, to this superpeer. */
    synchronized boolean haveLeft(Collection<Integer> nodes) {
        return leaving.containsAll(nodes);
    }

    /** A superpeer has registered; it can be reached already. */
    synchronized void admittedSuperpeer(int node) {
        detector.heard(node, nanoClock.getAsLong());
        show(node);
    }

    /**
     * A member's heartbeat has come. To be called before the last check that it is a member, so
     * that who finds it removed also finds when it was heard.
     *
     * @return whether it is heard for the first time
     */
    synchronized boolean heard(int node) {
        long now = nanoClock.getAsLong();
        heardNanos.put(node, now);
        detector.heard(node, now);
        excused.remove(node);
        return show(node);
    }

    /** What a member's heartbeat says of its memory. */
    synchronized void noteFree(int node, long bytes) {
        freeBytes.put(node, bytes);
    }

    /** Memory that a node has for more chunks; 0 of one that has not said. */
    synchronized long freeBytes(int node) {
        return freeBytes.getOrDefault(node, 0L);
    }

    /**
     * Whether a member has been heard since this superpeer took over, and within a loss time-out.
     */
    synchronized boolean isHeard(int node) {
        Long heard = heardNanos.get(node);
        return heard != null && nanoClock.getAsLong() - heard <= lossNanos;
    }

    /** Whether a heartbeat of a node has come after some time. */
    synchronized boolean isHeardAfter(int node, long nanos) {
        Long heard = heardNanos.get(node);
        return heard != null && heard - nanos > 0;
    }

    /** A node is no member any more. */
    synchronized void removed(int node) {
        detector.forget(node);
        excused.remove(node);
        shown.remove(node);
        freeBytes.remove(node);
        goneNanos.put(node, nanoClock.getAsLong());
        viewedVersion = NEVER;
    }

    /**
     * Whether a node has been gone for so long that its lease is over, and that whoever asked for
     * anything it has to do with has got an answer or has given up.
     */
    synchronized boolean hasRested(int node) {
        long goneSince = Math.max(goneNanos.getOrDefault(node, takenOverNanos), takenOverNanos);
        return nanoClock.getAsLong() - Math.max(goneSince + restNanos, leaseEndNanos(node)) > 0;
    }

    /**
     * Those whose time is over, ascending; none if this is not the leader. While no node that
     * stores is heard, these get longer: nobody is left who could take over what they have, and
     * rather the superpeers are cut off. Their leases run out all the same, and are granted again
     * with the next heartbeat, where who had been declared lost would have to begin anew.
     *
     * @param storing members that keep data
     */
    synchronized List<Integer> overdue(Set<Integer> storing) {
        if (!leads) {
            return List.of();
        }
        long now = nanoClock.getAsLong();
        List<Integer> overdue = detector.overdue(now);
        // Of those who fall silent together the first is overdue when the others have been silent
        // for almost as long.
        if (!storing.stream().allMatch(node -> detector.isSilent(node, lossNanos / 2, now))) {
            if (silentSinceNanos != NEVER) { // one is heard again, so the others may be soon
                for (int node : overdue) {
                    if (excused.add(node)) { // once: who is dead must not hang on others' pauses
                        detector.heard(node, now);
                    }
                }
                overdue.removeIf(node -> !detector.isSilent(node, lossNanos, now));
            }
            silentSinceNanos = NEVER;
            return overdue;
        }
        silentSinceNanos = silentSinceNanos == NEVER ? now : silentSinceNanos;
        if (now - silentSinceNanos < ALL_SILENT_TIMEOUTS * lossNanos) {
            overdue.removeIf(storing::contains);
        }
        return overdue;
    }

    /** When the last lease of a lost node is over, in nanoseconds of the clock. */
    synchronized long leaseEndNanos(int node) {
        long heard = heardNanos.getOrDefault(node, takenOverNanos);
        return Math.max(heard, takenOverNanos) + leaseNanos;
    }

    synchronized boolean isShown(int node) {
        return shown.contains(node);
    }

    /**
     * The members that have been heard. Its version is made of the number of changes of membership
     * and the number of those shown, which only grows in between, so that it grows with every
     * change whoever leads. Made anew only when there is such a change.
     */
    synchronized View view(Directory directory) {
        long version = directory.membershipVersion();
        if (version != viewedVersion) {
            List<NodeInfo> nodes =
                    directory.nodes().stream().filter(node -> shown.contains(node.id())).toList();
            view = new View(version << 16 | nodes.size(), nodes, directory.superpeers());
            viewedVersion = version;
        }
        return view;
    }

    private boolean show(int node) {
        boolean isNew = shown.add(node);
        if (isNew) {
            viewedVersion = NEVER;
        }
        return isNew;
    }
}
