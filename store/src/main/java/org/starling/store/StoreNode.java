package org.starling.store;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.starling.net.Network;
import org.starling.store.internal.node.Node;

/**
 * One node of a cluster: network, role, the chunks it holds, and its way to the directory. Several
 * nodes can live in one process; they share nothing. Owns its network, threads and memory and
 * releases all in {@link #close}. Any thread.
 */
public final class StoreNode implements AutoCloseable {
    private final Node node;

    private StoreNode(Node node) {
        this.node = node;
    }

    /**
     * Starts the superpeer, node 0: it hosts the directory and holds no chunks.
     *
     * @param options where it listens and how it is set up
     * @return the running node
     */
    public static StoreNode startSuperpeer(NodeOptions options) {
        return new StoreNode(Node.startSuperpeer(options));
    }

    /**
     * Starts a peer: asks the superpeer for a node id and the addresses of the others, and joins.
     *
     * @param options where it and the superpeer listen, and how it is set up
     * @return the running node, known to the superpeer
     * @throws StoreException if the superpeer does not answer within the join time-out or refuses
     */
    public static StoreNode startPeer(NodeOptions options) {
        return new StoreNode(Node.startPeer(options));
    }

    /**
     * The id that the directory gave this node.
     *
     * @return 0 for the superpeer, 1 and up for peers
     */
    public int nodeId() {
        return node.nodeId();
    }

    /**
     * What it is for.
     *
     * @return its role
     */
    public Role role() {
        return node.role();
    }

    /**
     * Where it listens.
     *
     * @return address and the actual port; nothing for the in-process loopback
     */
    public Optional<InetSocketAddress> address() {
        return node.address();
    }

    /**
     * Its network, for messages of the rooms above. Message type ids 1000 to 1099 are the store's.
     *
     * @return the network, closed together with this node
     */
    public Network network() {
        return node.network();
    }

    /**
     * The chunk operations.
     *
     * @return the service, with the default durability of the configuration
     */
    public ChunkService chunks() {
        return node.chunks();
    }

    /**
     * Names of chunks.
     *
     * @return the service
     */
    public NameService names() {
        return node.names();
    }

    /**
     * The members of the cluster.
     *
     * @return what this node has been told
     */
    public Membership membership() {
        return node.membership();
    }

    /**
     * The jobs of the cluster.
     *
     * @return the registry that the directory keeps
     */
    public JobRegistry jobs() {
        return node.jobs();
    }

    /**
     * Who was granted access.
     *
     * @return the registry that the directory keeps
     */
    public AccessRegistry access() {
        return node.access();
    }

    /**
     * Calls the listener when the cluster has declared this node lost, or this superpeer can't
     * write its disk: it serves nothing any more, must be closed, and a new node can join in its
     * place. On a thread of its own; once, also if it has happened already.
     *
     * @param listener for example starts a new node
     */
    public void onExpelled(Runnable listener) {
        node.onExpelled(listener);
    }

    /**
     * How the cluster is.
     *
     * @return what the leading superpeer answers
     * @throws StoreException if none answers within the request time-out
     */
    public ClusterStatus status() {
        return node.status();
    }

    /**
     * Which nodes were lost, and what has become of what they owned.
     *
     * @return what the leading superpeer has seen
     * @throws StoreException if none answers within the request time-out
     */
    public Recoveries recoveries() {
        return node.recoveries();
    }

    /**
     * Asks a peer to leave: from now on it is chosen as nobody's backup and as no master, and every
     * node sees {@link NodeInfo#isLeaving}. Whoever runs the peer closes it when it has nothing to
     * do any more. A second call does nothing.
     *
     * @param peer node id
     * @throws StoreException if it is no peer, or no superpeer answers within the request time-out
     */
    public void letLeave(int peer) {
        node.letLeave(peer);
    }

    /**
     * Tells the cluster that this peer leaves, as {@link #letLeave} does. Does not wait long for a
     * cluster that is not there any more.
     *
     * @return false if no superpeer grants leases, or this node is no member any more
     */
    public boolean announceLeaving() {
        return node.announceLeaving();
    }

