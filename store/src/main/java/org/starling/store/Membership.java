package org.starling.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Who belongs to the cluster, as this node has been told by the directory. Any thread. Listeners
 * run one at a time, in the order of the changes, on a thread of their own; they may call anything.
 * Register first and read {@link #nodes} afterwards to miss nobody.
 */
public interface Membership {
    /**
     * The members now, this node among them, by ascending id.
     *
     * @return a snapshot
     */
    List<NodeInfo> nodes();

    /**
     * The peers among the members that compute.
     *
     * @return a snapshot, by ascending id
     */
    default List<NodeInfo> computingPeers() {
        return nodes().stream()
                .filter(node -> node.role() == Role.PEER && node.computes())
                .toList();
    }

    /**
     * The peers, for what is to be kept by one of them.
     *
     * @param what messages say of it
     * @return their ids, ascending
     * @throws StoreException if there is none
     */
    default int[] keepers(String what) {
        int[] peers =
                nodes().stream()
                        .filter(node -> node.role() == Role.PEER)
                        .mapToInt(NodeInfo::id)
                        .toArray();
        if (peers.length == 0) {
            throw new StoreException("there is no peer to keep " + what);
        }
        return peers;
    }

    /**
     * One member.
     *
     * @param nodeId its id
     * @return the member, or nothing if it has been lost or never was one
     */
    default Optional<NodeInfo> node(int nodeId) {
        return nodes().stream().filter(node -> node.id() == nodeId).findFirst();
    }

    /**
     * Whether a node is one of the superpeers, up or down.
     *
     * @param nodeId its id
     * @return true of a superpeer
     */
    default boolean isSuperpeer(int nodeId) {
        return node(nodeId).filter(node -> node.role() == Role.SUPERPEER).isPresent();
    }

    /**
     * Calls the listener for every member that joins from now on.
     *
     * @param listener gets the new member
     */
    void onJoin(Consumer<NodeInfo> listener);

    /**
     * Calls the listener for every member that is lost or leaves from now on.
     *
     * @param listener gets the member as it was
     */
    void onLoss(Consumer<NodeInfo> listener);
}
