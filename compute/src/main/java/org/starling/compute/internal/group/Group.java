package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.net.Message;
import org.starling.net.Network;
import org.starling.net.NodeLostException;
import org.starling.net.RemoteException;
import org.starling.net.Request;

/**
 * The slaves as the master sees them: commands to all at once, answers from all. Waiting is the
 * barrier. Called by the job's thread; {@link #cancel} by any.
 */
final class Group {
    private static final Duration COMMAND_TIMEOUT = Duration.ofHours(24);
    private static final long CANCEL_CHECK_MILLIS = 100;

    private final Network network;
    private final int[] slaves;
    private volatile boolean cancelled;

    Group(Network network, int[] slaves) {
        this.network = network;
        this.slaves = slaves.clone();
    }

    /** Nodes of the slaves, ascending. */
    int[] slaves() {
        return slaves.clone();
    }

    /** Number of slaves. */
    int size() {
        return slaves.length;
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
        List<CompletableFuture<R>> answers = new ArrayList<>();
        for (int i = 0; i < slaves.length; i++) {
            answers.add(network.request(slaves[i], command.apply(i), COMMAND_TIMEOUT));
        }
        List<R> results = new ArrayList<>();
        RuntimeException failure = null;
        for (CompletableFuture<R> answer : answers) {
            try {
                results.add(await(answer, answers));
            } catch (JobCancelledException e) {
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

    /** Sends a command to one node. */
    <R extends Message, Q extends Request<R>> R one(int node, Q command) {
        CompletableFuture<R> answer = network.request(node, command, COMMAND_TIMEOUT);
        return await(answer, List.of(answer));
    }

    /**
     * Sends a command to all slaves whether or not the job is cancelled or slaves answer: for
     * cleaning up.
     */
    <R extends Message, Q extends Request<R>> void allQuietly(Q command, Duration timeout) {
        List<CompletableFuture<R>> answers = new ArrayList<>();
        for (int slave : slaves) {
            answers.add(network.request(slave, command, timeout));
        }
        answers.forEach(answer -> answer.exceptionally(_ -> null).join());
    }

    /** Lets the job's thread throw at its next wait. */
    void cancel() {
        cancelled = true;
    }

    /** Takes a cancel back: a new job begins. */
    void reset() {
        cancelled = false;
    }

    /** Throws if the job was cancelled. */
    void checkCancelled() {
        if (cancelled) {
            throw new JobCancelledException("the job was cancelled");
        }
    }

    /** Waits for an answer, but not when another one has failed: slaves wait for one another. */
    private <R> R await(CompletableFuture<R> answer, List<CompletableFuture<R>> all) {
        while (true) {
            checkCancelled();
            try {
                return answer.get(CANCEL_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                for (CompletableFuture<R> other : all) {
                    if (other.isCompletedExceptionally()) {
                        throw translate(other.exceptionNow());
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobCancelledException("the job's thread was interrupted");
            } catch (ExecutionException e) {
                throw translate(e.getCause() == null ? e : e.getCause());
            }
        }
    }

    private static RuntimeException translate(Throwable thrown) {
        String text = String.valueOf(thrown.getMessage());
        return switch (thrown) {
            case RemoteException e -> CommandFailedException.unwrap(text, e);
            case NodeLostException e ->
                    new JobFailedException("a peer was lost in the middle of the job: " + text, e);
            case RuntimeException e -> e;
            default -> new IllegalStateException(thrown);
        };
    }
}
