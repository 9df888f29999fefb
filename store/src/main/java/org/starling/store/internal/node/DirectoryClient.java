package org.starling.store.internal.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.RemoteException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.NodeMessage.Answer;
import org.starling.store.internal.node.NodeMessage.Ask;
import org.starling.store.internal.replica.ZoneDirectory;

/**
 * A node's way to the directory: finds the leading superpeer and asks again until it answers or the
 * time is over. A command may so arrive twice; all of them do no harm then. Any thread; the futures
 * never wait, the blocking methods are not for receiving threads.
 */
final class DirectoryClient implements ZoneDirectory {
    /** From one attempt to the next when nobody leads. */
    private static final long PAUSE_MILLIS = 25;

    /**
     * A superpeer gets so long for an answer before one is asked again: another, or the only one,
     * which may have been started anew meanwhile and know nothing of the question.
     */
    private static final long ATTEMPT_MILLIS = 1000;

    private final Asker asker;
    private final LeaderGuess leader;
    private final long timeoutNanos;
    private final LongSupplier nanoClock;
    private final BooleanSupplier isStopped;

    /** Runs attempts after a pause. */
    private final Executor later;

    /**
     * A way to the directory.
     *
     * @param timeout after so long without an answer it gives up
     * @param isStopped whether this node is closed, after which nothing is asked
     */
    DirectoryClient(
            Network network,
            LeaderGuess leader,
            Duration timeout,
            LongSupplier nanoClock,
            BooleanSupplier isStopped) {
        asker = new Asker(network);
        this.leader = leader;
        timeoutNanos = timeout.toNanos();
        this.nanoClock = nanoClock;
        this.isStopped = isStopped;
        later =
                CompletableFuture.delayedExecutor(
                        PAUSE_MILLIS, TimeUnit.MILLISECONDS, Asker.THREADS);
    }

    /** Asks and waits. */
    <R extends DirectoryReply> R ask(DirectoryQuery query, Class<R> reply) {
        return RemoteChunks.await(askAsync(query, reply), query.isWrite());
    }

    /** Asks. Fails with a {@link StoreException}. */
    <R extends DirectoryReply> CompletableFuture<R> askAsync(DirectoryQuery query, Class<R> reply) {
        return attempted(query).thenApply(answered -> checked(answered, reply));
    }

    /** Has a command carried out and waits; a refusal becomes an exception. */
    Result require(Command command) {
        Result result = RemoteChunks.await(apply(command), true);
        if (result instanceof Result.Refused refused) {
            throw new StoreException("the directory refused: " + refused.reason());
        }
        return result;
    }

    /** As {@link #require}: whether it has changed anything. */
    boolean changed(Command command) {
        return require(command) instanceof Result.Done done && done.changed();
    }

    /** By it the directory knows a command that it is given again. */
    static long nonce() {
        return ThreadLocalRandom.current().nextLong() | 1;
    }

    // for replication

    @Override
    public CompletableFuture<Result> apply(Command command) {
        return commanded(command)
                .thenApply(reply ->
                        reply instanceof DirectoryReply.NoMember none
                                ? new Result.Refused(reason(none))
                                : result(reply));
    }

    /**
     * As {@link #apply}; fails with a {@link StoreException} when this node is no member, which it
     * may be again soon.
     */
    CompletableFuture<Result> applyAsMember(Command command) {
        return commanded(command)
                .thenApply(reply -> {
                    if (reply instanceof DirectoryReply.NoMember none) {
                        throw new StoreException(reason(none));
                    }
                    return result(reply);
                });
    }

    @Override
    public CompletableFuture<ZoneInfo> zone(long zone) {
        return askAsync(new DirectoryQuery.ZoneOf(zone), DirectoryReply.Zones.class)
                .thenApply(reply -> {
                    if (reply.zones().isEmpty()) {
                        throw new StoreException(
                                "zone " + Long.toHexString(zone) + " does not exist");
                    }
                    return reply.zones().getFirst();
                });
    }

    @Override
    public CompletableFuture<List<ZoneInfo>> zonesOf(int node) {
        return askAsync(new DirectoryQuery.ZonesOf(node), DirectoryReply.Zones.class)
                .thenApply(DirectoryReply.Zones::zones);
    }

    @Override
    public CompletableFuture<long[]> dropped(long[] zones) {
        return askAsync(new DirectoryQuery.DroppedOf(zones), DirectoryReply.Dropped.class)
                .thenApply(DirectoryReply.Dropped::zones);
    }

    @Override
    public CompletableFuture<Integer> chooseBackup(long zone, List<Integer> avoided) {
        return askAsync(new DirectoryQuery.ChooseBackup(zone, avoided), DirectoryReply.Chosen.class)
                .thenApply(DirectoryReply.Chosen::node);
    }

