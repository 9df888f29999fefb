package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.store.BatchException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;

/**
 * One batched operation on its way: groups its ids by owner, sends one request per owner (more past
 * the bounds of {@link ChunkMessage}), and starts another round for those that did not succeed but
 * may: of replicated chunks until the request time-out, of volatile ones a few times if an owner
 * denies that it is. Belongs to one call; the answers come in on receiving threads. What they
 * change is guarded by this object.
 */
abstract class Batch {
    /** Rounds for volatile ids whose owner denies that it is. */
    static final int MAX_ROUNDS = 4;

    /** Of an operation that has been carried out; not to be changed. */
    private static final CompletableFuture<IntArrayList> NOTHING_LEFT =
            CompletableFuture.completedFuture(new IntArrayList());

    final long[] ids;
    private final Locations locations;
    private final Retries retries;
    private final long deadlineNanos;
    private final boolean isWrite;

    // guarded by this
    private final Map<Integer, StoreException> failures = new HashMap<>();
    private final Map<Integer, Throwable> reasons = new HashMap<>();
    private final BitSet uncertain = new BitSet();

    Batch(long[] ids, Locations locations, Retries retries, boolean isWrite) {
        this.isWrite = isWrite;
        this.ids = ids;
        this.locations = locations;
        this.retries = retries;
        deadlineNanos = retries.deadlineNanos();
    }

    /** Carries out the operation on one chunk that this node owns. */
    abstract CompletableFuture<?> here(int index);

    /** There is no such chunk, because there is no such zone. */
    void absent(int index, ChunkNotFoundException failure) {
        boolean isUncertain;
        synchronized (this) {
            isUncertain = uncertain.get(index);
        }
        fail(index, Retries.absent(ids[index], failure, isUncertain));
    }

    /** How many of the indexes, from one on, fit in one request; at least 1. */
    abstract int sliceEnd(IntArrayList indexes, int from);

