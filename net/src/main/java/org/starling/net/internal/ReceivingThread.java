package org.starling.net.internal;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.starling.net.NetException;

/**
 * The receiving thread of one transport: works in rounds, waits as the configuration says when
 * there is nothing to do, and tells the messenger when something that nobody has foreseen ends it.
 *
 * <p>Made and owned by the transport, which keeps in its own hands what there is to do and how to
 * sleep. Its methods are for any thread.
 */
final class ReceivingThread {

    /** What a transport does on its receiving thread. A test may do it by hand. */
    interface Agent {

        /** Does what there is to do now; returns how much that was. */
        int doWork() throws IOException;

        /** Sleeps until there is something to do; returns how much of that is done already. */
        int sleep() throws IOException;

        /** Whether the rounds are to end. */
        boolean isClosed();

        /** The last act, whatever the rounds have ended of. */
        void end();
    }

    private final Messenger messenger;
    private final Agent agent;
    private final Thread thread;

    /** Nothing is handed over any more; guarded by this. */
    private boolean isEnding;

    /** A thread that has not started. */
    ReceivingThread(Messenger messenger, Agent agent) {
        this.messenger = messenger;
        this.agent = agent;
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

    private void run() {
        messenger.enterReceivingThread();
        Backoff backoff = new Backoff(messenger.config().waiting());
        try {
            while (!agent.isClosed()) {
                if (agent.doWork() > 0) {
                    backoff.reset();
                } else if (!backoff.pauseAwake() && agent.sleep() > 0) {
                    backoff.reset();
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            messenger.failed(e);
        } finally {
            backoff.reset();
            agent.end();
        }
    }
}
