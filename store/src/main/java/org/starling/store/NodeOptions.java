package org.starling.store;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.net.LoopbackHub;
import org.starling.net.TlsOptions;
import org.starling.net.UcxOptions;

/**
 * How to start one node. Made by one of the factories and changed with the {@code with…} functions.
 *
 * @param hub the loopback between nodes of one process, or null for sockets
 * @param bind where this node listens (port 0: any free one), or null for the loopback
 * @param advertised the host name or address by which the others reach this node, or null: that of
 *     {@code bind}. Needed where {@code bind} is a wildcard; names are resolved at each connection
 * @param place the failure domains that a peer is in, or null: the host by which the others reach
 *     it
 * @param transport by what the nodes talk if not by the loopback
 * @param ucx what UCX may use on {@link TransportKind#INFINIBAND}
 * @param tls the files with which nodes prove who they are on {@link TransportKind#ETHERNET}, or
 *     null: then they believe each other
 * @param superpeers where the superpeers listen, in the order of their node ids; empty for the
 *     loopback and for a single superpeer itself
 * @param superpeerCount how many superpeers are known, at most {@value #MAX_SUPERPEERS}; those that
 *     found a cluster have the node ids 0 to count − 1
 * @param superpeerIndex which of the superpeers this node is if it is one, or {@link #NEWCOMER} to
 *     be taken in by those that are there. A superpeer that has been one is the same again,
 *     whatever this says
 * @param dataDirectory where the node keeps its part of the directory (superpeer) or its backups
 *     (peer); null: a superpeer remembers nothing after its end, and a peer stores no backups
 * @param cores processors this node offers for computing, at least 1
 * @param capabilities bit set of what it offers besides; 1 = computes ({@link #COMPUTES}), 2 =
 *     stores ({@link #STORES}, added by {@link #withDataDirectory}), the others are for the rooms
 *     above
 * @param config sizes and times
 */
