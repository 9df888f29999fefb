package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;

/**
 * Which cluster this is and who its members are. A part of the {@link Directory} and guarded like
 * it.
 */
final class NodeTable {
    /** The most superpeers. */
    static final int MAX_SUPERPEERS = 9;

    /** The greatest TCP port. */
    private static final int MAX_PORT = 65_535;

    private final TreeMap<Integer, NodeInfo> members = new TreeMap<>();

    /** Of superpeers that serve REST, by index. */
    private final TreeMap<Integer, Integer> restPorts = new TreeMap<>();

    private final RecentNonces nonces = new RecentNonces();

    /** 0 until the cluster is founded. */
    private long clusterId;

    /** Node ids below are superpeers'. */
    private int superpeers;

    private int nextNode;

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
        if (command.superpeers() < 1 || command.superpeers() > MAX_SUPERPEERS) {
            return new Result.Refused(
                    "a cluster has 1 to "
                            + MAX_SUPERPEERS
                            + " superpeers, not "
                            + command.superpeers());
        }
        clusterId = command.clusterId();
        superpeers = command.superpeers();
        nextNode = superpeers;
        return new Result.Done(true);
    }

    Result register(RegisterSuperpeer command) {
        if (clusterId == 0) {
            return notFounded();
        }
        if (command.index() < 0 || command.index() >= superpeers) {
            return new Result.Refused(
                    "this cluster has "
                            + superpeers
                            + " superpeers, so none has index "
                            + command.index());
        }
        if (command.restPort() < 0 || command.restPort() > MAX_PORT) {
            return new Result.Refused("port " + command.restPort() + " is not in 0.." + MAX_PORT);
        }
        NodeInfo node;
        try {
            node =
                    new NodeInfo(
                            command.index(), Role.SUPERPEER, command.host(), command.port(), 1, 0);
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        restPorts.put(command.index(), command.restPort());
        if (!node.equals(members.put(command.index(), node))) {
            version++;
        }
        return new Result.NodeRegistered(command.index());
    }

    /**
     * Looks at a registration without carrying it out.
     *
     * @return why it gets no new id, or the id it already got; null if it is to be added
     */
    @Nullable Result answerWithout(RegisterNode command) {
        if (clusterId == 0) {
            return notFounded();
        }
        if (command.clusterId() != 0 && command.clusterId() != clusterId) {
            return new Result.Refused(
                    String.format(
                            "data directory belongs to cluster %016x, this is %016x",
                            command.clusterId(), clusterId));
        }
        OptionalLong known = nonces.idOf(command.nonce());
        if (known.isPresent()) {
            return new Result.NodeRegistered((int) known.getAsLong());
        }
        if (command.role() != Role.PEER) {
            return new Result.Refused("superpeers register by their index");
        }
        if (command.previous() != RegisterNode.NO_PREVIOUS
                && (command.previous() < superpeers || command.previous() >= nextNode)) {
            return new Result.Refused(
                    "data directory was last used by node "
                            + command.previous()
                            + ", which never was a peer of this cluster");
        }
        if (nextNode > Directory.MAX_MEMBER) {
            return new Result.Refused(
                    "all node ids up to " + Directory.MAX_MEMBER + " have been used");
        }
        try {
            describe(command);
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        return null;
    }

    /** Adds a node that {@link #answerWithout} had nothing against. */
    NodeInfo add(RegisterNode command) {
        NodeInfo node = describe(command);
        members.put(node.id(), node);
        nonces.remember(command.nonce(), node.id());
        nextNode++;
        version++;
        return node;
    }

    boolean remove(int node) {
        if (members.remove(node) == null) {
            return false;
        }
        version++;
        return true;
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

    // queries

    boolean isMember(int node) {
        return members.containsKey(node);
    }

    /** Whether a peer was a member and is none any more; its id is not used again. */
    boolean wasMember(int node) {
        return node >= superpeers && node < nextNode && !isMember(node);
    }

    boolean isStoring(int node) {
        NodeInfo member = members.get(node);
        return member != null && Capabilities.stores(member);
    }

    boolean isKeeping(int node) {
        NodeInfo member = members.get(node);
        return member != null && Capabilities.keeps(member);
    }

    boolean isComputing(int node) {
        NodeInfo member = members.get(node);
        return member != null && Capabilities.computes(member);
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

    int superpeers() {
        return superpeers;
    }

    int nextNode() {
        return nextNode;
    }

    long version() {
        return version;
    }

    SortedMap<Integer, Integer> restPorts() {
        return restPorts;
    }

    RecentNonces nonces() {
        return nonces;
    }

    // for the snapshot

    void restore(long cluster, int superpeerCount, int next, long membershipVersion) {
        clusterId = cluster;
        superpeers = superpeerCount;
        nextNode = next;
        version = membershipVersion;
    }

    void restore(NodeInfo node) {
        members.put(node.id(), node);
    }

    // private

    private static Result notFounded() {
        return new Result.Refused("the cluster has not been founded yet");
    }

    private NodeInfo describe(RegisterNode command) {
        return new NodeInfo(
                        nextNode,
                        command.role(),
                        command.host(),
                        command.port(),
                        command.cores(),
                        command.capabilities())
                .withDiskHanging(false);
    }
}
