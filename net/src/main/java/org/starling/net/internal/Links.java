package org.starling.net.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetStatistics;

/**
 * The present links by node id, and the closed ones whose memory a slow producer may still be
 * writing to.
 *
 * <p>Thread-safe. Lookups read a volatile array that is copied on change; changes and {@code dying}
 * are guarded by {@code lock}. Nothing waits or calls out under the lock.
 */
final class Links {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<OutgoingLink> dying = new ArrayList<>();
    private volatile @Nullable OutgoingLink[] outgoing = new OutgoingLink[0];
    private volatile @Nullable IncomingLink[] incoming = new IncomingLink[0];

    /**
     * The hand of the clock that looks for idle links, and the positions it saw last; guarded by
     * {@code lock}.
     */
    private int hand;

    private long[] seenPositions = new long[0];

    /** The outgoing link to a node, if there is one. */
    @Nullable OutgoingLink existing(int node) {
        @Nullable OutgoingLink[] links = outgoing;
        return node >= 0 && node < links.length ? links[node] : null;
    }

    /** The incoming link from a node, if there is one. */
    @Nullable IncomingLink existingIncoming(int node) {
        @Nullable IncomingLink[] links = incoming;
        return node >= 0 && node < links.length ? links[node] : null;
    }

    /** Puts a new link in place unless there is one. */
    boolean add(OutgoingLink link) {
        lock.lock();
        try {
            if (existing(link.peer()) != null) {
                return false;
            }
            @Nullable OutgoingLink[] copy =
                    Arrays.copyOf(outgoing, Math.max(outgoing.length, link.peer() + 1));
            copy[link.peer()] = link;
            outgoing = copy;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a new link in place unless there is one. */
    boolean add(IncomingLink link) {
        lock.lock();
        try {
            if (existingIncoming(link.peer()) != null) {
                return false;
            }
            @Nullable IncomingLink[] copy =
                    Arrays.copyOf(incoming, Math.max(incoming.length, link.peer() + 1));
            copy[link.peer()] = link;
            incoming = copy;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a link out; false when it is not in place any more. */
    boolean remove(Link link) {
        lock.lock();
        try {
            return switch (link) {
                case OutgoingLink out -> removeOutgoing(out);
                case IncomingLink in -> removeIncoming(in);
            };
        } finally {
            lock.unlock();
        }
    }

    /** Outgoing links in place now. */
    Stream<OutgoingLink> outgoing() {
        return Arrays.stream(outgoing).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** Incoming links in place now. */
    Stream<IncomingLink> incoming() {
        return Arrays.stream(incoming).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** One more than the largest node id with a link. */
    int nodeBound() {
        return Math.max(outgoing.length, incoming.length);
    }

    /** What the present links have carried, by node. */
    List<NetStatistics.Connection> statistics() {
        List<NetStatistics.Connection> connections = new ArrayList<>();
        for (int node = 0; node < nodeBound(); node++) {
            OutgoingLink out = existing(node);
            IncomingLink in = existingIncoming(node);
            if (out != null || in != null) {
                connections.add(statistics(node, out, in));
            }
        }
        return connections;
    }

    /**
     * An open outgoing link that was not used since this was last asked about it, or null;
     * second-chance clock.
     */
    @Nullable OutgoingLink leastUsed(OutgoingLink except) {
        lock.lock();
        try {
            @Nullable OutgoingLink[] links = outgoing;
            seenPositions =
                    Arrays.copyOf(seenPositions, Math.max(seenPositions.length, links.length));
            for (int i = 0; i < 2 * links.length; i++) {
                hand = (hand + 1) % links.length;
                OutgoingLink link = links[hand];
                if (link == null || link == except || link.state() != OutgoingLink.State.OPEN) {
                    continue;
                }
                long position = link.ring().claimedPosition();
                if (position == seenPositions[hand] && link.isQuiet()) {
                    return link;
                }
                seenPositions[hand] = position;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a closed link until its ring can be released, and releases those that can be. */
    void bury(OutgoingLink link) {
        lock.lock();
        try {
            dying.add(link);
        } finally {
            lock.unlock();
        }
        sweep();
    }

    /**
     * Releases the rings of closed links where no producer is writing any more; true when none is
     * left.
     */
    boolean sweep() {
        lock.lock();
        try {
            dying.removeIf(OutgoingLink::tryRelease);
            return dying.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private static NetStatistics.Connection statistics(
            int node, @Nullable OutgoingLink out, @Nullable IncomingLink in) {
        return new NetStatistics.Connection(
                node,
                out == null ? 0 : out.ring().sentFrames(),
                out == null ? 0 : out.ring().sentPosition(),
                out == null ? 0 : out.ring().writes(),
                out == null ? 0 : out.stalls(),
                out == null ? 0 : out.unconfirmedBytes(),
                in == null ? 0 : in.receivedFrames(),
                in == null ? 0 : in.receivedBytes());
    }

    private boolean removeOutgoing(OutgoingLink link) {
        if (existing(link.peer()) != link) {
            return false;
        }
        @Nullable OutgoingLink[] copy = outgoing.clone();
        copy[link.peer()] = null;
        outgoing = copy;
        return true;
    }

    private boolean removeIncoming(IncomingLink link) {
        if (existingIncoming(link.peer()) != link) {
            return false;
        }
        @Nullable IncomingLink[] copy = incoming.clone();
        copy[link.peer()] = null;
        incoming = copy;
        return true;
    }
}