    /**
     * Hands the zones of this peer over to others, one after the other, so that whoever uses them
     * waits for a short time only. To be called when it has been announced that this node leaves.
     * Ends early when no peer is there that stays, or no superpeer leads: then everything stops.
     *
     * @param patience how long it may take
     * @param isFree whether whoever runs this node needs its zones to stay no more; asked again and
     *     again, for half of the patience
     * @return what came of it; what is left is brought back by others when this node is gone
     */
    public HandedZones handOverZones(Duration patience, BooleanSupplier isFree) {
        return node.handOverZones(patience, isFree);
    }

    /**
     * Removes a peer that is gone for good with its disk, so that nothing waits for it any more, or
     * a superpeer, up or down. A zone without a live copy then needs the disks of all others that
     * had it. One that cannot become whole any more comes back from those others, as damaged: its
     * chunks may be of before their last changes, and one that is not there answers {@link
     * DataLostException}. A second call does nothing.
     *
     * @param peer node id of a peer that has left or was lost, or of a superpeer
     * @param acceptsLoss whether zones may be damaged so
     * @return what came of it
     * @throws RemovalRefusedException if it is a peer that is a member, a superpeer that can't be
     *     done without, or unknown, or zones would be damaged and that is not accepted
     * @throws StoreException if no superpeer answers within the request time-out
     */
    public ForgottenNode forget(int peer, boolean acceptsLoss) {
        return node.forget(peer, acceptsLoss);
    }

    /**
     * Makes what the peers' memories hold more even: one zone goes from the peer of whose memory
     * most is in use to the one of whose memory least is, while both serve. Chunks keep their ids;
     * whoever uses one of that zone meanwhile waits. Zones with pinned chunks stay, and so do
     * volatile chunks. To be called until nothing moves.
     *
     * @return the move; empty if the shares in use differ by less than 5 %, or no zone is small
     *     enough to make them more alike
     * @throws StoreException if the zone that was to go stays where it is, with the reason
     */
    public Optional<ZoneMove> rebalance() {
        return node.rebalance();
    }

    /**
     * Whether this node may serve now. Superpeers have no lease: ask them for {@link #status()}.
     *
     * @return true while it is a peer whose lease holds
     */
    public boolean isServing() {
        return node.isServing();
    }

    /**
     * What this node keeps on its disk and has brought back from others'. Never waits.
     *
     * @return nothing of a superpeer, and of a peer without a data directory
     */
    public Optional<StorageStatistics> storage() {
        return node.statistics();
    }

    /**
     * How many nodes hold a chunk now.
     *
     * @param id chunk id
     * @return its owner and the backups of its zone, 0 if it has no owner or its zone is lost
     * @throws StoreException if no superpeer answers within the request time-out
     */
    public int copies(long id) {
        return node.copies(id);
    }

    /**
     * Whether a lost chunk stays lost, whoever comes back with a disk.
     *
     * @param id of a chunk that {@link DataLostException} or {@link OwnerLostException} was said of
     * @throws StoreException if no superpeer answers within the request time-out
     */
    public boolean isGoneForGood(long id) {
        return node.isGoneForGood(id);
    }

    /**
     * What the networks of the members have done since each was opened, asked of all at once.
     *
     * @return one report of each member that has answered within two seconds, by ascending id
     */
    public List<NetworkReport> networks() {
        return node.networks();
    }

    /**
     * The most durability that the cluster can give a write now.
     *
     * @return {@code POWER} while two peers with data directories besides an owner are up, else
     *     {@code MEMORY}
     */
    public Durability promised() {
        return node.promised();
    }

    /**
     * The most durability that the cluster could give a write without one of its peers.
     *
     * @param peer node id
     * @return as {@link #promised()}
     */
    public Durability promisedWithout(int peer) {
        return node.promisedWithout(peer);
    }

    /**
     * As {@link #promised()}, but where it has become less because peers were lost, waits for
     * these. Nobody waits twice for those that do not come back, nor where there were never enough.
     *
     * @param patience how long after the loss
     * @return the most durability that a write can have then
     */
    public Durability awaitPromised(Duration patience) {
        return node.awaitPromised(patience);
    }

    /**
     * What durability this cluster can promise, to be said at start.
     *
     * @return one sentence
     */
    public String promise() {
        return node.promise();
    }

    /** Ends without a word, as a killed process would: for tests of the rooms above. */
    public void crash() {
        node.crash();
    }

    /**
     * Leaves the cluster, waits for operations under way, and releases everything. What is pinned
     * stays mapped until it is unpinned. A second call does nothing.
     */
    @Override
    public void close() {
        node.close();
    }
}
