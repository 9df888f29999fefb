package org.starling.net.internal;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.net.NodeLostException;
import org.starling.net.TestLimits;

/**
 * Three nodes on a loopback whose receiving threads are stepped by hand, for Lincheck: {@link
 * Connections} as a whole, with {@link Links}, both kinds of links and the transport. Node 1 may
 * keep one connection and sends to two nodes, so it always retires one; node 2 sends to node 1 from
 * any thread, perhaps while node 1 connects to it; the connection of these two breaks now and then.
 *
 * <p>Nothing comes twice or out of order, and nothing is missing unless a connection broke; nobody
 * is lost then either, and what comes behind something missing comes when the break has been
 * counted; and if one broke while only one of its ends was sending, each end loses the other once.
 * (If both were, one may have begun to connect when it hears of the loss, and what it then gives up
 * is a second loss to the other.) When all is quiet both ends see the same connections, no more
 * than node 1 may keep, and no memory is held back.
 */
public abstract class ConnectionsScenario {

    private static final int TYPE = 1;
    private static final int FRAME_BYTES = 16;
    private static final int MAX_VALUES = 32;

    /** In a row with nothing to do, for all to be quiet: a link is looked at in each. */
    private static final int QUIET_ROUNDS = 3;

    private static final int MAX_ROUNDS = 100;

    private static final TestLimits CONFIG =
            TestLimits.defaults().withRingBytes(Limits.MIN_BUFFER_BYTES);

    /** Nobody listens to losses, so they need not run. */
    private static final Workers WORKERS = new Workers(0, CONFIG.limits());

    static {
        WORKERS.close();
    }

    /** A node, and what it has got; all of it is confined to its receiving thread. */
    private final class Node {
        private final int id;
        private final LoopbackTransport transport = new LoopbackTransport(registry);
        private final Messenger messenger;
        private final int[] values = new int[MAX_VALUES];

        /** How often connections with the sender had broken when each came. */
        private final int[] breaks = new int[MAX_VALUES];

        private int count;

        /** Each reading of the clock is one later look for links to be retired. */
        private long nanos;

        private Node(int id, int maxConnections) {
            this.id = id;
            messenger =
                    new Messenger(
                            id,
                            transport,
                            CONFIG.config(),
                            CONFIG.withMaxConnections(maxConnections).limits(),
                            WORKERS,
                            () -> nanos += 1_000_000);
            messenger.handleRaw(
                    TYPE,
                    (source, address, bytes) -> {
                        breaks[count] = messenger.breaks(source);
                        values[count++] = (int) NativeMemory.getLong(address);
                    });
            transport.enroll(messenger, null);
        }

        private int round() {
            messenger.enterReceivingThread();
            return transport.doWork();
        }
    }

    private final LoopbackRegistry registry = new LoopbackRegistry(null);
    private final Node one = new Node(1, 1);
    private final Node two = new Node(2, 8);
    private final Node three = new Node(3, 8);
    private final AtomicInteger lastValue = new AtomicInteger();

    /** Who has committed a value, 0 for nobody; each element is written by who drew the value. */
    private final long[] threads = new long[MAX_VALUES];

    /** Where a value was sent; as above. */
    private final Node[] targets = new Node[MAX_VALUES];

    /** Links of which somebody has seen that they broke; each element is written by one thread. */
    private final OutgoingLink[] broken = new OutgoingLink[MAX_VALUES];

    private final AtomicInteger brokenCount = new AtomicInteger();
    private volatile boolean isTwoSending;

    /** Begins with one connection too many, which has said goodbye. */
    ConnectionsScenario() {
        sendFromOne();
        one.round();
    }

    // ---- what happens
    // -----------------------------------------------------------------------------------------

    /** The receiving thread of node 1 sends, as an INLINE handler does; it never waits. */
    @Operation(nonParallelGroup = "receiving thread of 1")
    public void sendFromOne() {
        one.messenger.enterReceivingThread();
        send(one, two);
        send(one, three);
    }

    /** It sees a connection break and sends anew. */
    @Operation(nonParallelGroup = "receiving thread of 1")
    public void breakAndSendFromOne() {
        breakConnection();
        one.messenger.enterReceivingThread();
        send(one, two);
    }