public record NodeOptions(
        @Nullable LoopbackHub hub,
        @Nullable InetSocketAddress bind,
        @Nullable String advertised,
        @Nullable Place place,
        TransportKind transport,
        UcxOptions ucx,
        @Nullable TlsOptions tls,
        List<InetSocketAddress> superpeers,
        int superpeerCount,
        int superpeerIndex,
        @Nullable Path dataDirectory,
        int cores,
        long capabilities,
        StoreConfig config) {
    /** The capability of taking part in compute groups. */
    public static final long COMPUTES = 1;

    /** The capability of owning replicated chunks and keeping backups of others. */
    public static final long STORES = 2;

    /** The index of a superpeer that is to be taken in by others. */
    public static final int NEWCOMER = -1;

    /** The most superpeers. */
    public static final int MAX_SUPERPEERS = 9;

    /** The number of superpeers that survives the loss of one. */
    public static final int THREE_SUPERPEERS = 3;

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if they do not fit together
     */
    public NodeOptions {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(ucx, "ucx");
        superpeers = List.copyOf(superpeers);
        if ((hub == null) == (bind == null)) {
            throw new IllegalArgumentException(
                    "a node uses either a loopback hub or an address to bind to");
        }
        if (bind != null && bind.isUnresolved()) {
            throw new IllegalArgumentException("there is no address " + bind.getHostString());
        }
        if (advertised != null
                && (advertised.isBlank() || advertised.length() > NodeInfo.MAX_HOST_CHARACTERS)) {
            throw new IllegalArgumentException(
                    "a host name has 1 to %d characters".formatted(NodeInfo.MAX_HOST_CHARACTERS));
        }
        if (tls != null && (hub != null || transport != TransportKind.ETHERNET)) {
            throw new IllegalArgumentException("TLS needs the transport ETHERNET");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("a node has at least one core, not " + cores);
        }
        if (superpeerCount < 1 || superpeerCount > MAX_SUPERPEERS) {
            throw new IllegalArgumentException(
                    "a cluster has 1 to " + MAX_SUPERPEERS + " superpeers, not " + superpeerCount);
        }
        if (superpeerIndex < NEWCOMER || superpeerIndex >= superpeerCount) {
            throw new IllegalArgumentException(
                    "superpeer " + superpeerIndex + " is not one of " + superpeerCount);
        }
        if (!superpeers.isEmpty() && superpeers.size() != superpeerCount) {
            throw new IllegalArgumentException(
                    superpeers.size()
                            + " addresses were given for "
                            + superpeerCount
                            + " superpeers");
        }
    }

    /**
     * Options for a cluster with one superpeer and without data directories.
     *
     * @param hub see the record
     * @param bind see the record
     * @param superpeer where the superpeer listens, or null for the loopback and for the superpeer
     *     itself
     * @param cores see the record
     * @param capabilities see the record
     * @param config see the record
     */
    public NodeOptions(
            @Nullable LoopbackHub hub,
            @Nullable InetSocketAddress bind,
            @Nullable InetSocketAddress superpeer,
            int cores,
            long capabilities,
            StoreConfig config) {
        this(
                hub,
                bind,
                null,
                null,
                TransportKind.ETHERNET,
                UcxOptions.AUTO,
                null,
                superpeer == null ? List.of() : List.of(superpeer),
                1,
                0,
                null,
                cores,
                capabilities,
                config);
    }

    /**
     * A node (superpeer or peer) inside this process.
     *
     * @param hub shared by all nodes of the cluster
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions loopback(LoopbackHub hub, StoreConfig config) {
        return new NodeOptions(hub, null, null, allCores(), COMPUTES, config);
    }

    /**
     * A single superpeer on Ethernet.
     *
     * @param bind where it listens
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions ethernetSuperpeer(InetSocketAddress bind, StoreConfig config) {
        return new NodeOptions(null, bind, null, allCores(), COMPUTES, config);
    }

    /**
     * A peer on Ethernet, of a cluster with one superpeer.
     *
     * @param bind where it listens
     * @param superpeer where the superpeer listens
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions ethernetPeer(
            InetSocketAddress bind, InetSocketAddress superpeer, StoreConfig config) {
        return new NodeOptions(
                null, bind, Objects.requireNonNull(superpeer), allCores(), COMPUTES, config);
    }

    /**
     * A peer of a cluster with one or three superpeers on sockets. Superpeers that have the same
     * host name and port are looked for at all addresses of that name.
     *
     * @param bind where it listens
     * @param superpeers where the superpeers listen, in the order of their node ids
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions peer(
            InetSocketAddress bind, List<InetSocketAddress> superpeers, StoreConfig config) {
        return new NodeOptions(
                null,
                bind,
                null,
                null,
                TransportKind.ETHERNET,
                UcxOptions.AUTO,
                null,
                superpeers,
                superpeers.size(),
                0,
                null,
                allCores(),
                COMPUTES,
                config);
    }

    /**
     * With another number of cores.
     *
     * @param count at least 1
     * @return the changed options
     */
    public NodeOptions withCores(int count) {
        return changed(draft -> draft.cores = count);
    }

    /**
     * With other capabilities.
     *
     * @param bits bit set
     * @return the changed options
     */
    public NodeOptions withCapabilities(long bits) {
        return changed(draft -> draft.capabilities = bits);
    }

    /**
     * With another transport between processes.
     *
     * @param kind which
     * @param options what UCX may use on {@link TransportKind#INFINIBAND}
     * @return the changed options
     */
    public NodeOptions withTransport(TransportKind kind, UcxOptions options) {
        return changed(draft -> {
            draft.transport = kind;
            draft.ucx = options;
        });
    }

    /**
     * With another name by which the others reach this node.
     *
     * @param host a name or an address, or null for the address that the node binds to
     * @return the changed options
     */
    public NodeOptions withAdvertised(@Nullable String host) {
        return changed(draft -> draft.advertised = host);
    }

    /**
     * With another place.
     *
     * @param other the failure domains that the node is in, or null: the host by which the others
     *     reach it
     * @return the changed options
     */
    public NodeOptions withPlace(@Nullable Place other) {
        return changed(draft -> draft.place = other);
    }

    /**
     * With TLS between processes.
     *
     * @param files with which this node proves who it is, or null for none
     * @return the changed options
     */
    public NodeOptions withTls(@Nullable TlsOptions files) {
        return changed(draft -> draft.tls = files);
    }

    /**
     * With a data directory; a peer with one stores ({@link #STORES}).
     *
     * @param path of a directory of this node alone; made if it does not exist
     * @return the changed options
     */
    public NodeOptions withDataDirectory(Path path) {
        return changed(draft -> {
            draft.dataDirectory = path;
            draft.capabilities |= STORES;
        });
    }

    /**
     * With several superpeers: what a peer inside this process needs to know of them.
     *
     * @param count how many are known
     * @return the changed options
     */
    public NodeOptions withSuperpeerCount(int count) {
        return changed(draft -> draft.superpeerCount = count);
    }

    /**
     * As one of several superpeers.
     *
     * @param index which of them, its node id
     * @param count how many there are
     * @param addresses where they listen, by index; empty on the loopback
     * @return the changed options
     */
    public NodeOptions asSuperpeer(int index, int count, List<InetSocketAddress> addresses) {
        return changed(draft -> {
            draft.superpeers = addresses;
            draft.superpeerCount = count;
            draft.superpeerIndex = index;
        });
    }

    /**
     * As a superpeer that is to be taken in by others, unless its data directory says that it was.
     *
     * @param count how many of them are known
     * @param addresses where they listen; empty on the loopback
     * @return the changed options
     */
    public NodeOptions asNewSuperpeer(int count, List<InetSocketAddress> addresses) {
        return asSuperpeer(NEWCOMER, count, addresses);
    }

    private NodeOptions changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    private static int allCores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Options that are being changed; confined to {@link #changed}. */
    private static final class Draft {
        private @Nullable LoopbackHub hub;
        private @Nullable InetSocketAddress bind;
        private @Nullable String advertised;
        private @Nullable Place place;
        private TransportKind transport;
        private UcxOptions ucx;
        private @Nullable TlsOptions tls;
        private List<InetSocketAddress> superpeers;
        private int superpeerCount;
        private int superpeerIndex;
        private @Nullable Path dataDirectory;
        private int cores;
        private long capabilities;
        private StoreConfig config;

        Draft(NodeOptions from) {
            hub = from.hub;
            bind = from.bind;
            advertised = from.advertised;
            place = from.place;
            transport = from.transport;
            ucx = from.ucx;
            tls = from.tls;
            superpeers = from.superpeers;
            superpeerCount = from.superpeerCount;
            superpeerIndex = from.superpeerIndex;
            dataDirectory = from.dataDirectory;
            cores = from.cores;
            capabilities = from.capabilities;
            config = from.config;
        }

        NodeOptions options() {
            return new NodeOptions(
                    hub,
                    bind,
                    advertised,
                    place,
                    transport,
                    ucx,
                    tls,
                    superpeers,
                    superpeerCount,
                    superpeerIndex,
                    dataDirectory,
                    cores,
                    capabilities,
                    config);
        }
    }
}
