package org.starling.store.internal.node;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.node.NodeMessage.Join;
import org.starling.store.internal.node.NodeMessage.Joined;

/**
 * Gets a node id. A network needs one to open, so the node borrows one of the 512 ids that no
 * member has, asks the superpeer through a network of that name, and gives it back. Two nodes that
 * borrow the same id at once notice by the nonce of the answer, or get none, and try again; by the
 * nonce the superpeer knows a node that asks again, too. Confined to the starting thread; its cost
 * is one short-lived network.
 */
final class Joiner {
    /** The first id that nodes borrow while they join. */
    private static final int FIRST_BORROWED = Directory.MAX_MEMBER + 1;

    /** Behind the last. */
    private static final int END_BORROWED = 65_535;

    /** How many times a node tries within its join time-out. */
    private static final int MAX_ATTEMPTS = 5;

    private final NodeOptions options;
    private final Wiring wiring;
    private final LongSupplier nanoClock;

    Joiner(NodeOptions options, Wiring wiring, LongSupplier nanoClock) {
        this.options = options;
        this.wiring = wiring;
        this.nanoClock = nanoClock;
    }

    /**
     * Registers with the superpeer.
     *
     * @return the node id
     * @throws StoreException if it refuses or does not answer within the join time-out
     */
    int join() {
        StoreConfig config = options.config();
        long deadline = nanoClock.getAsLong() + config.joinTimeout().toNanos();
        Duration patience = config.joinTimeout().dividedBy(MAX_ATTEMPTS);
        NetException last = null;
        long nonce = ThreadLocalRandom.current().nextLong();
        for (int attempt = 0;
                attempt < MAX_ATTEMPTS && nanoClock.getAsLong() < deadline;
                attempt++) {
            try {
                Joined joined = ask(nonce, patience);
                if (joined.nonce() == nonce) {
                    return accepted(joined);
                }
            } catch (NetException e) {
                last = e;
                pause(patience, deadline);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while joining", e);
            }
        }
        InetSocketAddress superpeer = options.superpeer();
        throw new StoreException(
                "could not join: the superpeer"
                        + (superpeer == null ? "" : " at " + superpeer)
                        + " did not answer within "
                        + config.joinTimeout()
                        + (last == null ? "" : " (" + last.getMessage() + ")")
                        + "; check that it runs and its address",
                last);
    }

    private Joined ask(long nonce, Duration patience) throws InterruptedException {
        AddressTable addresses = new AddressTable();
        InetSocketAddress superpeer = options.superpeer();
        if (superpeer != null) {
            addresses.put(Node.SUPERPEER, superpeer.getHostString(), superpeer.getPort());
        }
        Wiring here = wiring.elsewhere();
        int borrowed = ThreadLocalRandom.current().nextInt(FIRST_BORROWED, END_BORROWED);
        Command registration =
                new Command.RegisterNode(
                        Role.PEER,
                        wiring.host(),
                        wiring.port(),
                        options.cores(),
                        options.capabilities());
        Join join = new Join(nonce, here.host(), here.port(), CommandLayout.write(registration));
        try (Network network =
                Network.open(borrowed, here.transport(addresses), options.config().net())) {
            return network.call(Node.SUPERPEER, join, patience);
        }
    }

    private static int accepted(Joined joined) {
        if (joined.node() < 0 || joined.node() > Directory.MAX_MEMBER) {
            throw new StoreException("the superpeer refused this node: " + joined.refusal());
        }
        return joined.node();
    }

    /** A superpeer that is just starting is not asked again at once. */
    private void pause(Duration patience, long deadline) {
        long until = Math.min(deadline, nanoClock.getAsLong() + patience.toNanos() / 4);
        while (nanoClock.getAsLong() < until && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - nanoClock.getAsLong());
        }
    }
}
