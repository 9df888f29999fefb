package org.starling.net.internal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.AddressBook;
import org.starling.net.NetException;
import org.starling.net.NodeUnknownException;
import org.starling.net.Transport;
import org.starling.net.internal.tls.TlsKeys;

/**
 * Transport over TCP. Each node connects a socket of its own to each peer it sends to, so that
 * connects from both sides never collide; the back direction of each socket carries the
 * confirmations.
 *
 * <p>One receiving thread selects, reads, and runs INLINE handlers. A sender writes to the socket
 * itself when the line is quiet, which saves a wake-up; during a burst it leaves the ring to the
 * receiving thread, so that tiny messages leave together, and helps out when much has piled up.
 * Other threads ask the receiving thread for things through the interest queue; each link or socket
 * has at most a few entries there.
 */
public final class EthernetTransport implements Transport, ReceivingThread.Agent {

    private static final Logger LOGGER = LogManager.getLogger(EthernetTransport.class);

    /** Sockets accepted and not yet through the handshake; more are closed at once. */
    private static final int MAX_HANDSHAKES = 256;

    private static final long HANDSHAKE_CHECK_MILLIS = 100;
    private static final long CHECK_MILLIS = 1;
    private static final int BACKLOG = 256;

    private final InetSocketAddress bind;
    private final AddressBook book;
    private final @Nullable TlsKeys tls;
    private final DrainSchedule schedule = new DrainSchedule(this::drain, this::wake);

    /** What this node sends to itself. */
    private final DeferredLinks<OutgoingLink> own = new DeferredLinks<>(false, System::nanoTime);

    private final Queue<Runnable> interests = new ConcurrentLinkedQueue<>();
    private @Nullable Messenger startedMessenger;
    private @Nullable ServerSocketChannel server;
    private @Nullable Selector startedSelector;
    private @Nullable ReceivingThread receiving;
    private volatile boolean isSleeping;
    private volatile boolean isClosed;

    /** Sockets that have not shaken hands yet; confined to the receiving thread. */
    private int handshakes;

    /**
     * A transport that has not started.
     *
     * @param tls keys of all connections, or null for plain ones
     */
    public EthernetTransport(InetSocketAddress bind, AddressBook book, @Nullable TlsKeys tls) {
        this.bind = bind;
        this.book = book;
        this.tls = tls;
    }

    // ---- life cycle

    @Override
    public void start(Messenger messenger) {
        if (startedMessenger != null) {
            throw new IllegalStateException("a transport serves one network");
        }
        startedMessenger = messenger;
        try {
            Selector selector = Selector.open();
            startedSelector = selector;
            ServerSocketChannel listening = ServerSocketChannel.open();
            server = listening;
            Sockets.prepare(listening, messenger.config());
            listening.bind(bind, BACKLOG);
            listening.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            closeChannels();
            throw new NetException(
                    "node %s can't listen on %s: %s"
                            .formatted(messenger.nodeId(), bind, e.getMessage()),
                    e);
        }
        receiving = new ReceivingThread(messenger, this);
        receiving.start();
    }

    @Override
    public void close() {
        isClosed = true;
        selector().wakeup();
        if (receiving != null && receiving.join()) {
            runInterests(); // what came too late for the thread
        }
    }

    @Override
    public boolean receiveUntil(Future<?> answer) {
        return receiving().receiveUntil(answer);
    }

    @Override
    public String description() {
        return tls == null ? "ethernet" : "ethernet with TLS 1.3";
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        try {
            return server == null ? null : (InetSocketAddress) server.getLocalAddress();
        } catch (IOException e) {
            throw new NetException("the transport is closed", e);
        }
    }

    AddressBook book() {
        return book;
    }

    // ---- links, any thread

    @Override
    public void connect(OutgoingLink link) {
        if (link.peer() == messenger().nodeId()) {
            link.attach(messenger().accept(link.peer()));
            messenger().opened(link);
            return;
        }
        InetSocketAddress address = addressOf(link.peer());
        receiving()
                .handOver(() -> {
                    EthernetSender sender = sender(link, address, null);
                    link.attach(sender);
                    later(() -> begin(link, sender));
                });
    }

    private InetSocketAddress addressOf(int node) {
        InetSocketAddress address = book.addressOf(node);
        if (address == null) {
            throw new NodeUnknownException(node, "the address book has no node " + node);
        }
        return address;
    }

