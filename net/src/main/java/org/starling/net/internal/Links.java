package org.starling.net.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetStatistics;

/**
 * The table of connections by node id: present links, outgoing links that wait for the peer's
 * farewell, what connections that were closed on purpose have left for the next ones, and closed
 * links whose memory a slow producer may still be writing to.
 *
 * <p>A node has at most one outgoing link that retires. A new one made meanwhile is held back until
 * that has ended, so that bytes of the two never overtake each other.
 *
 * <p>Owned by {@link Connections}. Thread-safe. Lookups read volatile arrays that are copied on
 * change; changes and all other fields are guarded by this. Nothing waits or calls out under the
 * lock.
 */
final class Links {

    /**
     * How much a link had sent when it was looked at last, and in which of the last looks it had
     * sent more than before, the last look in the highest bit: compared as an unsigned number, this
     * is the aging approximation of least-recently-used.
     */
    private record Use(long position, long history) {}

    private static final Use NEVER = new Use(0, 0);

    private final List<OutgoingLink> dying = new ArrayList<>();
    private final Map<Integer, Backlog> backlogs = new HashMap<>();
    private final Map<Integer, Long> debts = new HashMap<>();
    private final Map<Integer, Use> uses = new HashMap<>();

    /** How often each node was taken out with something that may have been on its way. */
    private final Map<Integer, Integer> breaks = new ConcurrentHashMap<>();

    private volatile @Nullable OutgoingLink[] outgoing = new OutgoingLink[0];
    private volatile @Nullable OutgoingLink[] retiring = new OutgoingLink[0];
    private volatile @Nullable IncomingLink[] incoming = new IncomingLink[0];

    // ---- lookups

    /** The outgoing link to a node, if there is one. */
    @Nullable OutgoingLink existing(int node) {
        return at(outgoing, node);
    }

    /** The incoming link from a node, if there is one. */
    @Nullable IncomingLink existingIncoming(int node) {
        return at(incoming, node);
    }

    /** See {@code Network.breaks}: counted before there can be a new link. */
    int breaks(int node) {
        return breaks.getOrDefault(node, 0);
    }

    /** Whether a link has not been taken out; once it is out it stays so. */
    boolean isInPlace(Link link) {
        return switch (link) {
            case OutgoingLink out -> existing(out.peer()) == out || at(retiring, out.peer()) == out;
            case IncomingLink in -> existingIncoming(in.peer()) == in;
        };
    }

    /** Outgoing links in place now. */
    Stream<OutgoingLink> outgoing() {
        return present(outgoing);
    }

    /** Outgoing links that wait for a farewell now. */
    Stream<OutgoingLink> retiring() {
        return present(retiring);
    }

    /** Incoming links in place now. */
    Stream<IncomingLink> incoming() {
        return present(incoming);
    }

    /** Nodes with a link, ascending; one that is just being retired is never missed. */
    synchronized IntStream nodes() {
        int bound = Math.max(Math.max(outgoing.length, incoming.length), retiring.length);
        return Arrays.stream(
                IntStream.range(0, bound)
                        .filter(node ->
                                at(outgoing, node) != null
                                        || at(incoming, node) != null
                                        || at(retiring, node) != null)
                        .toArray());
    }

    /** What the present links have carried, by node. */
    List<NetStatistics.Connection> statistics() {
        List<NetStatistics.Connection> connections = new ArrayList<>();
        nodes().forEach(node -> {
            OutgoingLink out = existing(node);
            IncomingLink in = existingIncoming(node);
            if (out != null || in != null) {
                connections.add(statistics(node, out, in));
            }
        });
        return connections;
    }

    // ---- links come

    /** Puts a new link in place unless there is one; holds it back while another one retires. */
    synchronized boolean add(OutgoingLink link) {
        if (existing(link.peer()) != null) {
            return false;
        }
        Long debt = debts.remove(link.peer());
        if (debt != null) {
            link.carry(debt);
        }
        if (at(retiring, link.peer()) != null) {
            link.holdBack();
        }
        outgoing = with(outgoing, link.peer(), link);
        return true;
    }

    /** Puts a new link in place unless there is one. */
    synchronized boolean add(IncomingLink link) {
        if (existingIncoming(link.peer()) != null) {
            return false;
        }
        incoming = with(incoming, link.peer(), link);
        return true;
    }

    /** Takes what a connection that the peer has closed on purpose has left, if anything. */
    synchronized @Nullable Backlog takeBacklog(int node) {
        return backlogs.remove(node);
    }

    // ---- links go

    /** Takes a link out that never carried anything; false when it is not in place any more. */
    synchronized boolean remove(OutgoingLink link) {
        if (existing(link.peer()) != link) {
            return false;
        }
        outgoing = with(outgoing, link.peer(), null);
        return true;
    }

