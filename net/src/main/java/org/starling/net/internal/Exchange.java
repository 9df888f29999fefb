package org.starling.net.internal;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Handler;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NetConfig;
import org.starling.net.NetException;
import org.starling.net.NetStatistics;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.RawHandler;
import org.starling.net.RawSender;
import org.starling.net.Request;
import org.starling.net.Transport;

/**
 * The inside of a network: links, handlers, requests and workers around one transport.
 *
 * <p>Owned by {@link org.starling.net.Network}. Sending methods are called by any thread; {@link
 * #doWork} by the transport's receiving thread; {@link #accept}, {@link #opened}, {@link #lost},
 * {@link #departed} and {@link #malformed} by the transport. Both directions to a peer are lost
 * together, once.
 */
public final class Exchange {

    private static final Logger LOGGER = LogManager.getLogger(Exchange.class);
    private static final int SEND_ATTEMPTS = 3;
    private static final long CLOSE_FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int nodeId;
    private final Transport transport;
    private final NetConfig config;
    private final Workers workers;
    private final OrderedLane events;
    private final RequestTable requests;
    private final Registry registry = new Registry();
    private final Dispatcher dispatcher;
    private final MessageSender sender;
    private final Links links = new Links();
    private final Queue<Link> closedLinks = new ConcurrentLinkedQueue<>();
    private final List<IntConsumer> lossListeners = new CopyOnWriteArrayList<>();
    private final AtomicLong overflowBytes = new AtomicLong();
    private final AtomicLong transportBytes = new AtomicLong();
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** Published by the transport before the thread does anything. */
    private volatile @Nullable Thread receivingThread;

    public Exchange(int nodeId, Transport transport, NetConfig config) {
        if (nodeId < 0 || nodeId > HandshakeLayout.MAX_NODE_ID) {
            throw new IllegalArgumentException(
                    "node id must be 0.." + HandshakeLayout.MAX_NODE_ID + ", found " + nodeId);
        }
        this.nodeId = nodeId;
        this.transport = transport;
        this.config = config;
        this.workers = new Workers(nodeId, config);
        this.events = new OrderedLane(workers);
        this.requests = new RequestTable(System::nanoTime, config.maxPendingRequests());
        this.dispatcher = new Dispatcher(this, registry, requests, workers);
        this.sender = new MessageSender(config);
    }

    // ---- life cycle
    // -------------------------------------------------------------------------------------------

    /** Starts the transport and the threads. */
    public void open() {
        try {
            transport.start(this);
        } catch (RuntimeException e) {
            workers.close();
            throw e;
        }
        requests.start("net-timer-" + nodeId);
    }

