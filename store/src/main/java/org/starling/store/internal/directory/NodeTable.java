package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddSuperpeer;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.ReleaseNode;
import org.starling.store.internal.directory.SuperpeerInfo.State;

/**
 * Which cluster this is and who its members are. A part of the {@link Directory} and guarded like
 * it.
 */
final class NodeTable {
    /** A remembered registration is the id it gave, and the incarnation above it. */
    private static final int ID_BITS = 16;

    private static final int ID_MASK = (1 << ID_BITS) - 1;

    private final TreeMap<Integer, NodeInfo> members = new TreeMap<>();

    private final SuperpeerTable superpeers = new SuperpeerTable();

    private final RecentNonces nonces = new RecentNonces();

    /** 0 until the cluster is founded. */
    private long clusterId;

    /** The first id that nobody has had. */
    private int nextNode;

    /** When all have been had: where to look for one to be handed out again. */
    private int again;

    /** Of ids that were handed out again: how often. */
    private final TreeMap<Integer, Integer> incarnations = new TreeMap<>();

    /** Ids whose last bearers have gone and may still be heard of. */
    private final TreeSet<Integer> resting = new TreeSet<>();

    /** By node id which of its bearers was forgotten last: its disk counts for nothing. */
    private final TreeMap<Integer, Integer> forgotten = new TreeMap<>();

    /** Counts changes of membership; tells an older list of nodes from a newer one. */
    private long version;

    // commands

    Result found(FoundCluster command) {
        if (clusterId != 0) {
            return new Result.Done(false);
        }
        if (command.clusterId() == 0) {
            return new Result.Refused("a cluster's id is not 0");
        }
        if (command.superpeers() < 1 || command.superpeers() > SuperpeerTable.MAX_SUPERPEERS) {
            return new Result.Refused(
                    "a cluster has 1 to "
                            + SuperpeerTable.MAX_SUPERPEERS
                            + " superpeers, not "
                            + command.superpeers());
        }
        clusterId = command.clusterId();
        superpeers.found(command.superpeers());
        nextNode = command.superpeers();
        return new Result.Done(true);
    }