    /** Node 1 takes up what there is, and retires. */
    @Operation(nonParallelGroup = "receiving thread of 1")
    public void roundOfOne() {
        one.round();
    }

    /** The others take up what there is, and say farewell. */
    @Operation(nonParallelGroup = "receiving threads of 2 and 3")
    public void roundOfTheOthers() {
        two.round();
        three.round();
    }

    /** Some thread of node 2 sends. */
    @Operation
    public void sendFromTwoToOne() {
        isTwoSending = true;
        send(two, one);
    }

    /** Some thread of node 1 sends over a connection that is there: it would have to wait else. */
    @Operation
    public void sendOverWhatIsThere() {
        OutgoingLink link = one.messenger.links().existing(two.id);
        if (link != null && link.state() == LinkState.OPEN) {
            long address = link.claim(FRAME_BYTES, true);
            if (address != OutgoingRing.CLOSED) {
                commit(link, address, two);
            }
        }
    }

    /** Some thread of node 1 sees a connection break. */
    @Operation
    public void breakConnection() {
        OutgoingLink seen = connectionWithTwo();
        if (seen != null
                && (seen.state() == LinkState.OPEN || seen.state() == LinkState.RETIRING)) {
            broken[brokenCount.getAndIncrement()] = seen;
            lose(one.messenger, seen);
        }
    }

    private @Nullable OutgoingLink connectionWithTwo() {
        Links links = one.messenger.links();
        OutgoingLink present = links.existing(two.id);
        return present != null
                ? present
                : links.retiring().filter(link -> link.peer() == two.id).findAny().orElse(null);
    }

    /** As {@link RingSender} does it. */
    private void send(Node source, Node target) {
        try {
            OutgoingLink link = link(source.messenger, target.id);
            long address = link.claim(FRAME_BYTES, true);
            while (address == OutgoingRing.CLOSED) {
                link = source.messenger.connections().linkAfter(link, System.nanoTime());
                address = link.claim(FRAME_BYTES, true);
            }
            commit(link, address, target);
        } catch (NodeLostException e) {
            if (brokenCount.get() == 0) {
                throw new IllegalStateException("no connection broke", e);
            }
        }
    }

    private void commit(OutgoingLink link, long address, Node target) {
        int value = lastValue.incrementAndGet();
        targets[value] = target;
        threads[value] = Thread.currentThread().threadId();
        NativeMemory.putLong(address + FrameLayout.HEADER_BYTES, value);
        link.commit(address, FrameLayout.header(FrameLayout.RAW, TYPE, FRAME_BYTES));
    }

    // ---- where the twins go wrong
    // -----------------------------------------------------------------------------

    OutgoingLink link(Messenger messenger, int node) {
        return messenger.connections().link(node);
    }

    void lose(Messenger messenger, OutgoingLink link) {
        messenger.lost(link, "it broke");
    }

    // ---- the promise
    // ------------------------------------------------------------------------------------------

    /** Checks the promise. */
    @Validate
    public void connectionsKeepTheirPromise() {
        settle();
        for (Node node : new Node[] {one, two, three}) {
            checkReceived(node);
        }
        checkLosses();
        checkConnection(one, two);
        checkConnection(two, one);
        checkConnection(one, three);
        checkLimit();
        checkMemory();
    }

    private void settle() {
        int quiet = 0;
        for (int i = 0; quiet < QUIET_ROUNDS; i++) {
            if (i > MAX_ROUNDS) {
                throw new IllegalStateException("there is always something to do");
            }
            quiet = one.round() + two.round() + three.round() == 0 ? quiet + 1 : 0;
        }
    }

