package org.starling.store.internal.node;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.TransportUnavailableException;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.node.NodeMessage.Join;
import org.starling.store.internal.node.NodeMessage.Joined;

/**
 * Gets a node id. A network needs one to open, so the node borrows one of the 511 ids that no
 * member has, asks the superpeers through a network of that name until the leading one answers, and
 * gives it back. Two nodes that borrow the same id at once notice by the nonce of the answer, or
 * get none, and try again; by the nonce the directory knows a node that asks again, too. Confined
 * to the starting thread; its cost is one short-lived network per attempt.
 */
final class Joiner {
    /** The first id that nodes borrow while they join. */
    private static final int FIRST_BORROWED = Directory.MAX_MEMBER + 1;

    /** Behind the last. */
    private static final int END_BORROWED = 65_535;

    /** The part of the join time-out that one superpeer gets for an answer at most. */
    private static final int PARTS = 5;

    /**
     * What it gets at first, doubled with each attempt: a superpeer that is just starting does not
     * answer at all, and asking again is free of harm.
     */
    private static final Duration FIRST_PATIENCE = Duration.ofMillis(500);

    /** From one attempt to the next. */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final NodeOptions options;
    private final NodeTransport transport;
    private final LongSupplier nanoClock;
    private final Command registration;
    private final long nonce;

    /** Remembers between attempts where a superpeer was looked for. */
    private final AddressTable addresses = new AddressTable();

    private final LeaderGuess leader;

    /**
     * For one start of a node.
     *
     * @param options how
     * @param transport where it will listen
     * @param data its data directory, if it has one
     * @param nonce of the registration, not 0
     * @param nanoClock monotonic
     */
    Joiner(
            NodeOptions options,
            NodeTransport transport,
            @Nullable DataDirectory data,
            long nonce,
            LongSupplier nanoClock) {
        this(options, transport, registration(options, transport, data, nonce), nonce, nanoClock);
    }

    private Joiner(
            NodeOptions options,
            NodeTransport transport,
            Command registration,
            long nonce,
            LongSupplier nanoClock) {
        this.options = options;
        this.transport = transport;
        this.nanoClock = nanoClock;
        this.nonce = nonce;
        this.registration = registration;
        addresses.putSuperpeers(options.superpeers());
        addresses.guess(options.superpeers().size());
        leader = new LeaderGuess(options.superpeerCount(), 0);
    }

    /** For one start of a superpeer that is to be taken in. */
    static Joiner ofSuperpeer(
            NodeOptions options, NodeTransport transport, long nonce, LongSupplier nanoClock) {
        Command registration = new Command.AddSuperpeer(transport.host(), transport.port(), nonce);
        return new Joiner(options, transport, registration, nonce, nanoClock);
    }

    private static Command registration(
            NodeOptions options,
            NodeTransport transport,
            @Nullable DataDirectory data,
            long nonce) {
        return new Command.RegisterNode(
                Role.PEER,
                transport.host(),
                transport.port(),
                options.cores(),
                capabilities(options),
                data == null ? 0 : data.clusterId(),
                data == null ? Command.RegisterNode.NO_PREVIOUS : data.node(),
                data == null ? 0 : data.incarnation(),
                nonce,
                place(options, transport));
    }

    /**
     * Registers with the leading superpeer.
     *
     * @return its answer, with a node id
     * @throws StoreException if it refuses or none answers within the join time-out
     */
    Joined join() {
        StoreConfig config = options.config();
        long deadline = nanoClock.getAsLong() + config.joinTimeout().toNanos();
        Duration most = config.joinTimeout().dividedBy(PARTS);
        Duration patience = FIRST_PATIENCE.compareTo(most) < 0 ? FIRST_PATIENCE : most;
        String last = "";
        do {
            int asked = leader.current();
            boolean isNamed = false;
            try {
                Joined joined = ask(asked, patience);
                if (joined.nonce() == nonce) {
                    if (joined.node() >= 0 || !joined.refusal().isEmpty()) {
                        return accepted(joined);
                    }
                    joined.superpeers().forEach(addresses::put);
                    leader.knowMore(joined.superpeers().stream().map(SuperpeerInfo::node).toList());
                    isNamed = leader.redirect(asked, joined.leader());
                    last = "no superpeer leads the directory";
                }
            } catch (TransportUnavailableException e) {
                throw new StoreException(String.valueOf(e.getMessage()), e);
            } catch (NetException e) {
                last = String.valueOf(e.getMessage());
                leader.knowMore(addresses.met());
                leader.failed(asked);
                patience =
                        patience.compareTo(most.dividedBy(2)) < 0 ? patience.multipliedBy(2) : most;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while joining", e);
            }
            if (!isNamed) {
                pause(deadline);
            }
        } while (nanoClock.getAsLong() < deadline);
        throw new StoreException(
                "could not join: the superpeer"
                        + (options.superpeers().isEmpty()
                                ? ""
                                : " at " + places(options.superpeers()))
                        + " did not answer within "
                        + config.joinTimeout().toSeconds()
                        + " s"
                        + (last.isEmpty() ? "" : " (" + last + ")")
                        + "; check that it runs and its address"
                        + (registration instanceof Command.AddSuperpeer
                                ? ", and if this superpeer is to found a cluster, name it among its"
                                        + " own seeds, as they do with --advertise and --port"
                                : ""));
    }

    /** Where superpeers listen, as people write it. */
    static String places(List<InetSocketAddress> superpeers) {
        return String.join(
                ", ",
                superpeers.stream()
                        .map(each -> place(each.getHostString(), each.getPort()))
                        .distinct()
                        .toList());
    }

    private static String place(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Only a peer with a data directory stores. */
    static long capabilities(NodeOptions options) {
        return options.dataDirectory() == null
                ? options.capabilities() & ~NodeOptions.STORES
                : options.capabilities();
    }

    /** What the node says of its place, or else that it shares one with whoever is on its host. */
    private static Place place(NodeOptions options, NodeTransport transport) {
        Place said = options.place();
        return said == null ? Place.ofHost(transport.host()) : said;
    }

    private Joined ask(int superpeer, Duration patience) throws InterruptedException {
        NodeTransport here = transport.elsewhere();
        int borrowed = ThreadLocalRandom.current().nextInt(FIRST_BORROWED, END_BORROWED);
        Join join = new Join(nonce, here.host(), here.port(), CommandLayout.write(registration));
        try (Network network =
                Network.open(borrowed, here.create(addresses), options.config().net())) {
            try {
                return network.call(superpeer, join, patience);
            } catch (NetException e) {
                network.disconnect(superpeer); // whose farewell closing would wait for
                throw e;
            }
        }
    }

    private static Joined accepted(Joined joined) {
        if (joined.node() < 0 || joined.node() > Directory.MAX_MEMBER) {
            throw new StoreException("the superpeer refused this node: " + joined.refusal());
        }
        return joined;
    }

    /** A superpeer that is just starting is not asked again at once. */
    private void pause(long deadline) {
        long until = Math.min(deadline, nanoClock.getAsLong() + PAUSE_NANOS);
        while (nanoClock.getAsLong() < until && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - nanoClock.getAsLong());
        }
    }
}