    /** A new socket for a link, the first one or one behind another. */
    private EthernetSender sender(
            OutgoingLink link, InetSocketAddress address, @Nullable EthernetSender before) {
        try {
            SocketChannel channel = SocketChannel.open();
            Wire wire = wire(channel, true);
            return new EthernetSender(this, messenger(), link, address, channel, wire, before);
        } catch (IOException e) {
            throw new NetException("no socket for node " + link.peer() + ": " + e.getMessage(), e);
        }
    }

    /** On the receiving thread. */
    private void begin(OutgoingLink link, EthernetSender sender) {
        if (link.state().isClosed() || isClosed) {
            sender.dispose(); // it was lost before it had a socket
        } else {
            handshakes++;
            sender.connect(selector());
        }
    }

    /**
     * Tries to reach the other end by another socket, within the time of the first one. Another
     * thread looks for where it is now, as that may take long.
     */
    private void tryAnew(EthernetSender stale) {
        OutgoingLink link = stale.link();
        stale.replacing();
        Thread _ =
                Thread.ofVirtual()
                        .name("net-connect")
                        .start(() -> {
                            try {
                                InetSocketAddress address = addressOf(link.peer());
                                receiving()
                                        .handOver(() -> {
                                            EthernetSender sender = sender(link, address, stale);
                                            later(() -> replace(stale, sender));
                                        });
                            } catch (NetException e) {
                                LOGGER.debug("node {} goes on waiting", messenger().nodeId(), e);
                            }
                        });
    }

    /** On the receiving thread; not if the stale one has got an answer meanwhile. */
    private void replace(EthernetSender stale, EthernetSender sender) {
        OutgoingLink link = stale.link();
        if (stale.isConnected()) {
            sender.dispose();
        } else {
            link.attach(sender); // before it is seen whether another thread has closed the link
            stale.dispose();
            begin(link, sender);
        }
    }

    @Override
    public void signal(Link link) {
        switch (link) {
            case OutgoingLink out -> {
                if (out.attachment() instanceof EthernetSender sender) {
                    if (sender.isWritable()) {
                        schedule.signal(out);
                    }
                } else if (!out.isDeferred() && own.offer(out)) {
                    wake();
                }
            }
            case IncomingLink in -> confirm(in);
        }
    }

    @Override
    public void flush(Link link) {
        if (link instanceof OutgoingLink out && out.attachment() instanceof EthernetSender sender) {
            sender.drain();
        } else {
            signal(link);
        }
    }

    @Override
    public void disconnect(Link link) {
        Object end =
                link instanceof OutgoingLink out
                        ? out.attachment()
                        : ((IncomingLink) link).attachment();
        switch (end) {
            case EthernetSender sender -> {
                sender.hangUp();
                later(sender::dispose);
            }
            case EthernetReceiver receiver -> {
                receiver.hangUp();
                later(receiver::dispose);
            }
            case null, default -> later(() -> {});
        }
    }

    /** The receiving thread is to go on with a socket, from which one that waits has read. */
    void leave(SocketEnd end) {
        later(end::resume);
    }

    /** Runs something on the receiving thread soon. */
    void later(Runnable interest) {
        interests.add(interest);
        wake();
    }

    private Wire wire(SocketChannel channel, boolean isClient) {
        return tls == null
                ? new PlainWire(channel)
                : new TlsWire(channel, tls, isClient, messenger());
    }

    void closeFailed(IOException failure) {
        LOGGER.debug("closing a socket failed", failure);
    }

    DrainSchedule schedule() {
        return schedule;
    }

    private void confirm(IncomingLink in) {
        switch (in.attachment()) {
            case EthernetReceiver receiver when messenger().isReceivingThread() ->
                    receiver.confirm();
            case EthernetReceiver receiver -> later(receiver::confirm);
            case null, default -> confirmSelf(in);
        }
    }

    /** Confirms what this node has sent to itself. */
    private void confirmSelf(IncomingLink in) {
        long position = in.takeConfirmation();
        OutgoingLink out = messenger().links().existing(in.peer());
        if (position >= 0 && out != null) {
            out.confirm(position);
        }
    }

    private void wake() {
        if (isSleeping) {
            selector().wakeup();
        } else {
            receiving().recall();
        }
    }

    // ---- the receiving thread

    @Override
    public int doWork() throws IOException {
        int work =
                messenger().doWork() + runInterests() + schedule.drain() + own.drain(this::drain);
        return work + selector().selectNow(this::ready);
    }

    @Override
    public int takeAnswers() throws IOException {
        return schedule.drain() + selector().selectNow(this::takeAnswers);
    }

