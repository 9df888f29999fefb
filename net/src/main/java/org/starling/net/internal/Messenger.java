package org.starling.net.internal;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Handler;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.NetConfig;
import org.starling.net.NetException;
import org.starling.net.NetStatistics;
import org.starling.net.NodeLostException;
import org.starling.net.RawHandler;
import org.starling.net.RawSender;
import org.starling.net.Request;

/**
 * The inside of a network: puts connections, handlers, requests and workers together around one
 * transport, which calls what is marked as its own here, and asks for what it needs to know.
 *
 * <p>Owned by {@link org.starling.net.Network}. Sending methods are called by any thread.
 */
public final class Messenger {

    private static final Logger LOGGER = LogManager.getLogger(Messenger.class);

    private final int nodeId;
    private final Carrier transport;
    private final NetConfig config;
    private final Limits limits;
    private final Workers workers;
    private final RequestTable requests;
    private final Registry registry = new Registry();
    private final Dispatcher dispatcher;
    private final MessageSender sender;
    private final ReceiveBufferPool buffers;
    private final Connections connections;

    /**
     * Ends what a thread that only waits has taken in for others, in order; a thread of the system,
     * which waits for nobody's virtual threads, and goes when there is nothing for it.
     */
    private final Executor foreignAnswers;

    private final AtomicLong overflowBytes = new AtomicLong();
    private final AtomicLong transportBytes = new AtomicLong();

    /** Published by the transport before the thread does anything; written by who is it alone. */
    volatile @Nullable Thread receivingThread;

    /**
     * If that is a thread that only waits for an answer: its request, whose answer is all that it
     * takes in. Confined to who has the role.
     */
    @Nullable PendingRequest<?> borrowedFor;

    /** Published by being volatile; written by the receiving thread as it ends. */
    private volatile boolean hasReceivingFailed;

    /** A worker that waits for an answer is made up for by another one. */
    private final class OwnWaits implements Waits {

        @Override
        public boolean isReceivingThread() {
            return Messenger.this.isReceivingThread();
        }

        @Override
        public void receive(Future<?> answer) {
            boolean _ = transport.receiveUntil(answer);
        }

        @Override
        public void await() {
            workers.await();
        }

        @Override
        public void resume() {
            workers.resume();
        }
    }

    /**
     * One whose question may have been asked together with those of other threads: none of these
     * runs what depends on it inside of what it is in the middle of while it waits.
     */
    private final class PartialAnswer<T> extends AnswerFuture<T> {
        private final Thread asker = Thread.currentThread();

        /** What comes behind that changes nothing, as behind any other end. */
        private volatile boolean isHandedOver;

        private PartialAnswer(Runnable beforeWaiting) {
            super(requests.waits(), beforeWaiting);
        }

        @Override
        public boolean complete(T value) {
            return isForeign()
                    ? handOver(() -> super.complete(value))
                    : !isHandedOver && super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            return isForeign()
                    ? handOver(() -> super.completeExceptionally(failure))
                    : !isHandedOver && super.completeExceptionally(failure);
        }

        /** Not to a worker: what is left for these is dropped when the network is closed. */
        private boolean handOver(Runnable end) {
            if (isHandedOver || isDone()) {
                return false;
            }
            isHandedOver = true;
            try {
                foreignAnswers.execute(end);
            } catch (OutOfMemoryError noThread) {
                end.run();
            }
            return true;
        }

        private boolean isForeign() {
            return !Thread.currentThread().equals(asker)
                    && isReceivingThread()
                    && borrowedFor != null;
        }
    }

    public Messenger(int nodeId, Carrier transport, NetConfig config, Limits limits) {
        this(nodeId, transport, config, limits, new Workers(nodeId, limits), System::nanoTime);
    }

    /** {@code nanoClock} is that of deadlines of requests and of looks for links to be retired. */
    Messenger(
            int nodeId,
            Carrier transport,
            NetConfig config,
            Limits limits,
            Workers workers,
            LongSupplier nanoClock) {
        HandshakeLayout.checkNode(nodeId);
        this.nodeId = nodeId;
        this.transport = transport;
        this.config = config;
        this.limits = limits;
        this.workers = workers;
        this.requests = new RequestTable(nanoClock, limits.maxPendingRequests(), new OwnWaits());
        this.dispatcher = new Dispatcher(this, registry, requests, workers);
        this.foreignAnswers =
                new ThreadPoolExecutor(
                        0,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("net-answers-" + nodeId).factory());
        this.sender = new MessageSender(limits);
        this.buffers = new ReceiveBufferPool(limits.incomingBufferBytes(), limits.pooledBuffers());
        this.connections = new Connections(this, requests, nanoClock);
    }

    // ---- life cycle

    /**
     * Starts the transport and the threads.
     *
     * @param start starts the transport for this messenger
     */
    public void open(Runnable start) {
        try {
            start.run();
        } catch (RuntimeException e) {
            workers.close();
            throw e;
        }
        requests.start("net-timer-" + nodeId);
    }

