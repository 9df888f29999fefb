package org.starling.net.internal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.AddressBook;
import org.starling.net.NetException;
import org.starling.net.NodeUnknownException;
import org.starling.net.Transport;
import org.starling.net.internal.ucx.Ucp;
import org.starling.net.internal.ucx.UcxDevices;
import org.starling.net.internal.ucx.UcxTls;
import org.starling.net.internal.ucx.UcxWorker;

/**
 * Transport over UCX: InfiniBand, shared memory or TCP, as the configuration names it. The bytes of
 * the outgoing ring leave as active messages; confirmations come back as active messages over the
 * same endpoint; {@link UcxBootstrap} introduces nodes to each other.
 *
 * <p>One receiving thread moves UCX on and runs INLINE handlers inside its callbacks. UCX is used
 * by one thread at a time, the one that has the turn. The receiving thread waits for its turn, a
 * sender doesn't: it sends itself when the turn is free, which saves a wake-up, and otherwise
 * leaves the link to the receiving thread. So nobody ever waits for a handler.
 */
public final class UcxTransport implements Transport, ReceivingThread.Agent {

    private static final Logger LOGGER = LogManager.getLogger(UcxTransport.class);

    /**
     * Bytes of an active message: over shared memory what fits into one of UCX's segments (8 KiB
     * with headers), which the receiver then handles in place; elsewhere fewer, larger ones are
     * faster.
     */
    private static final int SEGMENT_BYTES = 8_000;

    private static final int MESSAGE_BYTES = 32 << 10;

    /** How long the receiving thread sleeps while a request is on its way or answers wait. */
    private static final int CHECK_MILLIS = 1;

    private static final long BUSY_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** Rounds of moving UCX on before a closed socket is taken for the end of its messages. */
    private static final int SETTLE_ROUNDS = 1_000;

    private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final InetSocketAddress bind;
    private final AddressBook book;
    private final UcxTls tls;
    private final UcxDevices devices;
    private final Ucp ucp;
    private final DrainSchedule schedule = new DrainSchedule(this::drain, this::wake);
    private final Queue<Runnable> interests = new ConcurrentLinkedQueue<>();

    /** Who has it may use UCX; guards the connections and {@code onTheirWay} too. */
    private final ReentrantLock turn = new ReentrantLock();

    private final List<UcxEnd> onTheirWay = new ArrayList<>();

    private @Nullable Messenger startedMessenger;
    private @Nullable UcxWorker startedWorker;
    private @Nullable UcxConnections startedConnections;
    private @Nullable UcxBootstrap startedBootstrap;
    private @Nullable ReceivingThread receiving;
    private volatile boolean isSleeping;
    private volatile boolean isClosed;

    /** A transport that has not started. */
    public UcxTransport(
            InetSocketAddress bind, AddressBook book, UcxTls tls, UcxDevices devices, Ucp ucp) {
        this.bind = bind;
        this.book = book;
        this.tls = tls;
        this.devices = devices;
        this.ucp = ucp;
    }

    // ---- life cycle

    @Override
    public void start(Messenger messenger) {
        if (startedMessenger != null) {
            throw new IllegalStateException("a transport serves one network");
        }
        startedMessenger = messenger;
        UcxWorker worker =
                UcxWorker.open(
                        ucp,
                        tls,
                        devices,
                        (endpoint, status) -> connections().endpointFailed(endpoint, status));
        try {
            startedBootstrap = new UcxBootstrap(this, messenger, bind);
        } catch (IOException e) {
            worker.close();
            throw new NetException(
                    "node %s can't listen on %s: %s"
                            .formatted(messenger.nodeId(), bind, e.getMessage()),
                    e);
        }
        startedWorker = worker;
        UcxConnections connections = new UcxConnections(this, messenger, worker);
        startedConnections = connections;
        worker.receive(UcxMessageLayout.DATA, connections::received);
        worker.receive(UcxMessageLayout.CONFIRMATION, connections::confirmed);
        receiving = new ReceivingThread(messenger, this);
        receiving.start();
        bootstrap().start();
    }