    /**
     * Sends one request; completes, never exceptionally, with the indexes that are to be tried
     * again, for each of which {@link #tryAgain} has been called.
     */
    abstract CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes);

    /**
     * Runs the batch; completes exceptionally with {@link BatchException} if an operation failed.
     */
    CompletableFuture<Void> run() {
        IntArrayList all = new IntArrayList(ids.length);
        for (int i = 0; i < ids.length; i++) {
            all.add(i);
        }
        return round(all, 1).thenRun(this::throwFailures);
    }

    final synchronized void fail(int index, StoreException failure) {
        failures.put(index, failure);
    }

    /** Notes why an operation is to be tried again. */
    final synchronized void tryAgain(int index, Throwable reason) {
        reasons.put(index, reason);
        if (reason instanceof IndeterminateException) {
            uncertain.set(index);
        }
    }

    /** A request as a whole failed: replicated chunks may be tried again. */
    final IntArrayList failAll(IntArrayList indexes, Throwable failure) {
        IntArrayList again = new IntArrayList();
        for (int i = 0; i < indexes.size(); i++) {
            int index = indexes.getInt(i);
            if (!failedOne(index, RemoteChunks.unwrapped(failure))) {
                again.add(index);
            }
        }
        return again;
    }

    /** One operation failed; false if it is to be tried again. */
    final boolean failedOne(int index, Throwable cause) {
        if (cause instanceof MovedException
                || (ChunkId.isReplicated(ids[index]) && Retries.isWorthwhile(cause))) {
            tryAgain(index, cause);
            return false;
        }
        boolean isUncertain;
        synchronized (this) {
            isUncertain = uncertain.get(index);
        }
        fail(index, Retries.ended(ids[index], cause, isUncertain));
        return true;
    }

    final boolean isOver() {
        return retries.isOver(deadlineNanos);
    }

    /** Only those of a first round that begins at once have all the time that they have. */
    final CompletableFuture<Void> round(IntArrayList indexes, int number) {
        Map<Long, CompletableFuture<Integer>> owners = new HashMap<>();
        for (int i = 0; i < indexes.size(); i++) {
            long id = ids[indexes.getInt(i)];
            if (ChunkId.isReplicated(id)) {
                owners.computeIfAbsent(ChunkId.zone(id), zone -> locations.ownerOf(id));
            }
        }
        CompletableFuture<Void> found =
                CompletableFuture.allOf(owners.values().toArray(new CompletableFuture<?>[0]));
        // Behind an answer of the directory this is a receiving thread, which may not wait; writes
        // of an owner wait for backups.
        CompletableFuture<List<CompletableFuture<IntArrayList>>> dispatched =
                found.isDone()
                        ? found.handle((done, failure) -> dispatch(indexes, owners, number == 1))
                        : found.handleAsync(
                                (done, failure) -> dispatch(indexes, owners, false), Asker.THREADS);
        return dispatched.thenCompose(sent ->
                CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]))
                        .thenCompose(done -> again(sent, number)));
    }

    final void end() {
        throwFailures();
    }

    private List<CompletableFuture<IntArrayList>> dispatch(
            IntArrayList indexes, Map<Long, CompletableFuture<Integer>> owners, boolean isInTime) {
        Int2ObjectMap<IntArrayList> byOwner = new Int2ObjectOpenHashMap<>();
        List<CompletableFuture<IntArrayList>> sent = new ArrayList<>();
        IntArrayList ownerless = new IntArrayList();
        boolean isTooLate = !isInTime && isOver();
        for (int i = 0; i < indexes.size(); i++) {
            int index = indexes.getInt(i);
            long id = ids[index];
            if (isTooLate && ChunkId.isReplicated(id)) {
                failedOne(index, Retries.tooLate(id));
                ownerless.add(index);
                continue;
            }
            if (locations.isOwned(id)) {
                sent.add(inTime(runHere(index), IntArrayList.of(index), isInTime));
                continue;
            }
            if (!ChunkId.isReplicated(id)) {
                byOwner.computeIfAbsent(ChunkId.creator(id), owner -> new IntArrayList())
                        .add(index);
                continue;
            }
            CompletableFuture<Integer> owner = owners.get(ChunkId.zone(id));
            if (owner == null || owner.isCompletedExceptionally()) {
                Throwable reason =
                        owner == null
                                ? new MovedException(id, NodeMessage.NOBODY)
                                : RemoteChunks.unwrapped(owner.exceptionNow());
                if (reason instanceof ChunkNotFoundException e) {
                    absent(index, e);
                } else if (!failedOne(index, reason)) {
                    ownerless.add(index);
                }
            } else {
                byOwner.computeIfAbsent(owner.join(), node -> new IntArrayList()).add(index);
            }
        }
        sent.add(CompletableFuture.completedFuture(ownerless));
        byOwner.int2ObjectEntrySet()
                .forEach(group -> {
                    IntArrayList all = group.getValue();
                    int from = 0;
                    while (from < all.size()) {
                        int end = sliceEnd(all, from);
                        IntArrayList part = new IntArrayList(all.subList(from, end));
                        sent.add(inTime(send(group.getIntKey(), part), part, isInTime));
                        from = end;
                    }
                });
        return sent;
    }

    private CompletableFuture<Void> again(List<CompletableFuture<IntArrayList>> sent, int number) {
        IntArrayList left = new IntArrayList();
        boolean pauses = false;
        for (CompletableFuture<IntArrayList> answer : sent) {
            IntArrayList indexes = answer.join();
            for (int i = 0; i < indexes.size(); i++) {
                int index = indexes.getInt(i);
                long id = ids[index];
                boolean isReplicated = ChunkId.isReplicated(id);
                if (isReplicated ? isOver(index) : number >= MAX_ROUNDS) {
                    giveUp(index, isReplicated);
                    continue;
                }
                pauses |= isReplicated;
                if (isReplicated) {
                    locations.forget(id);
                }
                left.add(index);
            }
        }
        if (left.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.completedFuture(number + 1)
                .thenComposeAsync(
                        next -> round(left, next),
                        pauses ? retries.later(deadlineNanos) : Asker.THREADS);
    }

    private boolean isOver(int index) {
        Throwable reason;
        synchronized (this) {
            reason = reasons.get(index);
        }
        return retries.isOver(deadlineNanos, reason);
    }

    private void giveUp(int index, boolean isReplicated) {
        Throwable reason;
        boolean isUncertain;
        synchronized (this) {
            reason = reasons.get(index);
            isUncertain = uncertain.get(index);
        }
        fail(
                index,
                isReplicated
                        ? Retries.givenUp(
                                ids[index],
                                reasonOr(reason, index),
                                isUncertain,
                                locations.excuse(ids[index]))
                        : new ChunkNotFoundException(ids[index]));
    }

    private Throwable reasonOr(@Nullable Throwable reason, int index) {
        return reason == null ? new MovedException(ids[index], NodeMessage.NOBODY) : reason;
    }

    /** What is not answered before the end of the whole operation has failed. */
    private CompletableFuture<IntArrayList> inTime(
            CompletableFuture<IntArrayList> sent, IntArrayList part, boolean isInTime) {
        return isInTime || sent.isDone()
                ? sent
                : retries.until(
                                deadlineNanos,
                                ids[part.getInt(0)],
                                isWrite,
                                sent,
                                () -> story(part.getInt(0)))
                        .exceptionally(failure -> failAll(part, failure));
    }

    private synchronized String story(int index) {
        Throwable last = reasons.get(index);
        return last == null ? "" : "; the attempt before came to: " + last.getMessage();
    }

    private CompletableFuture<IntArrayList> runHere(int index) {
        CompletableFuture<?> operation;
        try {
            operation = here(index);
        } catch (RuntimeException e) {
            operation = CompletableFuture.failedFuture(e);
        }
        if (operation.isDone() && !operation.isCompletedExceptionally()) {
            return NOTHING_LEFT;
        }
        return operation.handle((done, failure) -> {
            IntArrayList again = new IntArrayList();
            if (failure != null && !failedOne(index, RemoteChunks.unwrapped(failure))) {
                again.add(index);
            }
            return again;
        });
    }

    private synchronized void throwFailures() {
        if (!failures.isEmpty()) {
            throw new BatchException(ids.length, failures);
        }
    }
}
