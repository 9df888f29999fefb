package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.node.ChunkMessage.Create;
import org.starling.store.internal.node.ChunkMessage.Failure;
import org.starling.store.internal.node.ChunkMessage.Get;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.node.ChunkMessage.Put;
import org.starling.store.internal.node.ChunkMessage.RangePart;
import org.starling.store.internal.node.ChunkMessage.ReadRange;
import org.starling.store.internal.node.ChunkMessage.Remove;
import org.starling.store.internal.node.ChunkMessage.RemoveRange;
import org.starling.store.internal.node.ChunkMessage.Resize;
import org.starling.store.internal.node.ChunkMessage.Size;
import org.starling.store.internal.node.ChunkMessage.SizeIs;
import org.starling.store.internal.node.ChunkMessage.Values;
import org.starling.store.internal.replica.Executed;

/**
 * Carries out what other nodes ask of the chunks of this one. Runs on workers of the network, which
 * do the work in memory, but for short gets and puts that need not wait, which the receiving thread
 * answers; what has to wait for backups is answered later, by whoever brings their answer. Ids and
 * counts come from outside: what this node does not own or hold is answered as such, and answers
 * stop at {@link ChunkMessage#BATCH_BYTES} (the asking node asks again for the rest).
 */
final class ChunkServer {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    /** The most chunks and bytes that the receiving thread reads or writes for one request. */
    private static final int MAX_AT_ONCE = 1024;

    private static final int MAX_BYTES_AT_ONCE = 64 << 10;

    private final LocalChunks local;
    private final OwnedChunks owned;
    private final LongPredicate isOwned;

    /** Whether a node belongs to the cluster, as far as this one knows. */
    private final IntPredicate isMember;

    /** True if this node may create chunks. */
    private final boolean holdsChunks;

    ChunkServer(
            LocalChunks local,
            OwnedChunks owned,
            LongPredicate isOwned,
            IntPredicate isMember,
            boolean holdsChunks) {
        this.local = local;
        this.owned = owned;
        this.isOwned = isOwned;
        this.isMember = isMember;
        this.holdsChunks = holdsChunks;
    }

    void register(Network network) {
        Execution worker = Execution.WORKER;
        network.serveAsync(ChunkMessage.GET, worker, new Gets());
        network.serveAsync(ChunkMessage.PUT, worker, new Puts());
        network.serveAsync(
                ChunkMessage.REMOVE,
                worker,
                (source, remove, to) -> answer(remove(source, remove), to));
        network.serveAsync(
                ChunkMessage.RESIZE,
                worker,
                (source, resize, to) -> answer(resize(source, resize), to));
        network.serveAsync(
                ChunkMessage.CREATE,
                worker,
                (source, create, to) -> answer(create(source, create), to));
        network.serveAsync(
                ChunkMessage.REMOVE_RANGE,
                worker,
                (source, range, to) -> answer(removeRange(source, range), to));
        network.serveAsync(ChunkMessage.SIZE, worker, (source, size, to) -> answer(size(size), to));
        network.serveAsync(
                ChunkMessage.READ_RANGE,
                worker,
                (source, range, to) -> answer(readRange(range), to));
    }

    private static <R extends org.starling.net.Message> void answer(
            CompletableFuture<R> answer, Responder<R> responder) {
        var _ =
                answer.whenComplete((response, failure) -> {
                    if (failure == null) {
                        responder.respond(response);
                    } else {
                        responder.fail(RemoteChunks.unwrapped(failure));
                    }
                });
    }

    // read

    /** Few short values that nobody is writing are read by the receiving thread. */
    private final class Gets implements AsyncServer<Get, Values> {
        @Override
        public void serve(int source, Get get, Responder<Values> to) {
            answer(get(get), to);
        }

        @Override
        public @Nullable Values answerAtOnce(int source, Get get) {
            return getAtOnce(get);
        }
    }

