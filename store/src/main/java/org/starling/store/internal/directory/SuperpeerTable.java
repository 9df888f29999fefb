package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.starling.store.NodeOptions;
import org.starling.store.internal.directory.SuperpeerInfo.State;

/**
 * Who the superpeers are: those of the founding, those that were taken in since, without those that
 * were removed (docs/design/directory.md, "Superpeers come and go"). Their node ids are never a
 * peer's, nor another superpeer's. A part of {@link NodeTable} and guarded like it.
 */
final class SuperpeerTable {
    /** The most superpeers. */
    static final int MAX_SUPERPEERS = NodeOptions.MAX_SUPERPEERS;

    private final TreeMap<Integer, SuperpeerInfo> all = new TreeMap<>();

    /** Node ids below were superpeers' from the first. */
    private int founded;

    /** Ids of those that were removed. */
    private final TreeSet<Integer> retired = new TreeSet<>();

    void found(int count) {
        founded = count;
        for (int node = 0; node < count; node++) {
            all.put(node, new SuperpeerInfo(node, "", 0, State.VOTING));
        }
    }

    /** Looks whether one can be taken in at a place; why not, or empty. */
    Optional<String> refusal(String host, int port) {
        Optional<SuperpeerInfo> there = at(host, port);
        if (there.isPresent()) {
            return there.filter(one -> one.state() == State.LEAVING)
                    .map(one ->
                            "superpeer "
                                    + one.node()
                                    + " at that address is just being removed; start this one again"
                                    + " when that is done");
        }
        return all.size() < MAX_SUPERPEERS
                ? Optional.empty()
                : Optional.of("a cluster has at most " + MAX_SUPERPEERS + " superpeers");
    }

    /** The superpeer at an address; on the loopback none has one. */
    Optional<SuperpeerInfo> at(String host, int port) {
        return host.isEmpty()
                ? Optional.empty()
                : all.values().stream()
                        .filter(one -> one.port() == port && one.host().equalsIgnoreCase(host))
                        .findFirst();
    }

    void join(int node, String host, int port) {
        all.put(node, new SuperpeerInfo(node, host, port, State.JOINING));
    }

    /**
     * One has started; it votes from now on.
     *
     * @return whether that is news
     */
    boolean started(int node, String host, int port) {
        SuperpeerInfo now = new SuperpeerInfo(node, host, port, State.VOTING);
        return !now.equals(all.put(node, now));
    }

    /**
     * Looks whether one can be removed: the others must be able to decide without it.
     *
     * @param isUp whether a superpeer is a member now
     * @return why not; empty if it can
     */
    Optional<String> refusal(int node, IntPredicate isUp) {
        SuperpeerInfo leaver = all.get(node);
        if (leaver != null && leaver.state() == State.JOINING) {
            return Optional.empty(); // it has no vote, so nobody misses it
        }
        List<SuperpeerInfo> others =
                all.values().stream()
                        .filter(one -> one.node() != node && one.state() == State.VOTING)
                        .toList();
        if (others.isEmpty()) {
            return Optional.of(
                    "node "
                            + node
                            + " is the last superpeer, and without one there is no cluster: add"
                            + " another first (starling node --role superpeer)");
        }
        long up = others.stream().filter(one -> isUp.test(one.node())).count();
        if (up > others.size() / 2 || !isUp.test(node)) { // without who is down it gets no worse
            return Optional.empty();
        }
        return Optional.of(
                "without superpeer %d there would be %d, of which %d %s up, and no majority: start those that are down, or add others first"
                        .formatted(node, others.size(), up, up == 1 ? "is" : "are"));
    }

    /** One is to be none any more; tells whether that is news. */
    boolean leave(int node) {
        SuperpeerInfo one = all.get(node);
        if (one == null || one.state() == State.LEAVING) {
            return false;
        }
        all.put(node, one.with(State.LEAVING));
        return true;
    }

    /** One that was to leave has no vote any more; tells whether there was one. */
    boolean retire(int node) {
        if (state(node) != State.LEAVING) {
            return false;
        }
        all.remove(node);
        retired.add(node);
        return true;
    }

    // queries

    /** Whether an id is, or was, a superpeer's, or is set aside for one. */
    boolean isTaken(int node) {
        return (node >= 0 && node < founded) || all.containsKey(node) || retired.contains(node);
    }

    boolean isRetired(int node) {
        return retired.contains(node);
    }

    /** Whether a node is one of those that decide. */
    boolean votes(int node) {
        State state = state(node);
        return state == State.VOTING || state == State.LEAVING;
    }

    boolean contains(int node) {
        return all.containsKey(node);
    }

    @Nullable State state(int node) {
        SuperpeerInfo one = all.get(node);
        return one == null ? null : one.state();
    }

    /** By ascending id; a copy. */
    List<SuperpeerInfo> copy() {
        return new ArrayList<>(all.values());
    }

    int size() {
        return all.size();
    }

    int founded() {
        return founded;
    }

    SortedSet<Integer> retired() {
        return retired;
    }

    // for the snapshot

    void restore(int foundedWith, Collection<SuperpeerInfo> superpeers, Collection<Integer> gone) {
        founded = foundedWith;
        superpeers.forEach(one -> all.put(one.node(), one));
        retired.addAll(gone);
    }
}
