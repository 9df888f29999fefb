package org.starling.store.internal.node;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Which superpeer to ask: the one that answered last, or the one it named, or the next in turn of
 * those that are known. Shared by everything of a node that asks superpeers, so that one finds the
 * leader for all. Any thread.
 */
final class LeaderGuess {
    /** Ascending, at least one. Replaced as a whole. */
    private volatile List<Integer> superpeers;

    private final AtomicInteger guess = new AtomicInteger();

    /**
     * A first guess.
     *
     * @param superpeers how many there are; their node ids are the first
     * @param first whom to ask first
     */
    LeaderGuess(int superpeers, int first) {
        this(IntStream.range(0, superpeers).boxed().toList(), first);
    }

    LeaderGuess(Collection<Integer> superpeers, int first) {
        if (superpeers.isEmpty()) {
            throw new IllegalArgumentException("no superpeer is known");
        }
        this.superpeers = superpeers.stream().sorted().toList();
        guess.set(first);
    }

    /** Takes over who the superpeers are; nothing if there are none. */
    void know(Collection<Integer> now) {
        if (!now.isEmpty()) {
            superpeers = now.stream().sorted().toList();
        }
    }

    /** Takes over that there are others. */
    void knowMore(Collection<Integer> others) {
        superpeers =
                IntStream.concat(
                                superpeers.stream().mapToInt(Integer::intValue),
                                others.stream().mapToInt(Integer::intValue))
                        .distinct()
                        .sorted()
                        .boxed()
                        .toList();
    }

    boolean knows(int node) {
        return superpeers.contains(node);
    }

    /** Whether there is but one superpeer, so that nobody leads in its place. */
    boolean isSingle() {
        return superpeers.size() == 1;
    }

    int current() {
        return guess.get();
    }

    /** A node says of itself that it leads. */
    void leads(int node) {
        if (knows(node)) {
            guess.set(node);
        }
    }

    /**
     * The asked one does not lead.
     *
     * @param asked who was asked
     * @param leader whom it named, or less than 0
     * @return whether there is somebody else to ask at once
     */
    boolean redirect(int asked, int leader) {
        boolean isNamed = leader >= 0 && knows(leader) && leader != asked;
        guess.compareAndSet(asked, isNamed ? leader : next(asked));
        return isNamed;
    }

    /** The asked one does not answer. */
    void failed(int asked) {
        guess.compareAndSet(asked, next(asked));
    }

    private int next(int node) {
        List<Integer> all = superpeers;
        return all.stream().filter(each -> each > node).findFirst().orElse(all.getFirst());
    }
}