    // private

    private CompletableFuture<DirectoryReply> commanded(Command command) {
        return attempted(DirectoryQuery.Apply.of(command));
    }

    private CompletableFuture<DirectoryReply> attempted(DirectoryQuery query) {
        return attempt(query, nanoClock.getAsLong() + timeoutNanos, false);
    }

    private static Result result(DirectoryReply reply) {
        return checked(reply, DirectoryReply.Applied.class).result();
    }

    private static <R extends DirectoryReply> R checked(DirectoryReply answered, Class<R> reply) {
        if (!reply.isInstance(answered)) {
            throw new StoreException("the superpeer answered a question not asked");
        }
        return reply.cast(answered);
    }

    /**
     * Asks once, and again if that fails.
     *
     * @param isRepeated whether an earlier attempt may have been heard
     */
    private CompletableFuture<DirectoryReply> attempt(
            DirectoryQuery query, long deadlineNanos, boolean isRepeated) {
        if (isStopped.getAsBoolean()) {
            NodeClosedException closed = new NodeClosedException();
            return CompletableFuture.failedFuture(
                    isRepeated && query.isWrite()
                            ? mayHaveBeen(String.valueOf(closed.getMessage()))
                            : closed);
        }
        int asked = leader.current();
        long leftMillis = Math.max(1, (deadlineNanos - nanoClock.getAsLong()) / 1_000_000);
        long patience = Math.min(leftMillis, ATTEMPT_MILLIS);
        return asker.ask(asked, new Ask(query), Duration.ofMillis(patience))
                .handle(Attempt::new)
                .thenCompose(attempt -> {
                    Answer got = attempt.answer();
                    Throwable failure = attempt.failure();
                    return got != null && failure == null
                            ? taken(query, deadlineNanos, isRepeated, asked, got)
                            : failed(query, deadlineNanos, asked, cause(failure));
                });
    }

    private static Throwable cause(@Nullable Throwable failure) {
        return failure == null
                ? new StoreException("a superpeer answered nothing")
                : RemoteChunks.unwrapped(failure);
    }

    /** What came of one attempt; one of them is null. */
    private record Attempt(@Nullable Answer answer, @Nullable Throwable failure) {}

    private CompletableFuture<DirectoryReply> taken(
            DirectoryQuery query,
            long deadlineNanos,
            boolean isRepeated,
            int asked,
            Answer answer) {
        if (answer.reply() != null) {
            leader.leads(asked);
            // This node may have been a member when an earlier attempt was heard.
            return answer.reply() instanceof DirectoryReply.NoMember none && isRepeated
                    ? CompletableFuture.failedFuture(mayHaveBeen(reason(none)))
                    : CompletableFuture.completedFuture(answer.reply());
        }
        boolean isNamed = leader.redirect(asked, answer.leader());
        if (isNamed && nanoClock.getAsLong() < deadlineNanos) {
            return CompletableFuture.completedFuture(query)
                    .thenComposeAsync(next -> attempt(next, deadlineNanos, true), Asker.THREADS);
        }
        String text = "no superpeer leads the directory (node " + asked + " does not)";
        return again(query, deadlineNanos, reason(query, text, null));
    }

    private static String reason(DirectoryReply.NoMember none) {
        return "node " + none.node() + " is no member of the cluster (any more)";
    }

    private static IndeterminateException mayHaveBeen(String reason) {
        return new IndeterminateException(
                "a command to the directory may have been carried out or not: " + reason, null);
    }

    private CompletableFuture<DirectoryReply> failed(
            DirectoryQuery query, long deadlineNanos, int asked, Throwable failure) {
        if (!(failure instanceof NetException)) {
            return CompletableFuture.failedFuture(failure);
        }
        // Another one is asked, also in the place of one that is starting and serves nothing yet.
        leader.failed(asked);
        String text =
                (failure instanceof RemoteException
                                ? "superpeer " + asked + " is starting, or can't answer: "
                                : "the superpeer does not answer: ")
                        + failure.getMessage();
        return again(query, deadlineNanos, reason(query, text, failure));
    }

    private static StoreException reason(
            DirectoryQuery query, String text, @Nullable Throwable cause) {
        return query.isWrite()
                ? new IndeterminateException(text, cause)
                : new StoreException(text, cause);
    }

    private CompletableFuture<DirectoryReply> again(
            DirectoryQuery query, long deadlineNanos, StoreException reason) {
        if (nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS) >= deadlineNanos) {
            return CompletableFuture.failedFuture(reason);
        }
        return CompletableFuture.completedFuture(query)
                .thenComposeAsync(next -> attempt(next, deadlineNanos, true), later);
    }
}