    private void checkReceived(Node node) {
        int sent = 0;
        for (int value = 1; value <= lastValue.get(); value++) {
            sent += targets[value] == node ? 1 : 0;
        }
        boolean isSafe = brokenCount.get() == 0 || node == three;
        if (node.count > sent || (node.count < sent && isSafe)) {
            throw new IllegalStateException(
                    node.count + " of " + sent + " have come to node " + node.id);
        }
        for (int i = 0; i < node.count; i++) {
            if (node.breaks[i] == 0) {
                checkNothingIsMissing(node, i);
            }
            for (int j = 0; j < i; j++) {
                int earlier = node.values[j];
                int later = node.values[i];
                if (earlier == later || (threads[earlier] == threads[later] && earlier > later)) {
                    throw new IllegalStateException(earlier + " came before " + later);
                }
            }
        }
    }

    /** Whoever has heard of no break when something came has all that its sender sent before. */
    private void checkNothingIsMissing(Node node, int index) {
        int value = node.values[index];
        for (int earlier = 1; earlier < value; earlier++) {
            int sought = earlier;
            if (targets[earlier] == node
                    && threads[earlier] == threads[value]
                    && Arrays.stream(node.values, 0, index).noneMatch(one -> one == sought)) {
                throw new IllegalStateException(
                        earlier + " is missing, and nobody has said so when " + value + " came");
            }
        }
    }

    private void checkLosses() {
        int connections = 0;
        for (int i = 0; i < brokenCount.get(); i++) {
            boolean isFirst = true;
            for (int j = 0; j < i; j++) {
                isFirst &= broken[j] != broken[i];
            }
            connections += isFirst ? 1 : 0;
        }
        long lostByOne = one.messenger.connections().lostCount();
        long lostByTwo = two.messenger.connections().lostCount();
        boolean isTooMuch = lostByOne > connections || lostByTwo > connections;
        if (isTooMuch && (connections == 0 || !isTwoSending)) {
            throw new IllegalStateException(
                    connections + " broke, lost were " + lostByOne + " and " + lostByTwo);
        }
        if (three.messenger.connections().lostCount() > 0) {
            throw new IllegalStateException("node 3 has lost somebody");
        }
    }

    private static void checkConnection(Node source, Node target) {
        OutgoingLink out = source.messenger.links().existing(target.id);
        IncomingLink in = target.messenger.links().existingIncoming(source.id);
        if (out == null ? in != null : in == null || in.isClosed() || in.attachment() != out) {
            throw new IllegalStateException(
                    "nodes " + source.id + " and " + target.id + " see different connections");
        }
        if (out != null && out.state() != LinkState.OPEN) {
            throw new IllegalStateException("a connection is left " + out.state());
        }
        if (source.messenger.links().retiring().findAny().isPresent()) {
            throw new IllegalStateException("a connection retires for ever");
        }
    }

    private void checkLimit() {
        long open = one.messenger.links().outgoing().count();
        if (open > 1
                && one.messenger
                        .links()
                        .outgoing()
                        .allMatch(link -> link.ring().claimedPosition() > 0)) {
            throw new IllegalStateException(open + " connections are open");
        }
    }

    private void checkMemory() {
        for (Node node : new Node[] {one, two, three}) {
            node.messenger.connections().breakAll();
        }
        for (Node node : new Node[] {one, two, three}) {
            node.messenger.connections().dispose();
            if (!node.messenger.links().sweep()) {
                throw new IllegalStateException("node " + node.id + " leaves a ring behind");
            }
        }
    }

    /** The connections themselves. */
    public static final class Real extends ConnectionsScenario {}

    /** Connects a new link while the one before it still waits for its farewell. */
    public static final class HoldsNothingBack extends ConnectionsScenario {
        @Override
        OutgoingLink link(Messenger messenger, int node) {
            OutgoingLink made = new OutgoingLink(node, messenger);
            if (messenger.links().existing(node) == null && messenger.links().add(made)) {
                messenger.transport().connect(made);
                return made;
            }
            made.close(LinkState.LOST, "not needed");
            made.tryRelease();
            return super.link(messenger, node);
        }
    }

    /** Who sees a connection break loses whatever connection there is by then. */
    public static final class LosesWhatIsThere extends ConnectionsScenario {
        @Override
        void lose(Messenger messenger, OutgoingLink link) {
            OutgoingLink present = messenger.links().existing(link.peer());
            super.lose(messenger, present == null ? link : present);
        }
    }
}