    /** Takes all links of a node out. */
    synchronized List<Link> removeAll(int node) {
        List<Link> removed = new ArrayList<>();
        for (Link link :
                new @Nullable Link[] {existing(node), at(retiring, node), existingIncoming(node)}) {
            if (link != null) {
                removed.add(link);
            }
        }
        if (removed.stream().anyMatch(Links::hasCarried)) {
            breaks.merge(node, 1, Integer::sum);
        }
        if (!removed.isEmpty()) {
            outgoing = with(outgoing, node, null);
            retiring = with(retiring, node, null);
            incoming = with(incoming, node, null);
        }
        debts.remove(node);
        backlogs.remove(node);
        uses.remove(node);
        return removed;
    }

    /** Whether the loss of a link is news. */
    static boolean hasCarried(Link link) {
        return !(link instanceof OutgoingLink out) || out.hasCarried();
    }

    /**
     * Takes all links of a node out if the given one is among them: only one of the threads that
     * see a node lost gets them.
     */
    synchronized List<Link> removeAllWith(Link link) {
        return isInPlace(link) ? removeAll(link.peer()) : List.of();
    }

    /** A link has said goodbye: makes way for the next one. */
    synchronized void retire(OutgoingLink link) {
        if (existing(link.peer()) == link) {
            outgoing = with(outgoing, link.peer(), null);
            retiring = with(retiring, link.peer(), link);
        }
    }

    /**
     * The peer has said farewell to a link.
     *
     * @param debtBytes what the peer has not done with; counts against the window of the next link
     * @return the link that was held back for this one and is to be connected now, if any
     */
    synchronized @Nullable OutgoingLink endRetirement(OutgoingLink link, long debtBytes) {
        int node = link.peer();
        if (existing(node) == link) { // the farewell came before the goodbye was filed
            outgoing = with(outgoing, node, null);
        } else if (at(retiring, node) == link) {
            retiring = with(retiring, node, null);
        } else {
            return null;
        }
        OutgoingLink next = existing(node);
        if (next != null) {
            next.carry(debtBytes);
        } else if (debtBytes > 0) {
            debts.put(node, debtBytes);
        }
        return next;
    }

    /** The peer has said goodbye on a link: makes way for its next one, which takes the backlog. */
    synchronized void depart(IncomingLink link) {
        if (existingIncoming(link.peer()) == link) {
            incoming = with(incoming, link.peer(), null);
            backlogs.put(link.peer(), link.backlog());
        }
    }

    /** Notes which links were used since the last look; whenever a link has opened. */
    synchronized void look() {
        outgoing()
                .forEach(link -> {
                    long position = link.ring().claimedPosition();
                    Use last = uses.getOrDefault(link.peer(), NEVER);
                    long used = position == last.position() ? 0 : Long.MIN_VALUE;
                    uses.put(link.peer(), new Use(position, last.history() >>> 1 | used));
                });
    }

    /** Open outgoing links, the least recently used first; of equal ones the quiet ones first. */
    synchronized List<OutgoingLink> byUse() {
        record Candidate(OutgoingLink link, long history, boolean isBusy) {}
        return outgoing()
                .filter(link -> link.state() == LinkState.OPEN)
                .map(link -> {
                    long history = uses.getOrDefault(link.peer(), NEVER).history();
                    return new Candidate(link, history, !link.isQuiet());
                })
                .sorted(
                        Comparator.comparing(Candidate::history, Long::compareUnsigned)
                                .thenComparing(Candidate::isBusy))
                .map(Candidate::link)
                .toList();
    }

    // ---- memory of closed links

    /** Keeps a closed link until its ring can be released, and releases those that can be. */
    synchronized void bury(OutgoingLink link) {
        dying.add(link);
        sweep();
    }

    /**
     * Releases the rings of closed links where no producer is writing any more; true when none is
     * left.
     */
    synchronized boolean sweep() {
        dying.removeIf(OutgoingLink::tryRelease);
        return dying.isEmpty();
    }

    // ---- private

    private static NetStatistics.Connection statistics(
            int node, @Nullable OutgoingLink out, @Nullable IncomingLink in) {
        return new NetStatistics.Connection(
                node,
                out == null ? 0 : out.ring().sentFrames(),
                out == null ? 0 : out.ring().sentPosition(),
                out == null ? 0 : out.ring().writes(),
                out == null ? 0 : out.stalls(),
                out == null ? 0 : out.stallNanos(),
                out == null ? 0 : out.unconfirmedBytes(),
                in == null ? 0 : in.receivedFrames(),
                in == null ? 0 : in.receivedBytes());
    }

    private static <L extends Link> @Nullable L at(@Nullable L[] links, int node) {
        return node >= 0 && node < links.length ? links[node] : null;
    }

    private static <L extends Link> @Nullable L[] with(
            @Nullable L[] links, int node, @Nullable L link) {
        if (link == null && at(links, node) == null) {
            return links;
        }
        @Nullable L[] copy = Arrays.copyOf(links, Math.max(links.length, node + 1));
        copy[node] = link;
        return copy;
    }

    private static <L extends Link> Stream<L> present(@Nullable L[] links) {
        return Arrays.stream(links).filter(Objects::nonNull).map(Objects::requireNonNull);
    }
}
