package org.starling.net.internal;

import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;
import org.starling.net.Waiting;

/**
 * The receiving thread of one transport: works in rounds, waits as the configuration says when
 * there is nothing to do, and tells the messenger when something that nobody has foreseen ends it.
 *
 * <p>Where threads wait for one answer after the other, each a short time, it lends its role to
 * them ({@link #receiveUntil}): the answer then wakes nobody, as whoever waits for it takes it in.
 * They take in nothing else. So that is for nodes that only ask: what comes in while nobody has the
 * role waits for up to twice {@link #LENT_NANOS}.
 *
 * <p>Made and owned by the transport, which keeps in its own hands what there is to do and how to
 * sleep. Its methods are for any thread.
 */
final class ReceivingThread {

    /** What a transport does on its receiving thread. A test may do it by hand. */
    interface Agent {

        /** Does what there is to do now; returns how much that was. */
        int doWork() throws IOException;

        /**
         * Takes in answers that have come, on a thread in the place of the receiving one, and
         * nothing that would run what is others': the rest stays for the receiving thread, which is
         * to be {@link #recall}ed for it. Returns how much it has taken in.
         */
        default int takeAnswers() throws IOException {
            return 0;
        }

        /** Sleeps until there is something to do; returns how much of that is done already. */
        int sleep() throws IOException;

        /** Whether there is nothing to do but to wait for input. On the receiving thread. */
        default boolean isIdle() {
            return false;
        }

        /** Whether the rounds are to end. */
        boolean isClosed();

        /** The last act, whatever the rounds have ended of. */
        void end();
    }

    /**
     * How long the role is lent without being borrowed. A wait that begins sooner than this after
     * another is one of a row.
     */
    private static final long LENT_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    /** So much of that is the longest time that a thread receives in the place of this one. */
    private static final double LOAN = 0.4;

    /** So many waits in a row before the role is asked for. */
    private static final int HABIT = 8;

    /** The most where answers take longer than a loan again and again. */
    private static final int LATE_RELUCTANCE = 64;

    /** One part in so many of the reluctance goes with each loan that was none of a mistake. */
    private static final int FORGETTING = 64;

    /** As many take some times as much stack as a round, in whatever way both are compiled. */
    private static final int PROBE_CALLS = 500;

    /** So many loans of one thread go by before its stack is looked at again. */
    private static final int PROBED_LOANS = 8;

    /** The most waits before it is asked for again where lending was a mistake again and again. */
    private static final int MAX_RELUCTANCE = 1024;

    private final Messenger messenger;
    private final Agent agent;
    private final IntSupplier excess;
    private final long lentNanos;
    private final ReceivingRole role = new ReceivingRole(new Parking());
    private final Thread thread;

    /** Nothing is handed over any more; guarded by this. */
    private boolean isEnding;

    // Written by all that wait, without order among them; a lost update does no harm.
    private volatile long waitedNanos = System.nanoTime();
    private volatile int waits;
    private volatile @Nullable Thread probed;
    private volatile int loansSinceProbe;

    /**
     * So many waits go by before the role is asked for again after a mistake, which doubles them:
     * few where lending has been none for long. Written by who has the role.
     */
    private volatile int reluctance = HABIT;

    /** What has ended the rounds of a thread in the place of this one; none follows then. */
    private volatile @Nullable Throwable failure;

    private final class Parking implements ReceivingRole.Rest {
        @Override
        public void park() {
            LockSupport.parkNanos(role, lentNanos);
        }

        @Override
        public void end() {
            unpark();
        }
    }

    /** A thread that has not started. */
    ReceivingThread(Messenger messenger, Agent agent) {
        this(messenger, agent, BusyCores.MACHINE::excess, LENT_NANOS);
    }

