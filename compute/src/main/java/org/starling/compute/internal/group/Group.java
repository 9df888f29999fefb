package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.graph.JobCancelledException;
import org.starling.net.Message;
import org.starling.net.Network;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.RemoteException;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;
import org.starling.store.Membership;

/**
 * The slaves as the master sees them: commands to all at once, answers from all. Waiting is the
 * barrier. Called by the job's thread; {@link #cancel} by any.
 *
 * <p>A slave that is lost while somebody waits for it is a {@link SlaveLostException}; then others
 * may still be at work.
 */
final class Group {
    private static final Duration COMMAND_TIMEOUT = Duration.ofHours(24);
    private static final long CANCEL_CHECK_MILLIS = 100;

    /** Slaves that hear from another one that it has failed answer sooner than this. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(2);

    private final Network network;
    private final Membership membership;
    private final Duration stopPatience;

    /** Nodes that the directory has declared lost; ids are never used again. */
    private final Set<Integer> lost = ConcurrentHashMap.newKeySet();

    /** Ascending; replaced by the job's thread, read by any. */
    private volatile int[] slaves;

    private volatile boolean cancelled;

    /** The task at hand is to stop; the job goes on. */
    private volatile boolean taskStopped;

    /** Leads slaves that are not waited for when their work does not stop for a long time. */
    Group(Network network, Membership membership, int[] slaves) {
        this(network, membership, slaves, StuckWork.COMMAND_PATIENCE);
    }

    /**
     * The same with another patience.
     *
     * @param stopPatience how long a slave may go on without an answer that was told to stop
     */
    Group(Network network, Membership membership, int[] slaves, Duration stopPatience) {
        this.stopPatience = stopPatience;
        this.network = network;
        this.membership = membership;
        this.slaves = sorted(slaves);
        membership.onLoss(node -> lost.add(node.id()));
    }

    /** Nodes of the slaves, ascending. */
    int[] slaves() {
        return slaves.clone();
    }

    /** Number of slaves. */
    int size() {
        return slaves.length;
    }

    /** Leads other slaves from now on. */
    void use(int[] newSlaves) {
        slaves = sorted(newSlaves);
    }

    /** True if a node belongs to the cluster. */
    boolean isMember(int node) {
        return !lost.contains(node) && membership.node(node).isPresent();
    }

    /**
     * Sends the same command to all slaves and waits for their answers, in the order of slaves.
     * When one fails, others may still be at work.
     */
    <R extends Message, Q extends Request<R>> List<R> all(Q command) {
        return each(_ -> command);
    }

    /** Sends each slave (by index) its command and waits for all answers. */
    <R extends Message, Q extends Request<R>> List<R> each(IntFunction<Q> command) {
        return each(command, false, _ -> {});
    }

    /**
     * The same where answers may tell of a failure, which is thrown when all are there. Others may
     * wait for what has failed, and know no way to hear of that: they are told to stop after a
     * moment. Who does not answer for a long time then has work that does not stop, and is not
     * waited for; what that is shows when it is ended.
     *
     * @param failure the worst that some answers tell of
     * @param stop lets a slave wait no longer, so that it answers
     */
    <R extends Message, Q extends Request<R>> List<R> each(
            IntFunction<Q> command,
            Function<List<R>, Optional<RuntimeException>> failure,
            Request<?> stop) {
        List<R> results = each(command, false, new Stopping<>(failure, stop));
        failure.apply(results)
                .ifPresent(worst -> {
                    throw worst;
                });
        return results;
    }

    /** The same, but when one fails it waits for the others, unless a slave is lost. */
    <R extends Message, Q extends Request<R>> List<R> settled(IntFunction<Q> command) {
        return each(command, true, _ -> {});
    }

