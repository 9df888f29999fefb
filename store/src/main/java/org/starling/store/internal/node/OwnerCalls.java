package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.replica.Executed;

/**
 * Single operations on chunks, made at their owners: at the creator of a volatile chunk once, at
 * the owner of a replicated one, whoever that is, until the time is over. Any thread. Immutable.
 */
final class OwnerCalls {
    private final WriteBatch.WriteContext context;

    OwnerCalls(WriteBatch.WriteContext context) {
        this.context = context;
    }

    /** A change of replicated chunks by this node as their owner. */
    @FunctionalInterface
    interface OwnChange {
        CompletableFuture<Executed> run(WriteTag tag);
    }

    /** A single write has one number, if it has any. */
    static int[] offsets(long sequence) {
        return new int[sequence == ChunkMessage.UNTAGGED ? 0 : 1];
    }

    /** A change of chunks by another node, with its number in their zone. */
    @FunctionalInterface
    interface RemoteChange {
        CompletableFuture<Long> ask(int owner, long sequence);
    }

    long change(long id, LongFunction<Request<Outcomes>> request, OwnChange change) {
        RemoteChange asking =
                (owner, sequence) ->
                        context.remote()
                                .write(owner, id, request.apply(sequence))
                                .thenApply(answer -> value(answer, id, owner));
        return RemoteChunks.await(changeAsync(id, asking, change), true);
    }

    /** A change of a chunk that is not a volatile one of this node. */
    CompletableFuture<Long> changeAsync(long id, RemoteChange asking, OwnChange change) {
        if (!ChunkId.isReplicated(id)) {
            return asking.ask(ChunkId.creator(id), ChunkMessage.UNTAGGED);
        }
        long zone = ChunkId.zone(id);
        long deadlineNanos = context.retries().deadlineNanos();
        CompletableFuture<ZoneTags.Span> begun = context.tags().begin(zone, 1);
        boolean hasWaited = !begun.isDone();
        return RemoteChunks.then(
                begun,
                span -> {
                    if (hasWaited && context.retries().isOver(deadlineNanos)) {
                        context.tags().end(zone, span);
                        return CompletableFuture.failedFuture(Retries.neverBegun(id));
                    }
                    WriteTag tag = new WriteTag(context.local().nodeId(), span.first());
                    RoutedOperation<Long> operation =
                            RoutedOperation.ofWrite(
                                    id,
                                    context.locations(),
                                    context.retries(),
                                    deadlineNanos,
                                    hasWaited,
                                    owner ->
                                            owner == context.local().nodeId()
                                                    ? change.run(tag)
                                                            .thenApply(done -> (long) done.count())
                                                    : asking.ask(owner, span.first()));
                    return operation
                            .run()
                            .whenComplete((done, failure) -> context.tags().end(zone, span));
                });
    }

    static long value(Outcomes answer, long id, int owner) {
        for (ChunkMessage.Failure failure : answer.failures()) {
            throw failure.outcome().toException(id, owner, failure.text());
        }
        return answer.value();
    }

    <T> CompletableFuture<T> atOwner(long id, IntFunction<CompletableFuture<T>> operation) {
        return ChunkId.isReplicated(id)
                ? new RoutedOperation<>(id, context.locations(), context.retries(), operation).run()
                : operation.apply(ChunkId.creator(id));
    }

    CompletableFuture<Integer> sizeAt(int owner, long id) {
        if (owner == context.local().nodeId()) {
            return context.owned().read(id, () -> context.local().sizeOrAbsent(id));
        }
        return context.remote()
                .read(owner, id, new ChunkMessage.Size(id))
                .thenApply(answer -> {
                    checkState(answer.state(), id, owner);
                    return answer.state() == ChunkMessage.PRESENT ? answer.bytes() : -1;
                });
    }

    static StoreException tooLong(long id, int bytes) {
        return new StoreException(
                "chunk "
                        + ChunkId.toString(id)
                        + " has "
                        + bytes
                        + " bytes or more; at most "
                        + ChunkService.MAX_REMOTE_BYTES
                        + " can cross the network, so use it on its owner");
    }

    /** Lets the state of a present or absent chunk pass. */
    static void checkState(byte state, long id, int owner) {
        if (state == ChunkMessage.ELSEWHERE) {
            throw new MovedException(id, owner);
        }
        if (state == ChunkMessage.TOO_LONG) {
            throw tooLong(id, ChunkService.MAX_REMOTE_BYTES);
        }
        if (state == ChunkMessage.LOST) {
            throw new DataLostException(id);
        }
    }
}