    /**
     * One of a test.
     *
     * @param excess says how many more threads want to run than there are cores
     * @param lentNanos in the place of {@link #LENT_NANOS}
     */
    ReceivingThread(Messenger messenger, Agent agent, IntSupplier excess, long lentNanos) {
        this.messenger = messenger;
        this.agent = agent;
        this.excess = excess;
        this.lentNanos = lentNanos;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("net-receive-" + messenger.nodeId())
                        .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Ends its parking; it looks again whether there is something to do. */
    void unpark() {
        LockSupport.unpark(thread);
    }

    /**
     * Makes something of which this thread is to take care: it will hear of it, or whoever {@link
     * #join} has told that it has ended.
     *
     * @param making makes it and asks for what is to be done with it; must not wait
     * @throws NetException when the network is closed; nothing is made then
     */
    synchronized void handOver(Runnable making) {
        if (isEnding) {
            throw new NetException("the network of node " + messenger.nodeId() + " is closed");
        }
        making.run();
    }

    private synchronized void endHandingOver() {
        isEnding = true;
    }

    /**
     * Takes over nothing any more and waits until it has ended; false when that can't be waited
     * for: on itself, interrupted.
     */
    boolean join() {
        endHandingOver();
        role.recall();
        if (messenger.isReceivingThread()) {
            return false;
        }
        try {
            thread.join();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Somebody has work for whoever receives: this thread is to have its role again. */
    void recall() {
        role.recall();
    }

    /**
     * Takes in on the calling thread the answer that it is going to wait for, until that is there;
     * for a short time, and if this thread lends its role. See {@link
     * org.starling.net.Transport#receiveUntil}.
     */
    boolean receiveUntil(Future<?> answer) {
        if (answer.isDone()) {
            return false;
        }
        long now = System.nanoTime();
        boolean isSoon = now - waitedNanos < lentNanos;
        waitedNanos = now;
        int row = isSoon ? Math.min(waits + 1, HABIT) : Math.min(waits, 0);
        waits = row;
        PendingRequest<?> own =
                row == HABIT && failure == null ? messenger.onlyRequestOfCaller() : null;
        if (own != null && maySpin()) {
            if (role.isLent() && hasStack() && borrow(own, answer, now)) {
                return true;
            }
            if (!role.isLent()) {
                role.ask();
                return false;
            }
        }
        role.recall(); // or nobody took the answer in
        return false;
    }

    /** A worker that waits has its place taken by another one at once. */
    private boolean maySpin() {
        return messenger.config().waiting() == Waiting.ADAPTIVE
                && !Thread.currentThread().isVirtual()
                && !Thread.currentThread().isInterrupted()
                && !Workers.isWorkerThread()
                && excess.getAsInt() <= 1; // the receiving thread runs or the caller
    }

    /**
     * Whether the calling thread has stack left for a round: one that overflowed in the middle
     * would leave everything half done. Looks now and then, and for more than is needed.
     */
    private boolean hasStack() {
        Thread caller = Thread.currentThread();
        int loans = caller.equals(probed) ? loansSinceProbe : PROBED_LOANS;
        if (loans < PROBED_LOANS) {
            loansSinceProbe = loans + 1;
            return true;
        }
        loansSinceProbe = 0;
        try {
            probed = descend(PROBE_CALLS, 1, 2, 3, 4, 5, 6, 7, 8) == 0 ? null : caller;
            return true;
        } catch (StackOverflowError full) {
            probed = null;
            waits = HABIT - MAX_RELUCTANCE;
            return false;
        }
    }

    private static long descend(
            int calls, long a, long b, long c, long d, long e, long f, long g, long h) {
        return calls == 0
                ? a + b + c + d + e + f + g + h
                : descend(calls - 1, b, c, d, e, f, g, h, a) + a + d + h;
    }

    private boolean borrow(PendingRequest<?> own, Future<?> answer, long beganNanos) {
        boolean isBorrowed = false;
        try {
            isBorrowed = role.tryBorrow();
            if (isBorrowed) {
                role.borrowed();
                messenger.enterReceivingThread();
                messenger.borrowedFor = own;
                receive(answer, beganNanos);
            }
        } finally {
            if (isBorrowed) { // without a call, as the caller may have no stack left
                messenger.borrowedFor = null;
                messenger.receivingThread = null;
                role.isTaken = false;
            }
        }
        if (isBorrowed) {
            role.wasGivenBack();
        }
        return isBorrowed;
    }

    private void receive(Future<?> answer, long beganNanos) {
        try {
            do { // once at least: while the role is borrowed again and again nobody else receives
                if (agent.takeAnswers() == 0) {
                    Thread.onSpinWait();
                }
            } while (!answer.isDone()
                    && hasOwn()
                    && !role.isRecalled()
                    && !agent.isClosed()
                    && !Thread.currentThread().isInterrupted()
                    && System.nanoTime() - beganNanos < LOAN * lentNanos);
        } catch (IOException | RuntimeException | Error e) {
            failure = e; // for the receiving thread, which looks soon and ends of it
            return;
        }
        if (role.isRecalled()) { // something else has come, or somebody else waits
            reluctance = Math.min(2 * reluctance, MAX_RELUCTANCE);
        } else if (answer.isDone()) {
            reluctance = Math.max(reluctance - reluctance / FORGETTING - 1, 1);
        } else { // rarely so, or always
            reluctance = Math.max(reluctance, Math.min(2 * reluctance, LATE_RELUCTANCE));
        }
        if (role.isRecalled() || !answer.isDone() || !agent.isIdle()) {
            waits = HABIT - reluctance;
            role.recall();
        }
    }

    /** Whether something is still to come in; the answer may have led to another request. */
    private boolean hasOwn() {
        PendingRequest<?> own = messenger.borrowedFor;
        if (own == null || !own.isDone()) {
            return own != null;
        }
        PendingRequest<?> next = messenger.onlyRequestOfCaller();
        if (next != null) {
            messenger.borrowedFor = next;
        }
        return next != null;
    }

    private void run() {
        role.take();
        messenger.enterReceivingThread();
        Backoff backoff = new Backoff(messenger.config().waiting());
        try {
            while (!agent.isClosed()) {
                if (agent.doWork() > 0 || (!backoff.pauseAwake() && agent.sleep() > 0)) {
                    backoff.reset();
                    if (role.isAsked()) { // not sooner: who asks waits for what comes in
                        lend();
                    }
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            messenger.failed(e);
        } finally {
            backoff.reset();
            agent.end();
        }
    }

    private void lend() throws IOException {
        messenger.leaveReceivingThread();
        role.lend(agent::isIdle);
        messenger.enterReceivingThread();
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e); // no other is kept
        }
    }
}
