package org.starling.store.internal.node;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.net.AddressBook;
import org.starling.net.NodeUnknownException;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.SuperpeerInfo;

/**
 * The addresses and incarnations of members, as far as told; the network asks here when it
 * connects. Host names are resolved then and not before: a member that has moved to another machine
 * is found under its name again. Superpeers that share a name, which has the addresses of all of
 * them, are looked for at one address after the other, until it is known which is where: whoever
 * answers for another node is refused. A node that has been lost keeps its entry (at most one per
 * node id), so that it can be told so when it comes back, until another node has its id. Any
 * thread.
 */
final class AddressTable implements AddressBook {
    /** None is resolved. */
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();

    /** How often an address was asked for of those that share a name. */
    private final Map<Integer, AtomicInteger> turns = new ConcurrentHashMap<>();

    /**
     * Ids that only stand for the order in which superpeers were named: one that came later has
     * another id.
     */
    private final Set<Integer> guesses = ConcurrentHashMap.newKeySet();

    /** Who has answered at a guess. */
    private final Set<Integer> met = ConcurrentHashMap.newKeySet();

    private final Resolver resolver;

    /** Of ids that were handed out again. Changed under this, addresses likewise. */
    private final Map<Integer, Integer> incarnations = new ConcurrentHashMap<>();

    /** Ends the connections to earlier bearers of an id; set once, when there is a network. */
    private volatile IntConsumer onNewBearer = node -> {};

    /** Knows the addresses of a host name. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] all(String host) throws UnknownHostException;
    }

    AddressTable() {
        this(InetAddress::getAllByName);
    }

    AddressTable(Resolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public @Nullable InetSocketAddress addressOf(int nodeId) {
        InetSocketAddress told = addresses.get(nodeId);
        if (told == null) {
            return null;
        }
        AtomicInteger turn = turns.get(nodeId);
        if (turn != null) {
            return oneOf(nodeId, told, turn.getAndIncrement());
        }
        InetSocketAddress now = new InetSocketAddress(told.getHostString(), told.getPort());
        if (now.isUnresolved()) {
            throw new NodeUnknownException(
                    nodeId,
                    "node %d is to be at \"%s\", and there is no host of that name"
                            .formatted(nodeId, told.getHostString()));
        }
        return now;
    }

    /** In an order that does not change with each answer of a name server. */
    private InetSocketAddress oneOf(int nodeId, InetSocketAddress shared, int turn) {
        try {
            InetAddress[] all = resolver.all(shared.getHostString());
            Arrays.sort(all, Comparator.comparing(InetAddress::getHostAddress));
            return new InetSocketAddress(all[Math.floorMod(turn, all.length)], shared.getPort());
        } catch (UnknownHostException unknown) {
            throw new NodeUnknownException(
                    nodeId,
                    "node %d is to be at \"%s\", and there is no host of that name"
                            .formatted(nodeId, shared.getHostString()));
        }
    }

    /** Where a node is, or was; empty if that is not known, or not at an address. */
    String shown(int nodeId) {
        InetSocketAddress told = addresses.get(nodeId);
        return told == null ? "" : told.getHostString() + ":" + told.getPort();
    }

    @Override
    public int incarnationOf(int nodeId) {
        return incarnations.getOrDefault(nodeId, 0);
    }

    /**
     * Calls the listener when another node has got an id, and earlier ones are let in no more.
     *
     * @param listener ends their connections; does not wait
     */
    void onNewBearer(IntConsumer listener) {
        onNewBearer = listener;
    }

    /** Where the superpeers are, in the order of their ids; several may share a name. */
    void putSuperpeers(List<InetSocketAddress> superpeers) {
        for (int i = 0; i < superpeers.size(); i++) {
            InetSocketAddress one = superpeers.get(i);
            put(i, 0, one.getHostString(), one.getPort());
            if (Collections.frequency(superpeers, one) > 1) {
                turns.put(i, new AtomicInteger());
            }
        }
    }

    /** What was said of a superpeer once counts only where nothing is known of it now. */
    void learn(SuperpeerInfo superpeer) {
        learn(superpeer.node(), 0, superpeer.host(), superpeer.port());
    }

    /** Where a superpeer is, if that is told. */
    void put(SuperpeerInfo superpeer) {
        put(superpeer.node(), 0, superpeer.host(), superpeer.port());
    }

    /** Has it found out who is at the addresses of superpeers. */
    void guess(int superpeers) {
        for (int node = 0; node < superpeers; node++) {
            guesses.add(node);
        }
    }

    @Override
    public boolean isGuess(int nodeId) {
        return guesses.contains(nodeId);
    }

    @Override
    public void answered(int nodeId, int actual) {
        InetSocketAddress there = addresses.get(nodeId);
        if (there == null) {
            return;
        }
        boolean isShared = turns.containsKey(nodeId);
        InetSocketAddress elsewhere = addresses.get(actual);
        boolean wasGuess = guesses.remove(actual);
        if (wasGuess && elsewhere != null && !elsewhere.equals(there)) { // somebody else is there
            boolean isOtherShared = turns.containsKey(actual);
            put(nodeId, 0, elsewhere.getHostString(), elsewhere.getPort());
            if (isOtherShared) {
                turns.put(nodeId, new AtomicInteger());
            }
        }
        put(actual, 0, there.getHostString(), there.getPort());
        if (isShared) {
            turns.put(actual, new AtomicInteger());
        }
        met.add(actual);
    }

    /** Those that were found at addresses of others. */
    Set<Integer> met() {
        return met;
    }

    void put(NodeInfo node) {
        put(node.id(), node.incarnation(), node.host(), node.port());
    }

    void put(int nodeId, int incarnation, String host, int port) {
        if (note(nodeId, incarnation, host, port)) {
            onNewBearer.accept(nodeId);
        }
    }

    /** So that answers wait for the news of it, instead of going to the earlier bearer. */
    @Override
    public void called(int nodeId, int incarnation) {
        synchronized (this) {
            if (!note(nodeId, incarnation, "", 0)) {
                return;
            }
            addresses.remove(nodeId);
        }
        onNewBearer.accept(nodeId);
    }

    /** What a node says of itself counts only where nothing is known of it. */
    void learn(int nodeId, int incarnation, String host, int port) {
        if (!addresses.containsKey(nodeId)) {
            boolean _ = note(nodeId, incarnation, host, port);
        }
    }

    /** Tells whether it is a new bearer. What is told of an earlier one comes too late. */
    private synchronized boolean note(int nodeId, int incarnation, String host, int port) {
        int known = incarnationOf(nodeId);
        if (incarnation < known) {
            return false;
        }
        boolean isNew = incarnation > known;
        if (isNew) {
            incarnations.put(nodeId, incarnation);
        }
        if (!host.isEmpty()) {
            addresses.put(nodeId, InetSocketAddress.createUnresolved(host, port));
            turns.remove(nodeId);
        }
        return isNew;
    }

    void remove(int nodeId) {
        addresses.remove(nodeId);
    }
}