    /** The answer if all chunks are there and nothing is to be waited for; else null. */
    @Nullable Values getAtOnce(Get get) {
        long[] ids = get.ids();
        byte[] @Nullable [] values = new byte[ids.length][];
        byte[] states = new byte[ids.length];
        int room = ids.length <= MAX_AT_ONCE ? MAX_BYTES_AT_ONCE : 0;
        for (int i = 0; i < ids.length; i++) {
            byte[] value = isOwned.test(ids[i]) ? local.getAtOnce(ids[i], room) : null;
            if (value == null || !owned.isSettled(ids[i])) {
                return null;
            }
            values[i] = value;
            states[i] = ChunkMessage.PRESENT;
            room -= value.length;
        }
        return new Values(states, values);
    }

    CompletableFuture<Values> get(Get get) {
        long[] ids = get.ids();
        byte[] states = new byte[ids.length];
        byte[] @Nullable [] values = new byte[ids.length][];
        long sum = 0;
        int answered = 0;
        while (answered < ids.length && (answered == 0 || sum < ChunkMessage.BATCH_BYTES)) {
            long id = ids[answered];
            int room = room(answered, sum);
            int bytes = isOwned.test(id) ? local.sizeOrAbsent(id) : 0;
            if (bytes > room && answered > 0) {
                break;
            }
            byte state = state(id, bytes);
            if (state == ChunkMessage.PRESENT) {
                byte[] value = local.getUpTo(id, ChunkService.MAX_REMOTE_BYTES);
                values[answered] = value;
                state = value == null ? ChunkMessage.ABSENT : state;
                sum += value == null ? 0 : value.length;
            }
            states[answered++] = state;
        }
        byte[] allStates = Arrays.copyOf(states, answered);
        byte[] @Nullable [] all = Arrays.copyOf(values, answered);
        return settled(ids, allStates, all).thenApply(done -> new Values(allStates, all));
    }