    Result register(RegisterSuperpeer command) {
        if (clusterId == 0) {
            return notFounded();
        }
        int index = command.index();
        if (superpeers.isRetired(index) || superpeers.state(index) == State.LEAVING) {
            return new Result.Refused(removed(index));
        }
        if (!superpeers.contains(index)) {
            return new Result.Refused(
                    "this cluster has "
                            + superpeers.size()
                            + " superpeers, and none has index "
                            + index);
        }
        NodeInfo node;
        try {
            node = new NodeInfo(index, Role.SUPERPEER, command.host(), command.port(), 1, 0);
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        boolean isNews = !node.equals(members.put(index, node));
        isNews |= superpeers.started(index, command.host(), command.port());
        if (isNews) {
            version++;
        }
        return new Result.NodeRegistered(index);
    }

    /** Of a superpeer that was removed, or is about to be. */
    static String removed(int superpeer) {
        return "superpeer "
                + superpeer
                + " was removed from this cluster for good; give this node an empty data directory,"
                + " and it is taken in as another one";
    }

    /** A superpeer is to be taken in; at the address of one that is there it is that one. */
    Result add(AddSuperpeer command) {
        if (clusterId == 0) {
            return notFounded();
        }
        Result.NodeRegistered known = known(command.nonce());
        if (known != null) {
            return superpeers.contains(known.node())
                    ? known
                    : new Result.Refused(removed(known.node()));
        }
        Optional<String> refusal = superpeers.refusal(command.host(), command.port());
        if (refusal.isPresent()) {
            return new Result.Refused(refusal.get());
        }
        Optional<SuperpeerInfo> there = superpeers.at(command.host(), command.port());
        if (there.isPresent()) {
            return new Result.NodeRegistered(there.get().node());
        }
        if (nextNode > Directory.MAX_MEMBER) {
            return new Result.Refused(
                    "all node ids up to "
                            + Directory.MAX_MEMBER
                            + " have been handed out, and superpeers get no used ones");
        }
        try {
            var _ = new NodeInfo(nextNode, Role.SUPERPEER, command.host(), command.port(), 1, 0);
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        int id = nextNode++;
        superpeers.join(id, command.host(), command.port());
        nonces.remember(command.nonce(), id);
        version++;
        return new Result.NodeRegistered(id);
    }

    /** A superpeer is to be none any more, if the others can do without it. */
    Result leave(int superpeer) {
        if (superpeers.isRetired(superpeer)) {
            return new Result.Forgotten(false, 0, 0);
        }
        if (superpeers.state(superpeer) != State.LEAVING) {
            Optional<String> refusal = superpeers.refusal(superpeer, this::isMember);
            if (refusal.isPresent()) {
                return new Result.Refused(refusal.get());
            }
        }
        if (superpeers.leave(superpeer)) {
            version++;
        }
        return new Result.Forgotten(true, 0, 0);
    }

    /** A superpeer that was to leave has no vote any more; tells whether there was one. */
    boolean retire(int superpeer) {
        if (!superpeers.retire(superpeer)) {
            return false;
        }
        members.remove(superpeer);
        version++;
        return true;
    }

    /**
     * Looks at a registration without carrying it out.
     *
     * @return why it gets no new id; null if it is to be added
     */
    @Nullable Result refusal(RegisterNode command) {
        if (clusterId == 0) {
            return notFounded();
        }
        if (command.clusterId() != 0 && command.clusterId() != clusterId) {
            return new Result.Refused(
                    String.format(
                            "data directory belongs to cluster %016x, this is %016x",
                            command.clusterId(), clusterId));
        }
        if (command.role() != Role.PEER) {
            return new Result.Refused("superpeers register by their index");
        }
        if (command.previous() != RegisterNode.NO_PREVIOUS
                && (command.previous() < 0
                        || superpeers.isTaken(command.previous())
                        || command.previous() >= nextNode
                        || command.incarnation() < 0
                        || command.incarnation() > incarnation(command.previous()))) {
            return new Result.Refused(
                    "data directory was last used by node "
                            + command.previous()
                            + (command.incarnation() == 0
                                    ? ""
                                    : " (incarnation " + command.incarnation() + ")")
                            + ", which never was a peer of this cluster");
        }
        try {
            describe(command, superpeers.founded());
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        return null;
    }

    /** The node that a registration with this nonce has made, which may be gone; null if none. */
    Result.@Nullable NodeRegistered known(long nonce) {
        OptionalLong known = nonces.idOf(nonce);
        if (known.isEmpty()) {
            return null;
        }
        return new Result.NodeRegistered(
                (int) known.getAsLong() & ID_MASK, (int) (known.getAsLong() >>> ID_BITS), 0);
    }

    /**
     * An id for a peer: one that nobody has had, as long as there are any; so that those of nodes
     * that are gone are left alone for as long as can be.
     *
     * @param isSettled whether nothing depends on an id's last bearer any more
     * @return the id, or -1 if there is none now
     */
    int freeId(IntPredicate isSettled) {
        if (nextNode <= Directory.MAX_MEMBER) {
            return nextNode;
        }
        int first = Math.max(superpeers.founded(), again);
        return IntStream.concat(
                        IntStream.rangeClosed(first, Directory.MAX_MEMBER),
                        IntStream.range(superpeers.founded(), first))
                .filter(id -> !isMember(id) && !resting.contains(id) && !superpeers.isTaken(id))
                .filter(id -> incarnation(id) < NodeInfo.MAX_INCARNATION && isSettled.test(id))
                .findFirst()
                .orElse(-1);
    }

    /** Adds a node that {@link #refusal} had nothing against, under a free id. */
    NodeInfo add(RegisterNode command, int id) {
        if (id == nextNode) {
            nextNode++;
        } else {
            incarnations.merge(id, 1, Integer::sum);
            again = id + 1;
        }
        NodeInfo node = describe(command, id);
        members.put(id, node);
        nonces.remember(command.nonce(), (long) node.incarnation() << ID_BITS | id);
        version++;
        return node;
    }

    boolean remove(int node, int incarnation) {
        if (!isMember(node) || !isMeant(node, incarnation)) {
            return false;
        }
        members.remove(node);
        if (!superpeers.isTaken(node)) { // the others come back under theirs
            resting.add(node);
        }
        version++;
        return true;
    }

    Result release(ReleaseNode command) {
        return new Result.Done(
                isMeant(command.node(), command.incarnation()) && resting.remove(command.node()));
    }

    /**
     * Looks whether a node can be forgotten.
     *
     * @return why not; null if it can
     */
    @Nullable Result refusal(ForgetNode command) {
        int node = command.node();
        if (node < 0 || node >= nextNode || command.incarnation() > incarnation(node)) {
            return new Result.Refused("node " + node + " never was a peer of this cluster");
        }
        if (isMember(node) && isMeant(node, command.incarnation())) {
            return new Result.Refused(
                    "node "
                            + node
                            + " is a member of the cluster: drain it first, or wait some seconds"
                            + " until it is declared lost if it has just died");
        }
        return null;
    }

    /** Notes that the last bearer of an id is gone for good; tells whether that is news. */
    boolean forget(int node) {
        Integer before = forgotten.put(node, incarnation(node));
        return before == null || before != incarnation(node);
    }

    /** Whether the disk of a member hangs; tells whether that is news. */
    boolean noteDisk(int node, boolean hangs) {
        NodeInfo member = members.get(node);
        if (member == null || member.diskHangs() == hangs) {
            return false;
        }
        members.put(node, member.withDiskHanging(hangs));
        version++;
        return true;
    }

    /** A peer is about to leave; tells whether that is news. */
    boolean noteLeaving(int node) {
        NodeInfo member = members.get(node);
        if (member == null || member.isLeaving()) {
            return false;
        }
        members.put(node, member.withLeaving(true));
        version++;
        return true;
    }

    // queries

    Optional<NodeInfo> member(int node) {
        return Optional.ofNullable(members.get(node));
    }

    boolean isMember(int node) {
        return members.containsKey(node);
    }

    boolean isLeaving(int node) {
        NodeInfo member = members.get(node);
        return member != null && member.isLeaving();
    }

    /** Whether a command means the node that has an id, or had it last. */
    boolean isMeant(int node, int incarnation) {
        return incarnation == Command.ANY || incarnation == incarnation(node);
    }

    /** Of the node that has an id, or had it last; 0 for an id that nobody has had. */
    int incarnation(int node) {
        return incarnations.getOrDefault(node, 0);
    }

    /** Whether the bearer of an id was the last that was forgotten of those that had it. */
    boolean wasForgotten(int node, int incarnation) {
        return forgotten.getOrDefault(node, -1) == incarnation;
    }

    /** By id the incarnation that was forgotten last. */
    SortedMap<Integer, Integer> forgotten() {
        return forgotten;
    }

    /** Those that are gone and whose ids are not to be handed out again yet. */
    SortedSet<Integer> resting() {
        return resting;
    }

    boolean isStoring(int node) {
        NodeInfo member = members.get(node);
        return member != null && member.stores();
    }

    boolean diskHangs(int node) {
        NodeInfo member = members.get(node);
        return member != null && member.diskHangs();
    }

    boolean isKeeping(int node) {
        NodeInfo member = members.get(node);
        return member != null && member.keeps();
    }

    boolean isComputing(int node) {
        NodeInfo member = members.get(node);
        return member != null && member.computes();
    }

    /** By ascending id; a view. */
    Collection<NodeInfo> members() {
        return members.values();
    }

    List<NodeInfo> copy() {
        return new ArrayList<>(members.values());
    }

    long clusterId() {
        return clusterId;
    }

    SuperpeerTable superpeers() {
        return superpeers;
    }

    int nextNode() {
        return nextNode;
    }

    int again() {
        return again;
    }

    SortedMap<Integer, Integer> incarnations() {
        return incarnations;
    }

    long version() {
        return version;
    }

    RecentNonces nonces() {
        return nonces;
    }

    // for the snapshot

    void restore(long cluster, int next, int nextAgain, long membershipVersion) {
        clusterId = cluster;
        nextNode = next;
        again = nextAgain;
        version = membershipVersion;
    }

    void restore(NodeInfo node) {
        members.put(node.id(), node);
    }

    // private

    private static Result notFounded() {
        return new Result.Refused("the cluster has not been founded yet");
    }

    private NodeInfo describe(RegisterNode command, int id) {
        return new NodeInfo(
                        id,
                        command.role(),
                        command.host(),
                        command.port(),
                        command.cores(),
                        command.capabilities(),
                        incarnation(id),
                        command.place())
                .withDiskHanging(false)
                .withLeaving(false);
    }
}