    @Override
    public void close() {
        isClosed = true;
        bootstrap().close();
        worker().signal();
        if (receiving != null && receiving.join()) {
            runInterests(); // what came too late for the thread
        }
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        return bootstrap().localAddress();
    }

    @Override
    public String description() {
        return "infiniband: " + worker();
    }

    // ---- links, any thread

    @Override
    public void connect(OutgoingLink link) {
        boolean isSelf = link.peer() == messenger().nodeId();
        InetSocketAddress address = isSelf ? bind : book.addressOf(link.peer());
        if (address == null) {
            throw new NodeUnknownException(
                    link.peer(), "the address book has no node " + link.peer());
        }
        receiving()
                .handOver(() -> {
                    UcxSender sender = new UcxSender(this, messenger(), link);
                    link.attach(sender);
                    later(() -> {
                        if (link.state().isClosed() || isClosed) {
                            sender.dispose(); // it was lost before it was there
                            return;
                        }
                        connections().add(sender);
                        if (isSelf) {
                            connections().openToSelf(sender);
                        } else {
                            bootstrap().call(sender, address);
                        }
                    });
                });
    }

    @Override
    public void signal(Link link) {
        switch (link) {
            case OutgoingLink out -> {
                if (out.attachment() instanceof UcxSender sender && sender.isWritable()) {
                    schedule.signal(out);
                }
            }
            case IncomingLink in -> {
                if (in.attachment() instanceof UcxReceiver receiver) {
                    later(receiver::confirm);
                }
            }
        }
    }

    @Override
    public void flush(Link link) {
        if (link instanceof OutgoingLink out && out.attachment() instanceof UcxSender) {
            if (schedule.hurry(out)) { // somebody else has the turn
                receiving().unpark();
                wake();
            }
        } else {
            signal(link);
        }
    }

    @Override
    public void disconnect(Link link) {
        switch (link) {
            case OutgoingLink out -> {
                if (out.attachment() instanceof UcxSender sender) {
                    sender.hangUp();
                    later(() -> connections().dispose(sender));
                }
            }
            case IncomingLink in -> {
                if (in.attachment() instanceof UcxReceiver receiver) {
                    if (!receiver.isDeparted()) { // else the peer closes it: after the farewell
                        receiver.hangUp();
                    }
                    later(() -> connections().dispose(receiver));
                }
            }
        }
        later(() -> {}); // the messenger has something for the receiving thread too
    }

    /** Runs something on the receiving thread soon, with the turn. */
    void later(Runnable interest) {
        interests.add(interest);
        wake();
    }

    DrainSchedule schedule() {
        return schedule;
    }

    /** Goes on with the sending after others have had their turn. */
    void drainAgain(OutgoingLink link) {
        if (messenger().isReceivingThread()) {
            schedule.left().touch(link);
        } else {
            schedule.leave(link);
        }
    }

    /** Takes the turn: the receiving thread in any case, others when it is free. */
    boolean tryTurn() {
        if (messenger().isReceivingThread()) {
            turn.lock();
            return true;
        }
        return !turn.hasQueuedThreads() && turn.tryLock();
    }

    void endTurn() {
        turn.unlock();
    }

    /**
     * The peer of a link is gone; what it has sent before is handled first.
     *
     * @param link null when there is none yet
     */
    void lostSoon(@Nullable Link link, String reason) {
        if (link != null) {
            later(() -> {
                settle();
                messenger().lost(link, reason);
            });
        }
    }

    /** The socket of an outgoing link is closed. */
    void ended(UcxSender sender) {
        later(() -> connections().dispose(sender));
    }

    void closeFailed(IOException failure) {
        LOGGER.debug("closing a socket failed", failure);
    }

    /** What this node says first; {@code key} is for the other's messages. */
    UcxHello hello(long key) {
        return new UcxHello(
                messenger().config().clusterId(),
                messenger().nodeId(),
                book.incarnationOf(messenger().nodeId()),
                messenger().limits().incomingBufferBytes() / 2,
                key,
                worker().address());
    }