    /** Waits for what the values read depend on; what cannot be answered is marked and cut out. */
    private CompletableFuture<Void> settled(long[] ids, byte[] states, byte[] @Nullable [] values) {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            int index = i;
            if (states[i] == ChunkMessage.ELSEWHERE || owned.isSettled(ids[i])) {
                continue;
            }
            waiting.add(
                    owned.settled(ids[i])
                            .exceptionally(failure -> {
                                states[index] = stateOf(failure);
                                values[index] = null;
                                return null;
                            }));
        }
        return waiting.isEmpty()
                ? DONE
                : CompletableFuture.allOf(waiting.toArray(new CompletableFuture<?>[0]));
    }

    private static byte stateOf(Throwable failure) {
        return RemoteChunks.unwrapped(failure) instanceof DataLostException
                ? ChunkMessage.LOST
                : ChunkMessage.ELSEWHERE;
    }

    private static int room(int answered, long sum) {
        return answered == 0
                ? ChunkService.MAX_REMOTE_BYTES
                : (int) Math.max(0, ChunkMessage.BATCH_BYTES - sum);
    }

    private byte state(long id, int bytes) {
        if (!isOwned.test(id)) {
            return ChunkMessage.ELSEWHERE;
        }
        if (bytes < 0) {
            return ChunkMessage.ABSENT;
        }
        return bytes > ChunkService.MAX_REMOTE_BYTES ? ChunkMessage.TOO_LONG : ChunkMessage.PRESENT;
    }

    CompletableFuture<SizeIs> size(Size size) {
        int bytes = isOwned.test(size.id()) ? local.sizeOrAbsent(size.id()) : 0;
        byte state = state(size.id(), bytes);
        SizeIs answer =
                new SizeIs(state == ChunkMessage.TOO_LONG ? ChunkMessage.PRESENT : state, bytes);
        if (state == ChunkMessage.ELSEWHERE) {
            return CompletableFuture.completedFuture(answer);
        }
        return owned.settled(size.id())
                .thenApply(done -> answer)
                .exceptionally(failure -> new SizeIs(stateOf(failure), 0));
    }

    CompletableFuture<RangePart> readRange(ReadRange range) {
        RangePart part = readMemory(range);
        if (!ChunkId.isReplicated(range.first()) || part.state() == ChunkMessage.ELSEWHERE) {
            return CompletableFuture.completedFuture(part);
        }
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < Math.max(1, part.sizes().length); i++) {
            if (!owned.isSettled(range.first() + i)) {
                waiting.add(owned.settled(range.first() + i));
            }
        }
        return CompletableFuture.allOf(waiting.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> part)
                .exceptionally(failure -> new RangePart(stateOf(failure), new int[0], new byte[0]));
    }

    private RangePart readMemory(ReadRange range) {
        if (!isOwned.test(range.first())) {
            return new RangePart(ChunkMessage.ELSEWHERE, new int[0], new byte[0]);
        }
        int most = Math.max(1, Math.min(range.count(), ChunkMessage.MAX_IDS));
        int[] sizes = new int[most];
        List<byte[]> payloads = new ArrayList<>();
        long sum = 0;
        int answered = 0;
        while (answered < most && (answered == 0 || sum < ChunkMessage.BATCH_BYTES)) {
            long id = range.first() + answered;
            if (answered > 0 && !isOwned.test(id)) {
                break;
            }
            int bytes = local.sizeOrAbsent(id);
            if (bytes > ChunkService.MAX_REMOTE_BYTES && answered == 0) {
                return new RangePart(ChunkMessage.TOO_LONG, new int[0], new byte[0]);
            }
            if (bytes > room(answered, sum)) {
                break;
            }
            byte[] value = bytes < 0 ? null : local.getUpTo(id, ChunkService.MAX_REMOTE_BYTES);
            sizes[answered++] = value == null ? -1 : value.length;
            if (value != null) {
                payloads.add(value);
                sum += value.length;
            }
        }
        return new RangePart(
                ChunkMessage.PRESENT, Arrays.copyOf(sizes, answered), join(payloads, sum));
    }

    private static byte[] join(List<byte[]> parts, long bytes) {
        byte[] all = new byte[Math.toIntExact(bytes)];
        int position = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, position, part.length);
            position += part.length;
        }
        return all;
    }

    // write

    /** Few short values of volatile chunks that nobody is inside of are written at once, too. */
    private final class Puts implements AsyncServer<Put, Outcomes> {
        @Override
        public void serve(int source, Put put, Responder<Outcomes> to) {
            answer(put(source, put), to);
        }

        @Override
        public @Nullable Outcomes answerAtOnce(int source, Put put) {
            return putAtOnce(put);
        }
    }

    /** The answer if all puts could be carried out without waiting; else null, and none was. */
    @Nullable Outcomes putAtOnce(Put put) {
        byte[][] values = put.values();
        if (values.length > MAX_AT_ONCE || put.durability() != Durability.MEMORY) {
            return null;
        }
        int bytes = 0;
        for (byte[] value : values) {
            bytes += value.length;
        }
        return bytes <= MAX_BYTES_AT_ONCE && local.putAtOnce(put.ids(), values)
                ? new Outcomes(0, List.of())
                : null;
    }

    CompletableFuture<Outcomes> put(int source, Put put) {
        Attempts attempts = new Attempts(source, done -> 0);
        for (int i = 0; i < put.ids().length; i++) {
            long id = put.ids()[i];
            byte[] value = put.values()[i];
            WriteTag tag = tag(source, put.sequence(), put.offsets(), i);
            attempts.run(i, id, () -> owned.put(id, value, put.durability(), tag));
        }
        return attempts.outcomes();
    }

    CompletableFuture<Outcomes> remove(int source, Remove remove) {
        Attempts attempts = new Attempts(source, done -> 0);
        for (int i = 0; i < remove.ids().length; i++) {
            long id = remove.ids()[i];
            WriteTag tag = tag(source, remove.sequence(), remove.offsets(), i);
            attempts.run(i, id, () -> owned.remove(id, remove.durability(), tag));
        }
        return attempts.outcomes();
    }

    CompletableFuture<Outcomes> resize(int source, Resize resize) {
        Attempts attempts = new Attempts(source, done -> 0);
        WriteTag tag = tag(source, resize.sequence());
        attempts.run(
                0,
                resize.id(),
                () -> owned.resize(resize.id(), resize.bytes(), resize.durability(), tag));
        return attempts.outcomes();
    }

    CompletableFuture<Outcomes> create(int source, Create create) {
        Attempts attempts = new Attempts(source, Executed::first);
        if (holdsChunks) {
            int[] sizes = create.sizes();
            attempts.run(
                    0,
                    () ->
                            owned.create(
                                    new Sizes.InArray(sizes, 0, sizes.length),
                                    create.durability(),
                                    ChunkId.NONE,
                                    true));
        } else {
            attempts.fail(
                    0, Outcome.FAILED, "node " + local.nodeId() + " is a superpeer, not a peer");
        }
        return attempts.outcomes();
    }

    CompletableFuture<Outcomes> removeRange(int source, RemoveRange range) {
        Attempts attempts = new Attempts(source, Executed::count);
        WriteTag tag = tag(source, range.sequence());
        attempts.run(
                0,
                range.first(),
                () -> owned.removeRange(range.first(), range.count(), range.durability(), tag));
        return attempts.outcomes();
    }

    private static WriteTag tag(int source, long sequence, int[] offsets, int index) {
        return offsets.length == 0
                ? WriteTag.NONE
                : new WriteTag(source, sequence + offsets[index]);
    }

    private static WriteTag tag(int source, long sequence) {
        return sequence == ChunkMessage.UNTAGGED ? WriteTag.NONE : new WriteTag(source, sequence);
    }

    /** The operations of one request, and what became of them. Failures are guarded by this. */
    private final class Attempts {
        private final boolean isFromMember;
        private final ToLongFunction<Executed> answer;
        private final List<Failure> failures = new ArrayList<>();
        private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
        private volatile long value;

        /**
         * @param source who asks
         * @param answer the value of an operation that was carried out
         */
        Attempts(int source, ToLongFunction<Executed> answer) {
            isFromMember = isMember.test(source);
            this.answer = answer;
        }

        /** One operation on a chunk. */
        void run(int index, long id, Supplier<CompletableFuture<Executed>> operation) {
            if (!isOwned.test(id)) {
                fail(
                        index,
                        Outcome.NOT_OWNER,
                        "node " + local.nodeId() + " does not own the chunk");
            } else if (ChunkId.isReplicated(id) && !isFromMember) {
                // What was done for a node that is gone is forgotten. One that has just come tries
                // again until this node has heard of it.
                fail(index, Outcome.NOT_OWNER, "the asking node is not known as a member");
            } else {
                run(index, operation);
            }
        }

        void run(int index, Supplier<CompletableFuture<Executed>> operation) {
            try {
                CompletableFuture<Executed> executed = operation.get();
                if (executed.isDone() && !executed.isCompletedExceptionally()) {
                    value = answer.applyAsLong(executed.resultNow());
                    return;
                }
                waiting.add(
                        executed.handle((result, failure) -> {
                            take(index, result, failure);
                            return null;
                        }));
            } catch (RuntimeException e) {
                fail(index, e);
            }
        }

        void fail(int index, Throwable failure) {
            fail(index, Outcome.of(failure), String.valueOf(failure.getMessage()));
        }

        synchronized void fail(int index, Outcome outcome, String text) {
            failures.add(new Failure(index, outcome, text));
        }

        CompletableFuture<Outcomes> outcomes() {
            return waiting.isEmpty()
                    ? CompletableFuture.completedFuture(result())
                    : CompletableFuture.allOf(waiting.toArray(new CompletableFuture<?>[0]))
                            .thenApply(done -> result());
        }

        private void take(int index, @Nullable Executed result, @Nullable Throwable failure) {
            if (failure != null) {
                fail(index, RemoteChunks.unwrapped(failure));
            } else if (result != null) {
                value = answer.applyAsLong(result);
            }
        }

        private synchronized Outcomes result() {
            return new Outcomes(value, List.copyOf(failures));
        }
    }
}