    /** Sleeps until a socket is ready, which it handles, or somebody asks for something. */
    @Override
    public int sleep() throws IOException {
        long linger = Math.max(schedule.left().parkNanos(), own.parkNanos());
        if (linger > 0) {
            LockSupport.parkNanos(this, linger);
            return 0;
        }
        int ready = 0;
        isSleeping = true;
        if (hasNothingLeft()) {
            ready = selector().select(this::ready, sleepMillis());
        }
        isSleeping = false;
        if (handshakes > 0) {
            expireHandshakes();
        }
        return ready;
    }

    /** Whether the receiving thread may sleep, or leave its work to others. */
    @Override
    public boolean isIdle() {
        return hasNothingLeft() && handshakes == 0 && !messenger().hasChores();
    }

    private boolean hasNothingLeft() {
        return interests.isEmpty() && schedule.left().isEmpty() && own.isEmpty() && !isClosed;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void end() {
        try {
            runInterests();
        } finally {
            closeChannels();
        }
    }

    /** 0 is for ever; a sender's thread that frees room in a ring doesn't tell this one. */
    private long sleepMillis() {
        if (messenger().hasChores()) {
            return CHECK_MILLIS;
        }
        return handshakes > 0 ? HANDSHAKE_CHECK_MILLIS : 0;
    }

    private int runInterests() {
        int count = 0;
        for (Runnable interest = interests.poll(); interest != null; interest = interests.poll()) {
            interest.run();
            count++;
        }
        return count;
    }

    private int drain(OutgoingLink link) {
        return switch (link.attachment()) {
            case EthernetSender sender -> sender.drain();
            case IncomingLink incoming -> RingReader.receive(link, incoming, messenger());
            case null, default -> 0;
        };
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof SocketEnd end) {
            end.proceed(key);
        } else {
            accept();
        }
    }

    /** Whoever waits for an answer does nothing that would run what is others'. */
    private void takeAnswers(SelectionKey key) {
        switch (key.attachment()) {
            case EthernetReceiver receiver -> receiver.takeAnswers(key);
            case EthernetSender sender when sender.hasShakenHands() -> sender.proceed(key);
            case null, default -> receiving().recall(); // the selector tells of it again
        }
    }

    private void accept() {
        try {
            SocketChannel channel = Objects.requireNonNull(server).accept();
            if (channel == null) {
                return;
            }
            if (handshakes >= MAX_HANDSHAKES) {
                messenger().refused("too many connections without a handshake");
                channel.close();
                return;
            }
            handshakes++;
            new EthernetReceiver(this, messenger(), channel, wire(channel, false))
                    .register(selector());
        } catch (IOException e) {
            LOGGER.warn("node {} could not accept a connection", messenger().nodeId(), e);
        }
    }

    /**
     * Counts the sockets without a handshake anew, gives up those whose time is over, and replaces
     * those that get no answer: TCP itself would ask less and less often, so that two nodes did not
     * find each other for seconds after the network between them is whole again.
     */
    private void expireHandshakes() {
        long now = System.nanoTime();
        int open = 0;
        List<EthernetSender> stale = new ArrayList<>();
        for (SelectionKey key : selector().keys()) {
            if (key.isValid()
                    && key.attachment() instanceof SocketEnd end
                    && !end.hasShakenHands()) {
                open++;
                if (end.isOverdue(now)) {
                    end.expire();
                } else if (end instanceof EthernetSender sender && sender.isUnanswered(now)) {
                    stale.add(sender);
                }
            }
        }
        handshakes = open;
        stale.forEach(this::tryAnew);
    }

    void awaitWritable(SocketChannel channel) {
        SelectionKey key = channel.keyFor(selector());
        if (key != null && key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    ReceiveBufferPool buffers() {
        return messenger().buffers();
    }

    private void closeChannels() {
        try {
            Selector selector = startedSelector;
            if (selector != null) {
                for (SelectionKey key : selector.keys()) {
                    if (key.attachment() instanceof SocketEnd end) {
                        end.dispose();
                    }
                }
                selector.close();
            }
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            closeFailed(e);
        } finally {
            buffers().close();
        }
    }

    private Messenger messenger() {
        return Objects.requireNonNull(startedMessenger, "the transport is not started");
    }

    private ReceivingThread receiving() {
        return Objects.requireNonNull(receiving, "the transport is not started");
    }

    private Selector selector() {
        return Objects.requireNonNull(startedSelector, "the transport is not started");
    }
}
