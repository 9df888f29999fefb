package org.starling.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.net.internal.Limits;
import org.starling.net.internal.Messenger;

/**
 * A node's end of all its connections: sends messages, makes and serves requests, moves raw blocks.
 *
 * <p>Connections open on first use. What one thread sends to one node, objects and raw blocks
 * alike, arrives and is taken up in that order (INLINE handlers and raw blocks in that order,
 * ORDERED handlers in that order among themselves). Sending waits only for flow control, and on the
 * receiving thread never. A node is lost as a whole: senders and requesters get {@link
 * NodeLostException}, listeners are told once, and the next send connects anew. A node may send to
 * itself.
 *
 * <p>Thread-safe. Owns its threads (one receiving thread, a timer, workers) and the transport;
 * {@link #close} ends them.
 */
public final class Network implements AutoCloseable {

    private final Messenger messenger;

    private Network(Messenger messenger) {
        this.messenger = messenger;
    }

    /**
     * Opens a network.
     *
     * @param nodeId 0 to 65535, unique in the cluster
     * @param transport not used by another network
     * @throws NetException when the transport can't start
     */
    public static Network open(int nodeId, Transport transport, NetConfig config) {
        return open(
                nodeId,
                transport,
                config,
                Limits.DEFAULTS.withConnections(config.maxConnections()));
    }

    static Network open(int nodeId, Transport transport, NetConfig config, Limits limits) {
        Messenger messenger = new Messenger(nodeId, transport, config, limits);
        messenger.open(() -> transport.start(messenger));
        return new Network(messenger);
    }

    public int nodeId() {
        return messenger.nodeId();
    }

    public NetConfig config() {
        return messenger.config();
    }

    /** Where this node listens, or null when its transport has no addresses. */
    public @Nullable InetSocketAddress localAddress() {
        return messenger.localAddress();
    }

    /** By what it talks, with the settings in force, in a few words for people. */
    public String transport() {
        return messenger.transportDescription();
    }

    // ---- registration

    /**
     * Registers the handler of a message type, once. Messages that arrive before are dropped and
     * counted.
     *
     * @throws IllegalStateException when the type has a handler
     */
    public <M extends Message> void handle(
            MessageType<M> type, Execution execution, Handler<M> handler) {
        messenger.handle(type, execution, handler);
    }

    /**
     * Registers the server of a request type, once. Requests that arrive before are answered with a
     * failure.
     */
    public <R extends Message, Q extends Request<R>> void serve(
            MessageType<Q> type, Execution execution, Server<Q, R> server) {
        AsyncServer<Q, R> async =
                (source, request, responder) -> responder.respond(server.serve(source, request));
        messenger.serve(type, execution, async);
    }

    /** Like {@link #serve} for servers that answer later. */
    public <R extends Message, Q extends Request<R>> void serveAsync(
            MessageType<Q> type, Execution execution, AsyncServer<Q, R> server) {
        messenger.serve(type, execution, server);
    }

    /**
     * Registers the handler of a raw type, once. It runs INLINE.
     *
     * @param rawType 1 to {@link MessageType#MAX_ID}; raw types and message types are counted apart
     */
    public void handleRaw(int rawType, RawHandler handler) {
        messenger.handleRaw(rawType, handler);
    }

    /**
     * Adds a listener to the loss of nodes. Listeners run on a worker, one after the other, and may
     * wait.
     */
    public void onNodeLost(IntConsumer listener) {
        messenger.onNodeLost(listener);
    }

    // ---- sending

    /**
     * Sends a message and returns when it is in the outgoing ring.
     *
     * @throws NodeLostException when the node is lost or can't be reached
     * @throws NodeUnknownException when there is no such node
     * @throws MessageTooLargeException when it is larger than 256 MiB
     */
    public void send(int node, Message message) {
        messenger.send(node, message);
    }

    /**
     * Sends a message to several nodes, to each of them whatever happens to the others. It is
     * written once and its bytes are copied into each ring.
     *
     * @throws NetException the first failure, the others suppressed in it
     * @throws MessageTooLargeException when it is larger than 256 MiB; then no node gets it
     */
    public void send(int[] nodes, Message message) {
        messenger.send(nodes, message);
    }

