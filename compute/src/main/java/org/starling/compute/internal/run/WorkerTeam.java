package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The worker threads of a slave. They do one job at a time, all together, and sleep in between.
 *
 * <p>Owned by the slave. Who comes while a job is under way waits for its end: a command that a
 * master has given up, because another slave was lost, may still be at work when the next one
 * comes. A worker that throws ends the job with that exception when all have finished; workers
 * waiting in {@link #barrier} are not left alone, because a job must reach its barriers whatever
 * happens in between (see {@link SlaveRun}).
 */
public final class WorkerTeam implements AutoCloseable {
    /** Packages and classes in which workers wait for others, or for a file system. */
    private static final List<String> WAITING =
            List.of(
                    "org.starling.net.",
                    "org.starling.store.",
                    "sun.nio.ch.",
                    "sun.nio.fs.",
                    "java.io.FileInputStream",
                    "java.io.FileOutputStream",
                    "java.io.RandomAccessFile");

    /** Packages whose code is not that of users. */
    private static final List<String> NOT_USERS =
            List.of(
                    "java.",
                    "jdk.",
                    "sun.",
                    "org.starling.graph.",
                    "org.starling.compute.internal.");

    /** For the end of a job that another one waits for. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String name;
    private final int size;
    private final CoreShares.Share share;
    private final CoreShares.Turn[] turns;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile ExecutorService executor;
    private final Phaser barrier;
    private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** What a worker does with one of many parts of a job. */
    public interface PartConsumer {
        /** Does a part. */
        void accept(int worker, int part);
    }

    /** A team of so many threads, which begin with its first job; the node's cores are its own. */
    public WorkerTeam(String name, int size) {
        this(name, size, new CoreShares(Math.max(1, size)).open(1));
    }

    /**
     * A team that shares the node's cores with others.
     *
     * @param share what it has of them; closed with the team
     */
    public WorkerTeam(String name, int size, CoreShares.Share share) {
        this.name = name;
        this.size = size;
        this.share = share;
        this.turns = new CoreShares.Turn[size];
        Arrays.setAll(turns, _ -> share.turn());
        this.barrier = new Phaser(size);
        this.executor = newExecutor();
    }

    /** Number of workers. */
    public int size() {
        return size;
    }

    /** What the team has of the node's cores. */
    public CoreShares.Share share() {
        return share;
    }

    /** A worker's turns on the node's cores; the worker's alone. */
    CoreShares.Turn turn(int worker) {
        return turns[worker];
    }

    /**
     * Lets every worker call {@code body} with its number. The future completes on the worker that
     * finishes last.
     *
     * @throws IllegalStateException if another job does not end
     */
    public synchronized CompletableFuture<Void> start(IntConsumer body) {
        if (!last.isDone() && !awaitIdle(PATIENCE)) {
            throw new IllegalStateException("the workers are busy");
        }
        CompletableFuture<?>[] shares = new CompletableFuture<?>[size];
        Arrays.setAll(
                shares, worker -> CompletableFuture.runAsync(() -> body.accept(worker), executor));
        last = CompletableFuture.allOf(shares);
        return last;
    }

    /** The same, and waits; throws what a worker has thrown. */
    public void run(IntConsumer body) {
        try {
            start(body).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Hands so many parts of a job out to all workers, who come for one after the other until none
     * is left, or they are told to stop; one that fails comes no more.
     */
    public void forEach(int parts, StopSign stop, PartConsumer body) {
        AtomicInteger next = new AtomicInteger();
        run(worker -> {
            int part;
            while ((part = next.getAndIncrement()) < parts) {
                stop.check();
                body.accept(worker, part);
            }
        });
    }

    /** Waits until no job is under way; false if one is even then. */
    public boolean awaitIdle(Duration patience) {
        return last.handle((_, _) -> true)
                .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /**
     * Where a worker is in code of users; empty if none is. Whoever waits there for the network,
     * the store or a file is not, and comes back.
     */
    public Optional<StackTraceElement> placeInUserCode() {
        return threads.stream().flatMap(thread -> placeInUserCode(thread).stream()).findFirst();
    }

    private static Optional<StackTraceElement> placeInUserCode(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (WAITING.stream().anyMatch(name::startsWith)) {
                return Optional.empty();
            }
            if (NOT_USERS.stream().noneMatch(name::startsWith)) {
                return Optional.of(frame);
            }
        }
        return Optional.empty();
    }

    /**
     * Takes other threads from the next job on: what code of users has left in variables of the old
     * ones goes with them. Called when no job is under way.
     */
    public synchronized void renewThreads() {
        ExecutorService old = executor;
        if (old.isShutdown()) {
            return;
        }
        threads.clear();
        executor = newExecutor();
        last = CompletableFuture.completedFuture(null); // the old one knows what was thrown
        old.shutdown();
    }

    /** Does something on this thread with a class loader as its context. */
    public static void within(@Nullable ClassLoader context, Runnable work) {
        Thread thread = Thread.currentThread();
        ClassLoader earlier = thread.getContextClassLoader();
        thread.setContextClassLoader(context);
        try {
            work.run();
        } finally {
            thread.setContextClassLoader(earlier);
        }
    }

    /** Waits until all workers of the job are here. */
    public void barrier() {
        barrier.arriveAndAwaitAdvance();
    }

    /** Threads that have nothing of the one that happens to start them. */
    private ExecutorService newExecutor() {
        return Executors.newFixedThreadPool(
                Math.max(1, size),
                work -> {
                    Thread thread =
                            Thread.ofPlatform()
                                    .daemon()
                                    .name(name + "-" + threads.size())
                                    .inheritInheritableThreadLocals(false)
                                    .unstarted(work);
                    thread.setContextClassLoader(WorkerTeam.class.getClassLoader());
                    threads.add(thread);
                    return thread;
                });
    }

    @Override
    public void close() {
        executor.shutdown();
        share.close();
    }

    /**
     * Waits, after {@link #close}, until all threads have ended; false if they have not in time.
     */
    public boolean awaitEnd(Duration timeout) {
        try {
            return executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