    /** Lets the peers take up what was sent, breaks all connections, ends all threads. */
    public void close() {
        if (!connections.close()) {
            return;
        }
        connections.takeLeave();
        connections.breakAll();
        transport.close();
        requests.close();
        workers.close();
        dispatcher.close();
        connections.dispose();
        connections.awaitSwept();
    }

    // ---- registration

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
        connections.onNodeLost(listener);
    }

    // ---- sending

    public void send(int node, Message message) {
        send(node, FrameLayout.MESSAGE, message, 0, false);
    }

    /** Sends a message to several nodes, written once; see {@link org.starling.net.Network}. */
    public void send(int[] nodes, Message message) {
        if (nodes.length <= 1) { // nothing to be copied
            for (int node : nodes) {
                send(node, message);
            }
            return;
        }
        NetException failure = null;
        try (MessageImage image = sender.image(message)) {
            for (int node : nodes) {
                try {
                    send(node, link -> sender.send(link, image));
                } catch (NetException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Sends an answer; it passes full windows. */
    void answer(int node, int kind, Message message, long correlation) {
        send(node, kind, message, correlation, true);
    }

    public <R extends Message> CompletableFuture<R> request(
            int node, Request<R> request, Duration timeout, boolean isExempt) {
        PendingRequest<R> pending;
        try {
            pending = requests.add(node, request, timeout);
        } catch (NetException e) {
            return CompletableFuture.failedFuture(e);
        }
        try {
            OutgoingLink link = connections.link(node);
            if (pending.isDone()) {
                return pending; // its time was over before there was a connection
            }
            send(link, FrameLayout.REQUEST, request, pending.correlation(), isExempt);
        } catch (RuntimeException | Error e) {
            pending.completeExceptionally(e);
        }
        return pending;
    }

    /** See {@link org.starling.net.Network}. */
    public <T> CompletableFuture<T> newAnswer(Runnable beforeWaiting) {
        return new PartialAnswer<>(beforeWaiting);
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
        OutgoingLink link = links().existing(node);
        if (link != null) {
            transport.flush(link); // nobody else is to be waited for
        }
        if (!transport.receiveUntil(future)) {
            Backoff backoff = new Backoff(config.waiting());
            boolean isAwake = true;
            while (isAwake && !future.isDone()) {
                isAwake = backoff.pauseAwake();
            }
            backoff.reset();
        }
        try {
            return future instanceof AnswerFuture<R> pending ? pending.getReceived() : future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                failure.addSuppressed(e); // shows where the call was made
                throw failure;
            }
            throw new NetException("request " + request.type() + " failed", e.getCause());
        }
    }

    public RawSender raw(int node) {
        HandshakeLayout.checkNode(node);
        return new RingSender(this, node);
    }

    /** See {@code Network.breaks}. */
    public int breaks(int node) {
        return links().breaks(node);
    }

    public void disconnect(int node) {
        connections.disconnect(node);
    }

    /** See {@code Network.mayBe}. */
    public boolean mayBe(int source, int node) {
        return connections.mayBe(source, node);
    }

    /** Breaks a connection that stands, as {@code Network.renew}. */
    public void renew(int node) {
        connections.renew(node);
    }

    private void send(int node, int kind, Message message, long correlation, boolean isExempt) {
        send(connections.link(node), kind, message, correlation, isExempt);
    }

    private void send(
            OutgoingLink link, int kind, Message message, long correlation, boolean isExempt) {
        if (!sender.send(link, kind, message, correlation, isExempt)) {
            sendAnew(link, next -> sender.send(next, kind, message, correlation, isExempt));
        }
    }

    private void send(int node, Predicate<OutgoingLink> send) {
        OutgoingLink link = connections.link(node);
        if (!send.test(link)) {
            sendAnew(link, send);
        }
    }

    /** Sends over the links that come after one that took nothing. */
    private void sendAnew(OutgoingLink closed, Predicate<OutgoingLink> send) {
        long began = System.nanoTime();
        OutgoingLink link = connections.linkAfter(closed, began);
        while (!send.test(link)) {
            link = connections.linkAfter(link, began);
        }
    }

    // ---- called by the transport

    /** Declares the calling thread to be the receiving thread. */
    void enterReceivingThread() {
        receivingThread = Thread.currentThread();
    }

    /** Declares that the calling thread is the receiving thread no more. */
    void leaveReceivingThread() {
        receivingThread = null;
    }

    /** The only request under way, if the calling thread has made it. */
    @Nullable PendingRequest<?> onlyRequestOfCaller() {
        return requests.only(Thread.currentThread());
    }

    /**
     * Whether who receives is to leave a frame to the receiving thread: all but the answer to the
     * request for which it does. On the receiving thread.
     *
     * @param payload where that of the frame is, 0 if it is not all there yet
     */
    boolean leaves(int kind, long payload) {
        PendingRequest<?> own = borrowedFor;
        if (own == null) {
            return false;
        }
        boolean isAnswer = kind == FrameLayout.RESPONSE || kind == FrameLayout.FAILURE;
        return !isAnswer || (payload != 0 && NativeMemory.getLong(payload) != own.correlation());
    }

    boolean isReceivingThread() {
        return Thread.currentThread().equals(receivingThread);
    }

    /**
     * Housekeeping of the receiving thread, to be called in every round; returns how much there was
     * to do.
     */
    int doWork() {
        int work = connections.doWork();
        if (overflowBytes.get() > 0) {
            boolean wasHigh = isOverflowHigh();
            work +=
                    (int)
                            links().outgoing()
                                    .filter(OutgoingLink::moveOverflow)
                                    .peek(transport::flush)
                                    .count();
            if (wasHigh && !isOverflowHigh()) {
                links().incoming().forEach(IncomingLink::look);
            }
        }
        return work;
    }

    /**
     * A peer has connected to this node; an older connection of the same peer is lost.
     *
     * @throws NodeLostException when this node is being closed
     */
    IncomingLink accept(int peer) {
        return connections.accept(peer);
    }

    /** A link is connected. */
    void opened(OutgoingLink link) {
        connections.opened(link);
    }

    /**
     * A link is broken: takes both directions out, ends requests, tells listeners; once, however
     * many threads notice.
     */
    void lost(Link link, String reason) {
        connections.lost(link, reason);
    }

    /**
     * The peer has said goodbye on a link, and all before it is taken up: the transport is asked to
     * send what {@link IncomingLink#takeConfirmation} now gives. Once or more, on the receiving
     * thread.
     */
    void departed(IncomingLink link) {
        connections.departed(link);
    }

    /** The farewell to a departed peer has left: the link can be closed. */
    void parted(IncomingLink link) {
        connections.parted(link);
    }

    /** The peer has taken up everything of a link that has said goodbye, and says farewell. */
    void retired(OutgoingLink link, long debtBytes) {
        connections.retired(link, debtBytes);
    }

    /** A peer has sent bytes that make no sense. */
    void malformed(Link link, MalformedMessageException cause) {
        connections.malformed(link, cause);
    }

    /** Somebody who is no node of this cluster, or no node at all, was turned away. */
    void refused(String reason) {
        connections.refused(reason);
    }

    /**
     * The receiving thread ends of something that nobody has foreseen, and nothing can come in any
     * more: all nodes are lost. On that thread; the network still is to be closed.
     */
    void failed(Throwable cause) {
        LOGGER.error("the receiving thread of node {} has failed", nodeId, cause);
        hasReceivingFailed = true;
        connections.fail("the receiving thread of node " + nodeId + " has failed: " + cause);
    }

    /** The transport has taken native memory, or given it back if {@code bytes} is negative. */
    void transportHolds(long bytes) {
        transportBytes.addAndGet(bytes);
    }

    // ---- accessors

    public int nodeId() {
        return nodeId;
    }

    public NetConfig config() {
        return config;
    }

    Limits limits() {
        return limits;
    }

    /** See {@link org.starling.net.Network}. */
    public String transportDescription() {
        return transport.description();
    }

    public @Nullable InetSocketAddress localAddress() {
        return transport.localAddress();
    }

    public NetStatistics statistics() {
        return new NetStatistics(
                links().statistics(),
                connections.malformedCount(),
                connections.refusedCount(),
                dispatcher.unhandled(),
                dispatcher.unanswered(),
                workers.failures(),
                hasReceivingFailed ? 1 : 0,
                connections.lostCount(),
                connections.retiredCount(),
                nativeBytes(),
                requests.roundTrips().figures(),
                new NetStatistics.Queues(
                        requests.size(),
                        workers.waiting(),
                        workers.threads(),
                        overflowBytes.get(),
                        buffers.lent(),
                        buffers.kept()));
    }

    private long nativeBytes() {
        long rings = links().outgoing().count() + links().retiring().count();
        long receiving = (long) (buffers.lent() + buffers.kept()) * limits.incomingBufferBytes();
        return overflowBytes.get()
                + transportBytes.get()
                + rings * OutgoingRing.nativeBytes(ringBytes())
                + receiving;
    }

    /** Room of the outgoing ring of each link. */
    int ringBytes() {
        return limits.ringBytes() == 0 ? transport.ringBytes() : limits.ringBytes();
    }

    /** The buffers that the transport receives into. */
    ReceiveBufferPool buffers() {
        return buffers;
    }

    Carrier transport() {
        return transport;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    RequestTable requests() {
        return requests;
    }

    Workers workers() {
        return workers;
    }

    Connections connections() {
        return connections;
    }

    Links links() {
        return connections.links();
    }

    /** Whether the receiving thread has something to look after that nobody wakes it for. */
    boolean hasChores() {
        return overflowBytes.get() > 0 || connections.isCrowded();
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
}
