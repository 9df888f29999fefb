package org.starling.net.internal;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.Transport;

/**
 * Transport inside one process: the receiving thread of a node reads frames in place in the rings
 * of its peers. The ceiling for all other transports, and what tests run on.
 *
 * <p>One receiving thread per node, which sleeps when there is nothing to do. Sending costs a flag
 * test while the receiver is awake and a wake-up when it is not.
 */
public final class LoopbackTransport implements Transport, ReceivingThread.Agent {

    /** Where the frames of an outgoing link go. */
    private record Route(LoopbackTransport target, IncomingLink incoming, ReadDelays.Delay delay) {}

    /** How often the receiving thread looks for room and for late commits that it waits for. */
    private static final long CHECK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** How often it looks after other things that nobody wakes it for. */
    private static final long CHORE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * After fewer bytes than these, in a burst, the receiving thread gives senders a lead of so
     * many spins (some microseconds), as a cache line that it reads while they still write to it
     * goes back and forth between the cores.
     */
    private static final int GATHER_BYTES = 64 << 10;

    private static final int GATHER_SPINS = 800;

    /**
     * Several times what the cache of one core holds: what a sender writes over a lap later has
     * left the cache of the core that has read it, and need not be fetched from there.
     */
    private static final int RING_BYTES = 4 << 20;

    /** Rounds in a row that found something, and it is a burst: an answer is waited for in vain. */
    private static final int BURST_ROUNDS = 8;

    private final LoopbackRegistry registry;
    private final DeferredLinks<OutgoingLink> ready = new DeferredLinks<>(false, System::nanoTime);
    private @Nullable Messenger startedMessenger;
    private @Nullable ReceivingThread receiving;

    /** Of a shuffled hub; confined to the receiving thread once that has started. */
    private @Nullable ReadDelays delays;

    /** In a row that found something; confined to the receiving thread. */
    private int rounds;

    private volatile boolean isSleeping;
    private volatile boolean isClosed;

    public LoopbackTransport(LoopbackRegistry registry) {
        this.registry = registry;
    }

    // ---- life cycle

    @Override
    public void start(Messenger messenger) {
        ReceivingThread thread = new ReceivingThread(messenger, this);
        enroll(messenger, thread);
        thread.start();
    }

    /** Starts but for its thread, which others may wake at once; null when it has none. */
    void enroll(Messenger messenger, @Nullable ReceivingThread thread) {
        if (startedMessenger != null) {
            throw new IllegalStateException("a transport serves one network");
        }
        startedMessenger = messenger;
        receiving = thread;
        delays = registry.delays(messenger.nodeId());
        registry.add(messenger.nodeId(), this);
    }

    @Override
    public void close() {
        registry.remove(messenger().nodeId(), this);
        isClosed = true;
        unpark();
        if (receiving != null) {
            receiving.join();
        }
    }

    /** Breaks all connections of this node, as if its cables were cut. */
    void cut() {
        messenger().links().outgoing().forEach(link -> messenger().lost(link, "cut off"));
        messenger().links().incoming().forEach(link -> messenger().lost(link, "cut off"));
    }

    @Override
    public boolean readsRingsInPlace() {
        return true;
    }

    @Override
    public int ringBytes() {
        return RING_BYTES;
    }

    @Override
    public String description() {
        return "loopback";
    }

    // ---- links

    @Override
    public void connect(OutgoingLink link) {
        LoopbackTransport target = registry.find(link.peer());
        if (target == null) {
            throw new NodeUnknownException(link.peer(), "the hub has no node " + link.peer());
        }
        if (registry.areParted(messenger().nodeId(), link.peer())) {
            throw new NodeLostException(link.peer(), "node " + link.peer() + " can't be reached");
        }
        IncomingLink incoming = target.messenger().accept(messenger().nodeId());
        incoming.attach(link);
        link.attach(new Route(target, incoming, new ReadDelays.Delay()));
        if (incoming.isClosed()) { // its node was closed before it had a way back
            throw new NodeLostException(link.peer(), "node " + link.peer() + " is closed");
        }
        messenger().opened(link);
        unpark(); // perhaps there are too many links now
        signal(link); // this node's receiving thread doesn't wait for the route
        if (link.state().isClosed()) {
            disconnect(link); // it was lost before it had a route
        }
    }

    @Override
    public void signal(Link link) {
        switch (link) {
            case OutgoingLink out -> {
                if (!out.isDeferred() && out.attachment() instanceof Route route) {
                    route.target.offer(out);
                }
            }
            case IncomingLink in -> {
                long position = in.takeConfirmation();
                if (position >= 0 && in.attachment() instanceof OutgoingLink out) {
                    out.confirm(position);
                }
                if (position >= ConfirmationLayout.FAREWELL) {
                    messenger().parted(in);
                }
            }
        }
    }

    @Override
    public void disconnect(Link link) {
        switch (link) {
            case OutgoingLink out -> {
                if (out.attachment() instanceof Route route && out.state() != LinkState.RETIRED) {
                    route.target
                            .messenger()
                            .lost(route.incoming, "node " + messenger().nodeId() + " hung up");
                }
            }
            case IncomingLink in -> {
                if (in.attachment() instanceof OutgoingLink out) {
                    out.hangUp("node " + messenger().nodeId() + " hung up");
                }
            }
        }
        unpark();
    }

    // ---- the receiving thread

    @Override
    public int doWork() {
        int work = messenger().doWork();
        int bytes = ready.drain(this::receive);
        rounds = bytes == 0 ? 0 : rounds + 1;
        if (rounds >= BURST_ROUNDS && bytes < GATHER_BYTES) {
            gather();
        }
        return work + bytes;
    }

    @SuppressWarnings("ThreadPriorityCheck") // whoever is to run is to run first
    private static void gather() {
        if (BusyCores.MACHINE.isOverProvisioned()) {
            Thread.yield();
            return;
        }
        for (int i = 0; i < GATHER_SPINS; i++) {
            Thread.onSpinWait();
        }
    }

    /** Sleeps until a sender offers a link. */
    @Override
    public int sleep() {
        long linger = ready.parkNanos();
        if (linger > 0) {
            LockSupport.parkNanos(this, linger);
            return 0;
        }
        isSleeping = true;
        if (ready.isEmpty() && !isClosed) {
            boolean isUrgent = messenger().hasOverflow();
            if (isUrgent || messenger().hasChores()) { // nobody tells of it
                LockSupport.parkNanos(this, isUrgent ? CHECK_NANOS : CHORE_NANOS);
            } else {
                LockSupport.park(this);
            }
        }
        isSleeping = false;
        return 0;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void end() {}

    private void offer(OutgoingLink link) {
        if (ready.offer(link) && isSleeping) {
            unpark();
        }
    }

    private void unpark() {
        if (receiving != null) {
            receiving.unpark();
        }
    }

    /** Handles what is committed in the ring of a peer; returns bytes. */
    private int receive(OutgoingLink link) {
        Route route = (Route) Objects.requireNonNull(link.attachment());
        if (delays != null && !delays.isDue(route.delay)) {
            return 0;
        }
        return RingReader.receive(link, route.incoming, messenger());
    }

    private Messenger messenger() {
        return Objects.requireNonNull(startedMessenger, "the transport is not started");
    }
}