    /** Sends what is committed, breaks all connections, ends all threads, releases all memory. */
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        awaitDrained();
        peers().forEach(peer -> detach(peer, "this network is closed"));
        transport.close();
        requests.close();
        workers.close();
        dispatcher.close();
        dispose();
        awaitSwept();
    }

    // ---- registration
    // -----------------------------------------------------------------------------------------

    public void handle(MessageType<?> type, Execution execution, Handler<?> handler) {
        registry.handle(type, execution, handler);
    }

    public void serve(MessageType<?> type, Execution execution, AsyncServer<?, ?> server) {
        registry.serve(type, execution, server);
    }

    public void handleRaw(int type, RawHandler handler) {
        registry.handleRaw(type, handler);
    }

    public void onNodeLost(IntConsumer listener) {
        lossListeners.add(listener);
    }

    // ---- sending
    // ----------------------------------------------------------------------------------------------

    public void send(int node, Message message) {
        send(node, FrameLayout.MESSAGE, message, 0, false);
    }

    /** Sends an answer; it passes full windows. */
    void answer(int node, int kind, Message message, long correlation) {
        send(node, kind, message, correlation, true);
    }

    public <R extends Message> CompletableFuture<R> request(
            int node, Request<R> request, Duration timeout, boolean isExempt) {
        CompletableFuture<R> future = new CompletableFuture<>();
        long correlation = requests.add(node, request, timeout, future);
        try {
            send(node, FrameLayout.REQUEST, request, correlation, isExempt);
        } catch (RuntimeException | Error e) {
            if (requests.take(correlation, node) != null) {
                future.completeExceptionally(e);
            }
        }
        return future;
    }

    public <R extends Message> R call(int node, Request<R> request, Duration timeout)
            throws InterruptedException {
        if (isReceivingThread()) {
            throw new IllegalStateException(
                    "a call on the receiving thread would wait for itself: "
                            + request.type()
                            + "; use request(), or register the handler as WORKER");
        }
        CompletableFuture<R> future = request(node, request, timeout, Workers.isWorkerThread());
        OutgoingLink link = links.existing(node);
        if (link != null) {
            transport.flush(link); // nobody else is to be waited for
        }
        Backoff backoff = new Backoff(config.waiting());
        boolean isAwake = true;
        while (isAwake && !future.isDone()) {
            isAwake = backoff.pauseAwake();
        }
        backoff.reset();
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                failure.addSuppressed(e); // shows where the call was made
                throw failure;
            }
            throw new NetException("request " + request.type() + " failed", e.getCause());
        }
    }

    public RawSender raw(int node) {
        checkNode(node);
        return new RingSender(this, node);
    }

    /** Breaks the connection with a node, if there is one; listeners here are not told. */
    public void disconnect(int node) {
        checkNode(node);
        detach(node, "disconnected");
    }

    // ---- called by the transport
    // ------------------------------------------------------------------------------

    /** Declares the calling thread to be the receiving thread. */
    public void enterReceivingThread() {
        receivingThread = Thread.currentThread();
    }

    public boolean isReceivingThread() {
        return Thread.currentThread().equals(receivingThread);
    }

    /**
     * Housekeeping of the receiving thread, to be called in every round; returns how much there was
     * to do.
     */
    public int doWork() {
        int work = closedLinks.isEmpty() ? 0 : dispose();
        if (overflowBytes.get() > 0) {
            boolean wasHigh = isOverflowHigh();
            work +=
                    (int)
                            links.outgoing()
                                    .filter(OutgoingLink::moveOverflow)
                                    .peek(transport::flush)
                                    .count();
            if (wasHigh && !isOverflowHigh()) {
                links.incoming().forEach(link -> link.handled(0));
            }
        }
        return work;
    }

    /**
     * A peer has connected to this node; an older connection of the same peer is lost.
     *
     * @throws NodeLostException when this node is being closed
     */
    public IncomingLink accept(int peer) {
        IncomingLink link = new IncomingLink(peer, this);
        while (!links.add(link)) {
            IncomingLink old = links.existingIncoming(peer);
            if (old != null) {
                lost(old, "it has connected anew");
            }
        }
        if (isClosed.get()) { // what close() has not seen
            if (links.remove(link)) {
                finish(link, "closed");
            }
            throw new NodeLostException(nodeId, "node " + nodeId + " is closed");
        }
        return link;
    }

    /** A link is connected. */
    public void opened(OutgoingLink link) {
        link.opened();
    }

    /**
     * A link is broken: takes both directions out, ends requests, tells listeners. Once per link.
     */
    public void lost(Link link, String reason) {
        boolean isNews = !(link instanceof OutgoingLink out) || out.hasCarried();
        if (links.remove(link)) {
            finish(link, reason);
            detach(link.peer(), reason);
            lost.incrementAndGet();
            LOGGER.debug("node {} lost node {}: {}", nodeId, link.peer(), reason);
            if (isNews && !isClosed.get()) {
                events.add(() -> tellListeners(link.peer()));
            }
        }
    }

    /** A peer has closed its idle connection to this node on purpose. */
    public void departed(IncomingLink link) {
        if (links.remove(link)) {
            finish(link, "closed by the peer");
        }
    }

    /** A peer has sent bytes that make no sense. */
    public void malformed(Link link, MalformedMessageException cause) {
        malformed.incrementAndGet();
        LOGGER.warn(
                "node {} closes the connection with node {}: {}",
                nodeId,
                link.peer(),
                cause.getMessage());
        lost(link, "it sent malformed bytes: " + cause.getMessage());
    }

    /** Somebody who is no node of this cluster, or no node at all, was turned away. */
    public void refused(String reason) {
        refused.incrementAndGet();
        LOGGER.warn("node {} refused a connection: {}", nodeId, reason);
    }

    /** The transport has taken native memory, or given it back if {@code bytes} is negative. */
    void transportHolds(long bytes) {
        transportBytes.addAndGet(bytes);
    }

    // ---- accessors
    // --------------------------------------------------------------------------------------------

    public int nodeId() {
        return nodeId;
    }

    public NetConfig config() {
        return config;
    }

    public @Nullable InetSocketAddress localAddress() {
        return transport.localAddress();
    }

    public NetStatistics statistics() {
        return new NetStatistics(
                links.statistics(),
                malformed.get(),
                refused.get(),
                dispatcher.unhandled(),
                workers.failures(),
                lost.get(),
                overflowBytes.get()
                        + transportBytes.get()
                        + links.outgoing().count() * config.ringBytes());
    }

    Transport transport() {
        return transport;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Workers workers() {
        return workers;
    }

    Links links() {
        return links;
    }

    boolean hasOverflow() {
        return overflowBytes.get() > 0;
    }

    boolean isOverflowHigh() {
        return overflowBytes.get() > OverflowQueue.HIGH_WATER_BYTES;
    }

    void overflowChanged(long bytes) {
        overflowBytes.addAndGet(bytes);
    }

    // ---- private
    // ----------------------------------------------------------------------------------------------

    private void send(int node, int kind, Message message, long correlation, boolean isExempt) {
        for (int attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
            OutgoingLink link = links.existing(node);
            if (link == null || link.state() != OutgoingLink.State.OPEN) {
                link = openLink(node);
            }
            if (sender.send(link, kind, message, correlation, isExempt)) {
                return;
            }
            if (link.state() == OutgoingLink.State.LOST) {
                throw link.lostException();
            }
        }
        throw new NodeLostException(
                node, "the connection with node " + node + " is closed again and again");
    }

    /** The link to a node, made if there is none; connected unless this is the receiving thread. */
    OutgoingLink openLink(int node) {
        checkNode(node);
        OutgoingLink link = links.existing(node);
        while (link == null) {
            if (isClosed.get()) {
                throw new NetException("the network of node " + nodeId + " is closed");
            }
            OutgoingLink made = new OutgoingLink(node, this);
            if (links.add(made)) {
                connect(made);
                link = made;
            } else {
                made.close(OutgoingLink.State.LOST, "another thread was first");
                made.tryRelease();
                link = links.existing(node);
            }
        }
        link.awaitSettled();
        if (link.state() == OutgoingLink.State.LOST) {
            throw link.lostException();
        }
        return link;
    }

    private void connect(OutgoingLink link) {
        try {
            transport.connect(link);
        } catch (NodeUnknownException e) { // no loss: there was nothing to lose
            if (links.remove(link)) {
                finish(link, String.valueOf(e.getMessage()));
            }
            throw e;
        } catch (RuntimeException e) {
            lost(link, String.valueOf(e.getMessage()));
            throw e;
        }
        if (links.outgoing().count() > config.maxConnections()) {
            OutgoingLink idle = links.leastUsed(link);
            if (idle != null && !requests.hasRequests(idle.peer()) && idle.retire()) {
                links.remove(idle);
                transport.flush(idle);
                finish(idle, "idle");
            }
        }
    }

    private static void checkNode(int node) {
        if (node < 0 || node > HandshakeLayout.MAX_NODE_ID) {
            throw new IllegalArgumentException(
                    "node id must be 0.." + HandshakeLayout.MAX_NODE_ID + ", found " + node);
        }
    }

    /** Takes both directions out without an event. */
    private void detach(int peer, String reason) {
        OutgoingLink out = links.existing(peer);
        if (out != null && links.remove(out)) {
            finish(out, reason);
        }
        IncomingLink in = links.existingIncoming(peer);
        if (in != null && links.remove(in)) {
            finish(in, reason);
        }
        requests.failAll(
                peer, node -> new NodeLostException(node, "node " + node + " is lost: " + reason));
    }

    /** Closes a link that has been taken out; its memory goes when nobody uses it any more. */
    private void finish(Link link, String reason) {
        switch (link) {
            case OutgoingLink out -> {
                out.close(OutgoingLink.State.LOST, reason);
                closedLinks.add(out);
                transport.disconnect(out);
                links.bury(out);
            }
            case IncomingLink in -> {
                in.close();
                closedLinks.add(in);
                transport.disconnect(in);
            }
        }
    }

    /** Releases what belongs to the receiving thread; on that thread, or after it has ended. */
    private int dispose() {
        int disposed = 0;
        for (Link link = closedLinks.poll(); link != null; link = closedLinks.poll()) {
            switch (link) {
                case OutgoingLink out -> out.dropOverflow();
                case IncomingLink in -> in.release();
            }
            disposed++;
        }
        if (disposed > 0) {
            links.sweep();
        }
        return disposed;
    }

    private void tellListeners(int peer) {
        for (IntConsumer listener : lossListeners) {
            try {
                listener.accept(peer);
            } catch (RuntimeException | Error e) {
                workers.failed("listener to the loss of node " + peer, e);
            }
        }
    }

    private IntStream peers() {
        return IntStream.range(0, links.nodeBound());
    }

    private void awaitDrained() {
        long deadline = System.nanoTime() + CLOSE_FLUSH_NANOS;
        Backoff backoff = new Backoff(config.waiting());
        while (!links.outgoing().allMatch(this::isDrained) && System.nanoTime() - deadline < 0) {
            backoff.pause();
        }
        backoff.reset();
    }

    private boolean isDrained(OutgoingLink link) {
        if (link.state() != OutgoingLink.State.OPEN || link.isQuiet()) {
            return true;
        }
        transport.flush(link);
        return false;
    }

    private void awaitSwept() {
        long deadline = System.nanoTime() + CLOSE_SWEEP_NANOS;
        Backoff backoff = new Backoff(config.waiting());
        while (!links.sweep()) {
            if (System.nanoTime() - deadline > 0) {
                LOGGER.warn(
                        "node {} leaves a ring behind: a sender has claimed and not committed",
                        nodeId);
                return;
            }
            backoff.pause();
        }
        backoff.reset();
    }
}