    /**
     * @param look has all answers that are waited for; runs now and then
     */
    private <R extends Message, Q extends Request<R>> List<R> each(
            IntFunction<Q> command,
            boolean untilAllAnswer,
            Consumer<List<CompletableFuture<R>>> look) {
        int[] nodes = slaves;
        List<CompletableFuture<R>> answers = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            answers.add(network.request(nodes[i], command.apply(i), COMMAND_TIMEOUT));
        }
        List<CompletableFuture<R>> others = untilAllAnswer ? List.of() : answers;
        List<R> results = new ArrayList<>();
        RuntimeException failure = null;
        for (int i = 0; i < nodes.length; i++) {
            try {
                results.add(await(answers.get(i), nodes, others, i, () -> look.accept(answers)));
            } catch (JobCancelledException | SlaveLostException e) {
                throw e;
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    /** Tells those of a failure who do not answer; confined to the job's thread. */
    private final class Stopping<R extends Message>
            implements Consumer<List<CompletableFuture<R>>> {
        private final Function<List<R>, Optional<RuntimeException>> failure;
        private final Request<?> stop;

        /** When there was no failure yet, or those were told last who were silent. */
        private long lastNanos = System.nanoTime();

        /** When they were told first; empty before. */
        private OptionalLong firstNanos = OptionalLong.empty();

        Stopping(Function<List<R>, Optional<RuntimeException>> failure, Request<?> stop) {
            this.failure = failure;
            this.stop = stop;
        }

        @Override
        public void accept(List<CompletableFuture<R>> answers) {
            Optional<RuntimeException> worst =
                    failure.apply(
                            answers.stream()
                                    .filter(answer -> answer.state() == Future.State.SUCCESS)
                                    .map(Future::resultNow)
                                    .toList());
            long now = System.nanoTime();
            if (worst.isEmpty()) {
                lastNanos = now;
            } else if (now - firstNanos.orElse(now) > stopPatience.toNanos()) {
                throw worst.get();
            } else if (now - lastNanos > GRACE_NANOS) {
                lastNanos = now;
                firstNanos = OptionalLong.of(firstNanos.orElse(now));
                tellSilent(answers, stop);
            }
        }
    }

    private void tellSilent(List<? extends CompletableFuture<?>> answers, Request<?> command) {
        int[] nodes = slaves;
        for (int i = 0; i < nodes.length; i++) {
            int node = nodes[i];
            if (!answers.get(i).isDone()) { // to make a connection takes time
                Thread.startVirtualThread(() -> {
                    var _ = network.request(node, command, PING_TIMEOUT);
                });
            }
        }
    }

    /** Sends a command to one node. */
    <R extends Message, Q extends Request<R>> R one(int node, Q command) {
        CompletableFuture<R> answer = network.request(node, command, COMMAND_TIMEOUT);
        return await(answer, new int[] {node}, List.of(answer), 0, () -> {});
    }

    /**
     * Sends a command to all slaves whether or not the job is cancelled or slaves answer: for
     * cleaning up, as often as it takes: a connection may break though its nodes live on. Does not
     * wait for slaves that are lost.
     */
    <R extends Message, Q extends Request<R>> List<Optional<R>> allQuietly(
            Q command, Duration timeout) {
        return allQuietly(command, timeout, new ArrayList<>());
    }

    /**
     * The same, and hears of work that does not stop.
     *
     * @param stuck sentences are added
     */
    <R extends Message, Q extends Request<R>> List<Optional<R>> allQuietly(
            Q command, Duration timeout, List<String> stuck) {
        int[] nodes = slaves;
        long deadline = System.nanoTime() + timeout.toNanos();
        List<CompletableFuture<R>> answers = new ArrayList<>();
        for (int slave : nodes) {
            answers.add(network.request(slave, command, timeout));
        }
        List<Optional<R>> results = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            CompletableFuture<R> answer = answers.get(i);
            awaitQuietly(nodes[i], answer);
            while (isUnheard(nodes[i], answer) && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CANCEL_CHECK_MILLIS));
                Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
                answer = network.request(nodes[i], command, left);
                awaitQuietly(nodes[i], answer);
            }
            results.add(result(answer, stuck));
        }
        return results;
    }

    /** A slave that does not answer now, or -1 if all do. */
    int findMissing() {
        int[] nodes = slaves;
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int slave : nodes) {
            answers.add(ping(slave));
        }
        int missing = -1;
        for (int i = 0; i < nodes.length; i++) {
            boolean answered = answers.get(i).join();
            missing = missing < 0 && !answered ? nodes[i] : missing;
        }
        return missing;
    }

    /** Whether a node answers now. */
    boolean answers(int node) {
        return ping(node).join();
    }

    /**
     * Those of some nodes that do not refuse to serve: the slave of one that has just joined may
     * not be up yet, and that of one that ends is so no more. Who is silent may be lost, which
     * shows when something is asked of it.
     */
    int[] serving(int[] nodes) {
        List<CompletableFuture<StatusReport>> answers =
                Arrays.stream(nodes)
                        .mapToObj(node -> network.request(node, new Status(), PING_TIMEOUT))
                        .toList();
        return IntStream.range(0, nodes.length)
                .filter(i -> !isRefused(answers.get(i)))
                .map(i -> nodes[i])
                .toArray();
    }

    private static boolean isRefused(CompletableFuture<?> answer) {
        boolean failed = answer.handle((_, failure) -> failure != null).join();
        return failed && answer.exceptionNow() instanceof RemoteException;
    }

    /** Lets the job's thread throw at its next wait. */
    void cancel() {
        cancelled = true;
    }

    /** Lets the job's thread throw at its next wait, or takes that back. */
    void stopTask(boolean stopped) {
        taskStopped = stopped;
    }

    /** Takes a cancel back: a new job begins. */
    void reset() {
        cancelled = false;
        taskStopped = false;
    }

    /** Throws if the job was cancelled. */
    void checkCancelled() {
        if (cancelled) {
            throw new JobCancelledException("the job was cancelled");
        }
        if (taskStopped) {
            throw new JobCancelledException("the task's time is over");
        }
    }

    /** A cancel that also says what did not stop. */
    static JobCancelledException cancelled(JobCancelledException cancel, List<String> stuck) {
        return stuck.isEmpty() ? cancel : new JobCancelledException(said(cancel, stuck));
    }

    /**
     * A failure that also says what did not stop. A loss stays one, and so does what the store
     * could not do for now: what does not stop then is perhaps another job's work, and suppressed.
     */
    static RuntimeException failed(RuntimeException failure, List<String> stuck) {
        if (stuck.isEmpty()) {
            return failure;
        }
        if (failure instanceof SlaveLostException || RecoveryLoop.isOfStore(failure)) {
            failure.addSuppressed(new StuckRunException(said(failure, stuck)));
            return failure;
        }
        return new StuckRunException(said(failure, stuck), failure);
    }

    private static String said(RuntimeException failure, List<String> stuck) {
        return failure.getMessage() + "; " + String.join("; ", stuck);
    }

    private CompletableFuture<Boolean> ping(int node) {
        return lost.contains(node)
                ? CompletableFuture.completedFuture(false)
                : network.request(node, new Status(), PING_TIMEOUT).handle((_, e) -> e == null);
    }

    /**
     * Waits for an answer, but not when another one has failed: slaves wait for one another.
     *
     * @param look runs now and then
     */
    private <R> R await(
            CompletableFuture<R> answer,
            int[] nodes,
            List<CompletableFuture<R>> all,
            int index,
            Runnable look) {
        while (true) {
            checkCancelled();
            try {
                return answer.get(CANCEL_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                for (int node : nodes) {
                    if (lost.contains(node)) {
                        throw new SlaveLostException(node, "node " + node + " was lost", e);
                    }
                }
                for (int i = 0; i < all.size(); i++) {
                    if (all.get(i).isCompletedExceptionally()) {
                        throw translate(all.get(i).exceptionNow(), nodes[i]);
                    }
                }
                look.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobCancelledException("the job's thread was interrupted");
            } catch (ExecutionException e) {
                throw translate(e.getCause() == null ? e : e.getCause(), nodes[index]);
            }
        }
    }

    private void awaitQuietly(int node, CompletableFuture<?> answer) {
        CompletableFuture<?> end = answer.handle((_, _) -> true);
        while (!lost.contains(node) && !isDoneSoon(end)) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    private boolean isUnheard(int node, CompletableFuture<?> answer) {
        return answer.isCompletedExceptionally()
                && answer.exceptionNow() instanceof NodeLostException
                && isMember(node)
                && !Thread.currentThread().isInterrupted();
    }

    private static <R> Optional<R> result(CompletableFuture<R> answer, List<String> stuck) {
        if (answer.isCompletedExceptionally()) {
            CommandFailedException.stuck(answer.exceptionNow()).ifPresent(stuck::add);
        }
        return answer.handle((value, _) -> Optional.ofNullable(value)).getNow(Optional.empty());
    }

    private static boolean isDoneSoon(CompletableFuture<?> result) {
        try {
            result.get(CANCEL_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a future that cannot fail", e);
        }
    }

    private static RuntimeException translate(Throwable thrown, int node) {
        String text = String.valueOf(thrown.getMessage());
        return switch (thrown) {
            case RemoteException e -> CommandFailedException.unwrap(text, e);
            case NodeLostException e -> new SlaveLostException(node, text, e);
            case NodeUnknownException e -> new SlaveLostException(node, text, e);
            case RequestTimeoutException e -> new SlaveLostException(node, text, e);
            case RuntimeException e -> e;
            default -> new IllegalStateException(thrown);
        };
    }

    private static int[] sorted(int[] nodes) {
        int[] sorted = nodes.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
