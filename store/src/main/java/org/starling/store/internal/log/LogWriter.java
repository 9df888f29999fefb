package org.starling.store.internal.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent behind all logs of a peer: first writes what waits in any log, then forces where
 * somebody waits, so that all who came meanwhile share the next round (group commit), then cleans a
 * little. Runs on a thread of its own; a test may call {@link #doWork} by hand instead. Costs
 * nothing while nothing is written.
 */
final class LogWriter implements AutoCloseable {
    private static final long JOIN_MILLIS = 30_000;

    private final CopyOnWriteArrayList<ZoneAgent> agents = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Consumer<ZoneLog>> listeners = new CopyOnWriteArrayList<>();

    /** Given once, before the first log. */
    private @Nullable LogContext context;

    private final Thread thread;
    private final Signal signal = new Signal();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder cleanedBytes = new LongAdder();
    private volatile boolean stopped;

    LogWriter() {
        thread = Thread.ofPlatform().name("starling-log-writer").daemon().unstarted(this::run);
    }

    /** Begins to work. */
    void start(LogContext newContext) {
        context = newContext;
        thread.start();
    }

    /** Works for a log from now on. */
    void add(DiskZoneLog log, LogContext logContext) {
        agents.add(new ZoneAgent(log, logContext, this::relieve));
        wake();
    }

    /** Who is told of logs that give up. */
    void onFailure(Consumer<ZoneLog> listener) {
        listeners.add(listener);
    }

    /** There may be something to do. */
    void wake() {
        if (signal.raise()) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * One round.
     *
     * @return 0 when there is nothing more to do now
     */
    long doWork(long nowNanos) {
        LogContext shared = context;
        boolean memoryIsShort = shared != null && shared.pool().takeShortage();
        long work = memoryIsShort ? 1 : 0;
        for (ZoneAgent agent : agents) {
            work += write(agent, nowNanos, memoryIsShort);
        }
        for (ZoneAgent agent : agents) {
            agent.force(nowNanos);
        }
        for (ZoneAgent agent : agents) {
            long cleaned = agent.clean();
            cleanedBytes.add(cleaned);
            work += cleaned;
        }
        for (ZoneAgent agent : agents) {
            tellOfFailure(agent);
            if (agent.closeIfDue()) {
                agents.remove(agent);
                work++;
            }
        }
        return work;
    }

    /** The disk hangs, and perhaps this thread with it: all logs give up. Called by who noticed. */
    void failAll(Throwable cause) {
        for (ZoneAgent agent : agents) {
            agent.fail(cause);
            tellOfFailure(agent);
        }
    }

    private void tellOfFailure(ZoneAgent agent) {
        if (agent.takeFailure()) {
            listeners.forEach(listener -> listener.accept(agent.log()));
        }
    }

    /** Writes what waits in all logs, for whoever on this thread needs memory. */
    private void relieve() {
        for (ZoneAgent agent : List.copyOf(agents)) {
            write(agent, 0, true);
        }
    }

    private long write(ZoneAgent agent, long nowNanos, boolean memoryIsShort) {
        long bytes = agent.write(nowNanos, memoryIsShort);
        writtenBytes.add(bytes);
        return bytes;
    }

    /** What has been done; any thread. */
    LogFigures figures(DiskWatch disk) {
        int logs = 0;
        long bytes = 0;
        for (ZoneAgent agent : agents) {
            logs++;
            bytes += agent.log().logBytes();
        }
        return new LogFigures(
                logs,
                bytes,
                writtenBytes.sum(),
                cleanedBytes.sum(),
                disk.forces(),
                disk.forceNanos(),
                disk.hang() != null);
    }

    private void run() {
        while (!stopped) {
            signal.lower();
            long now = now();
            if (round(now) == 0) {
                long due = Long.MAX_VALUE;
                for (ZoneAgent agent : agents) {
                    due = Math.min(due, agent.dueIn(now));
                }
                if (signal.isRaised()) {
                    continue;
                }
                if (due == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else if (due > 0) {
                    LockSupport.parkNanos(this, due);
                }
            }
        }
        agents.forEach(ZoneAgent::closeIfDue); // those that could not be waited for
    }

    /** What a round throws besides is a bug or the end of the memory: no log can rely on it. */
    private long round(long nowNanos) {
        try {
            return doWork(nowNanos);
        } catch (RuntimeException | Error e) {
            failAll(e);
            return 0;
        }
    }

    private long now() {
        LogContext shared = context;
        return shared == null ? 0 : shared.nanoClock().getAsLong();
    }

    @Override
    public void close() {
        stopped = true;
        wake();
        LockSupport.unpark(thread);
        LogContext shared = context;
        if (shared != null && shared.files().hang() != null) {
            return; // it ends when the disk lets it go
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new LogFailedException(
                    "the thread of the logs does not end within "
                            + TimeUnit.MILLISECONDS.toSeconds(JOIN_MILLIS)
                            + " s",
                    null);
        }
    }
}
