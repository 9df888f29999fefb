package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import org.starling.net.Message;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.NodeUnknownException;
import org.starling.net.RemoteException;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreException;

/**
 * Sends chunk requests to their owners and says what went wrong in the words of the store. A read
 * that got no answer had no effect; a write that got none may have had. While the owner of a
 * replicated chunk is silent, the directory is asked whether it still is the owner. Any thread;
 * never waits itself, {@link #await} does.
 */
final class RemoteChunks {
    /**
     * So long an owner may be silent before the directory is asked whether it still is the owner;
     * and again, as long as it is silent.
     */
    private static final long SILENCE_MILLIS = 1000;

    private final Network network;
    private final IntPredicate isMember;

    /** Tells of a node that is no member whether it is just becoming one. */
    private final IntFunction<CompletableFuture<Boolean>> joins;

    private final BooleanSupplier isStopped;

    /** Asks the directory for the owner of a replicated chunk. */
    private final LongFunction<CompletableFuture<Integer>> ownerNow;

    private final Duration timeout;
    private final CoalescedGets gets;
    private final CoalescedPuts puts;

    RemoteChunks(
            Network network,
            IntPredicate isMember,
            IntFunction<CompletableFuture<Boolean>> joins,
            BooleanSupplier isStopped,
            LongFunction<CompletableFuture<Integer>> ownerNow,
            Duration timeout) {
        this.network = network;
        this.isMember = isMember;
        this.joins = joins;
        this.isStopped = isStopped;
        this.ownerNow = ownerNow;
        this.timeout = timeout;
        gets = new CoalescedGets(this);
        puts = new CoalescedPuts(this);
    }

    /** See {@link Network#newAnswer}. */
    <T> CompletableFuture<T> newAnswer(Runnable beforeWaiting) {
        return network.newAnswer(beforeWaiting);
    }

    /** Reads a chunk at its owner; may go together with others. */
    CompletableFuture<byte[]> get(int owner, long id) {
        return gets.get(owner, id);
    }

    /**
     * Replaces the value of a chunk at its owner; may go together with others.
     *
     * @param sequence its number, or {@link ChunkMessage#UNTAGGED} for a volatile chunk
     */
    CompletableFuture<Long> put(
            int owner, Durability durability, long id, long sequence, byte[] value) {
        return puts.put(owner, durability, new CoalescedPuts.Put(id, sequence, value));
    }

    /** Asks an owner for something; {@code id} is for messages. */
    <R extends Message> CompletableFuture<R> read(int owner, long id, Request<R> request) {
        return send(owner, id, request, false);
    }

    /** Asks an owner to change something; {@code id} is for messages. */
    <R extends Message> CompletableFuture<R> write(int owner, long id, Request<R> request) {
        return send(owner, id, request, true);
    }

    /**
     * Goes on with what is known. If that is known already, the result is the future that {@code
     * next} gives, with what is to be done before somebody waits for it.
     */
    static <T, U> CompletableFuture<U> then(
            CompletableFuture<T> known, Function<? super T, CompletableFuture<U>> next) {
        if (known.state() != Future.State.SUCCESS) {
            return known.thenCompose(next);
        }
        try {
            return next.apply(known.resultNow());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for an operation; its failures come as they are. */
    static <T> T await(CompletableFuture<T> operation, boolean isWrite) {
        try {
            return operation.get();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            String text = "interrupted while waiting for the answer of another node";
            throw isWrite ? new IndeterminateException(text, e) : new StoreException(text, e);
        }
    }

    /** The failure below what futures wrap around it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean isWrapper =
                failure instanceof CompletionException || failure instanceof ExecutionException;
        return isWrapper && cause != null ? unwrapped(cause) : failure;
    }

    private static RuntimeException rethrown(Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof StoreException e) {
            return e;
        }
        if (cause instanceof RuntimeException e) {
            return e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return new StoreException(String.valueOf(cause.getMessage()), cause);
    }

    private <R extends Message> CompletableFuture<R> send(
            int owner, long id, Request<R> request, boolean isWrite) {
        return send(owner, id, request)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(
                                translated(unwrapped(failure), owner, id, isWrite)));
    }

    /** Sends a request; never throws. Its failures are to be {@link #translated}. */
    <R extends Message> CompletableFuture<R> send(int owner, long id, Request<R> request) {
        if (isStopped.getAsBoolean()) {
            return CompletableFuture.failedFuture(new NodeClosedException());
        }
        if (isMember.test(owner)) {
            return sendToMember(owner, id, request);
        }
        // Names and other nodes tell of chunks of a peer that has just joined.
        return joins.apply(owner)
                .thenCompose(joined ->
                        joined
                                ? sendToMember(owner, id, request)
                                : CompletableFuture.failedFuture(
                                        new OwnerLostException(id, owner)));
    }

    private <R extends Message> CompletableFuture<R> sendToMember(
            int owner, long id, Request<R> request) {
        try {
            CompletableFuture<R> answer = network.request(owner, request, timeout);
            if (ChunkId.isReplicated(id) && !answer.isDone()) {
                watch(answer, owner, id);
            }
            return answer;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Ends a request to an owner that is silent and is the owner no more. */
    private void watch(CompletableFuture<?> answer, int owner, long id) {
        var _ =
                answer.copy()
                        .orTimeout(SILENCE_MILLIS, TimeUnit.MILLISECONDS)
                        .whenComplete((done, failure) -> {
                            if (failure instanceof TimeoutException && !answer.isDone()) {
                                askForOwner(answer, owner, id);
                            }
                        });
    }

    private void askForOwner(CompletableFuture<?> answer, int owner, long id) {
        var _ =
                ownerNow.apply(id)
                        .whenComplete((now, failure) -> {
                            Throwable cause = failure == null ? null : unwrapped(failure);
                            boolean isOver =
                                    now != null
                                            ? now != owner
                                            : cause instanceof DataLostException
                                                    || cause instanceof ChunkNotFoundException;
                            if (isOver) {
                                answer.completeExceptionally(
                                        new NetException(
                                                "node "
                                                        + owner
                                                        + " does not answer and is the owner no more"));
                            } else if (!answer.isDone()) {
                                watch(answer, owner, id);
                            }
                        });
    }

    /** A failure of a request in the words of the store. */
    RuntimeException translated(Throwable failure, int owner, long id, boolean isWrite) {
        if (failure instanceof NodeClosedException e) {
            return e;
        }
        if (failure instanceof OwnerLostException) {
            return new OwnerLostException(id, owner);
        }
        String what = " (chunk " + ChunkId.toString(id) + "): " + failure.getMessage();
        if (failure instanceof NodeUnknownException) {
            return new OwnerLostException(id, owner);
        }
        boolean isRefused = failure instanceof RemoteException && !isWrite;
        if (isRefused || failure instanceof IllegalArgumentException) { // that one was never sent
            return new StoreException("node " + owner + " refused a request" + what, failure);
        }
        if (isWrite) {
            return new IndeterminateException(
                    "node "
                            + owner
                            + " did not acknowledge a write, which may have taken effect"
                            + what,
                    failure);
        }
        return isMember.test(owner)
                ? new UnreachableException(
                        "node " + owner + " cannot be reached for a read" + what, failure)
                : new OwnerLostException(id, owner);
    }
}
