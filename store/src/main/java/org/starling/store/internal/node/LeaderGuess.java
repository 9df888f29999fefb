package org.starling.store.internal.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which superpeer to ask: the one that answered last, or the one it named, or the next in turn.
 * Shared by everything of a node that asks superpeers, so that one finds the leader for all. Any
 * thread.
 */
final class LeaderGuess {
    private final int superpeers;
    private final AtomicInteger guess = new AtomicInteger();

    /**
     * A first guess.
     *
     * @param superpeers how many there are; their node ids are the first
     * @param first whom to ask first
     */
    LeaderGuess(int superpeers, int first) {
        this.superpeers = superpeers;
        guess.set(first);
    }

    int superpeers() {
        return superpeers;
    }

    int current() {
        return guess.get();
    }

    /** A node says of itself that it leads. */
    void leads(int node) {
        if (node >= 0 && node < superpeers) {
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
        boolean isNamed = leader >= 0 && leader < superpeers && leader != asked;
        guess.compareAndSet(asked, isNamed ? leader : next(asked));
        return isNamed;
    }

    /** The asked one does not answer. */
    void failed(int asked) {
        guess.compareAndSet(asked, next(asked));
    }

    private int next(int node) {
        return (node + 1) % superpeers;
    }
}