    /** {@link #request(int, Request, Duration)} with the time-out of the configuration. */
    public <R extends Message> CompletableFuture<R> request(int node, Request<R> request) {
        return request(node, request, messenger.config().requestTimeout());
    }

    /**
     * Sends a request. The future completes on the receiving thread, or on the one that has sent it
     * while that waits for an answer and no other request is under way, so dependents without
     * {@code Async} follow the rules of {@link Execution#INLINE}; it fails with {@link
     * RequestTimeoutException}, {@link NodeLostException}, {@link NodeUnknownException}, {@link
     * RemoteException}, {@link MessageTooLargeException} or {@link TooManyRequestsException}. Who
     * cancels or completes it gives the request up: a late answer is dropped. Waiting for it on the
     * receiving thread is refused with {@link IllegalStateException}.
     */
    public <R extends Message> CompletableFuture<R> request(
            int node, Request<R> request, Duration timeout) {
        return messenger.request(node, request, timeout, false);
    }

    /**
     * A future for an answer that arrives as a part of another one. Waiting for it is like waiting
     * for the answer of a request: refused on the receiving thread, and another worker takes the
     * place of one that waits. It ends on the receiving thread, on the one that has made it, or on
     * one that ends such futures alone.
     *
     * @param beforeWaiting run by each thread that is going to wait, as that of the last moment in
     *     which others can be asked together with it; must not throw
     */
    public <T> CompletableFuture<T> newAnswer(Runnable beforeWaiting) {
        return messenger.newAnswer(beforeWaiting);
    }

    /** {@link #call(int, Request, Duration)} with the time-out of the configuration. */
    public <R extends Message> R call(int node, Request<R> request) throws InterruptedException {
        return call(node, request, messenger.config().requestTimeout());
    }

    /**
     * Sends a request and waits for the answer. Not on the receiving thread.
     *
     * @throws RequestTimeoutException when no answer comes in time
     * @throws NodeLostException when the node is lost before it answers
     * @throws NodeUnknownException when there is no such node
     * @throws RemoteException when the server threw, or there is none
     * @throws TooManyRequestsException when too many requests wait for answers already
     * @throws IllegalStateException on the receiving thread, so in an INLINE handler
     */
    public <R extends Message> R call(int node, Request<R> request, Duration timeout)
            throws InterruptedException {
        return messenger.call(node, request, timeout);
    }

    /** A sender of raw blocks to a node, for the thread that uses it. */
    public RawSender raw(int node) {
        return messenger.raw(node);
    }

    // ---- connections

    /**
     * How often connections with a node have broken, as this node has noticed. What was on its way
     * over one may be lost though both nodes live on; what is sent later goes over the next one,
     * and comes in after this has been counted. So who needs all that a node sends compares.
     */
    public int breaks(int node) {
        return messenger.breaks(node);
    }

    /**
     * Breaks the connection with a node, if there is one. The node reports a loss; this one does
     * not.
     */
    public void disconnect(int node) {
        messenger.disconnect(node);
    }

    /**
     * Does so if this node has a connection to send by that stands, for who is not answered: TCP
     * tries less and less often to get through, and a new connection does at once. One that is just
     * being made goes on.
     */
    public void renew(int node) {
        messenger.renew(node);
    }

    /**
     * Whether a node that talks to this one has shown that it may be another node as well: its
     * certificate is for that id, too. True of every node that is connected where nodes prove no
     * ids, without TLS.
     *
     * @param source the node
     * @param node the other id
     */
    public boolean mayBe(int source, int node) {
        return messenger.mayBe(source, node);
    }

    /** What happened so far; cheap enough for every second. */
    public NetStatistics statistics() {
        return messenger.statistics();
    }

    /**
     * Lets the peers take up what was sent before, breaks all connections, ends all threads and
     * releases all memory. What a send that had returned has sent arrives, unless its receiver is
     * lost or has not taken it up after a second; handlers may run after that. The others report
     * this node as lost.
     */
    @Override
    public void close() {
        messenger.close();
    }
}