    int messageBytes() {
        return tls.sharesMemory() ? SEGMENT_BYTES : MESSAGE_BYTES;
    }

    AddressBook book() {
        return book;
    }

    UcxWorker worker() {
        return Objects.requireNonNull(startedWorker, "the transport is not started");
    }

    UcxConnections connections() {
        return Objects.requireNonNull(startedConnections, "the transport is not started");
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    ReceiveBufferPool buffers() {
        return messenger().buffers();
    }

    private void wake() {
        if (isSleeping) {
            worker().signal();
        }
    }

    // ---- the receiving thread

    @Override
    public int doWork() {
        int work = messenger().doWork() + runInterests();
        turn.lock();
        try {
            work += progress() + finishRequests();
        } finally {
            turn.unlock();
        }
        return work + schedule.drain();
    }

    /** With the turn. */
    private int progress() {
        return worker().progress();
    }

    /** Sleeps until UCX has something or somebody asks for something. */
    @Override
    public int sleep() {
        long linger = schedule.left().parkNanos();
        if (linger > 0) {
            LockSupport.parkNanos(this, linger);
            return 0;
        }
        isSleeping = true;
        if (interests.isEmpty() && schedule.left().isEmpty() && !isClosed) {
            if (arm()) {
                worker().await(messenger().hasChores() || hasRequests() ? CHECK_MILLIS : -1);
            } else if (hasRequests()) {
                LockSupport.parkNanos(this, BUSY_NANOS); // the peer takes nothing now
            }
        }
        isSleeping = false;
        return 0;
    }

    private boolean arm() {
        turn.lock();
        try {
            return worker().arm();
        } finally {
            turn.unlock();
        }
    }

    private boolean hasRequests() {
        turn.lock();
        try {
            return !onTheirWay.isEmpty() || worker().isClosing();
        } finally {
            turn.unlock();
        }
    }

    private int runInterests() {
        if (interests.isEmpty()) {
            return 0;
        }
        turn.lock();
        try {
            int count = 0;
            for (Runnable interest = interests.poll();
                    interest != null;
                    interest = interests.poll()) {
                interest.run();
                count++;
            }
            return count;
        } finally {
            turn.unlock();
        }
    }

    private int drain(OutgoingLink link) {
        return link.attachment() instanceof UcxSender sender ? sender.drain() : 0;
    }

    // ---- with the turn

    /** A request is on its way; its end is looked for in every round. Any thread with the turn. */
    void onItsWay(UcxEnd end) {
        onTheirWay.add(end);
        wake();
    }

    private int finishRequests() {
        int finished = 0;
        for (int i = onTheirWay.size() - 1; i >= 0; i--) {
            UcxEnd end = onTheirWay.remove(i);
            if (end.finish()) {
                finished++;
            } else {
                onTheirWay.add(i, end);
            }
        }
        return finished;
    }

    /** Handles what has arrived, within reason. */
    void settle() {
        for (int i = 0; i < SETTLE_ROUNDS && !isClosed && progress() > 0; i++) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void end() {
        isClosed = true;
        bootstrap().close();
        try {
            runInterests();
        } finally {
            endWorker();
        }
    }

    private void endWorker() {
        turn.lock();
        try {
            connections().close();
            long deadline = System.nanoTime() + CLOSE_NANOS;
            while (worker().isClosing() && System.nanoTime() - deadline < 0) {
                progress();
                finishRequests();
                Thread.onSpinWait();
            }
            worker().close();
            onTheirWay.forEach(end -> end.settle(false)); // the worker is gone, and they with it
            onTheirWay.clear();
            connections().disposeAll();
            buffers().close();
        } finally {
            turn.unlock();
        }
    }

    private Messenger messenger() {
        return Objects.requireNonNull(startedMessenger, "the transport is not started");
    }

    private ReceivingThread receiving() {
        return Objects.requireNonNull(receiving, "the transport is not started");
    }

    private UcxBootstrap bootstrap() {
        return Objects.requireNonNull(startedBootstrap);
    }
}
