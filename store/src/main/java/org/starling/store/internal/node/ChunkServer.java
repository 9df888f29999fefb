package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
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

/**
 * Carries out what other nodes ask of the chunks of this one. Runs on workers of the network; never
 * makes a request itself. Ids and counts come from outside: what this node does not own or hold is
 * answered as such, and answers stop at {@link ChunkMessage#BATCH_BYTES} (the asking node asks
 * again for the rest).
 */
final class ChunkServer {
    private final LocalChunks local;
    private final LongPredicate isOwned;

    /** True if this node may create chunks. */
    private final boolean holdsChunks;

    ChunkServer(LocalChunks local, LongPredicate isOwned, boolean holdsChunks) {
        this.local = local;
        this.isOwned = isOwned;
        this.holdsChunks = holdsChunks;
    }

    void register(Network network) {
        network.serve(ChunkMessage.GET, Execution.WORKER, (source, get) -> get(get));
        network.serve(ChunkMessage.PUT, Execution.WORKER, (source, put) -> put(put));
        network.serve(ChunkMessage.REMOVE, Execution.WORKER, (source, remove) -> remove(remove));
        network.serve(ChunkMessage.RESIZE, Execution.WORKER, (source, resize) -> resize(resize));
        network.serve(ChunkMessage.CREATE, Execution.WORKER, (source, create) -> create(create));
        network.serve(
                ChunkMessage.REMOVE_RANGE, Execution.WORKER, (source, range) -> removeRange(range));
        network.serve(ChunkMessage.SIZE, Execution.WORKER, (source, size) -> size(size));
        network.serve(
                ChunkMessage.READ_RANGE, Execution.WORKER, (source, range) -> readRange(range));
    }

    Values get(Get get) {
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
        return new Values(Arrays.copyOf(states, answered), Arrays.copyOf(values, answered));
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

    SizeIs size(Size size) {
        int bytes = isOwned.test(size.id()) ? local.sizeOrAbsent(size.id()) : 0;
        byte state = state(size.id(), bytes);
        return new SizeIs(state == ChunkMessage.TOO_LONG ? ChunkMessage.PRESENT : state, bytes);
    }

    RangePart readRange(ReadRange range) {
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

    Outcomes put(Put put) {
        List<Failure> failures = new ArrayList<>();
        for (int i = 0; i < put.ids().length; i++) {
            long id = put.ids()[i];
            byte[] value = put.values()[i];
            attempt(
                    i,
                    id,
                    put.durability(),
                    failures,
                    () -> {
                        local.put(id, value);
                        return 0;
                    });
        }
        return new Outcomes(0, failures);
    }

    Outcomes remove(Remove remove) {
        List<Failure> failures = new ArrayList<>();
        for (int i = 0; i < remove.ids().length; i++) {
            long id = remove.ids()[i];
            attempt(
                    i,
                    id,
                    remove.durability(),
                    failures,
                    () -> {
                        local.remove(id);
                        return 0;
                    });
        }
        return new Outcomes(0, failures);
    }

    Outcomes resize(Resize resize) {
        List<Failure> failures = new ArrayList<>();
        attempt(
                0,
                resize.id(),
                resize.durability(),
                failures,
                () -> {
                    local.resize(resize.id(), resize.bytes());
                    return 0;
                });
        return new Outcomes(0, failures);
    }

    Outcomes create(Create create) {
        List<Failure> failures = new ArrayList<>();
        int[] sizes = create.sizes();
        if (!holdsChunks) {
            failures.add(
                    new Failure(
                            0,
                            Outcome.FAILED,
                            "node " + local.nodeId() + " is a superpeer, not a peer"));
            return new Outcomes(0, failures);
        }
        long first =
                attempt(
                        0,
                        ChunkId.NONE,
                        create.durability(),
                        failures,
                        () -> local.createRange(new Sizes.InArray(sizes, 0, sizes.length)));
        return new Outcomes(first, failures);
    }

    Outcomes removeRange(RemoveRange range) {
        List<Failure> failures = new ArrayList<>();
        long removed =
                attempt(
                        0,
                        range.first(),
                        range.durability(),
                        failures,
                        () -> local.removeRange(range.first(), range.count()));
        return new Outcomes(removed, failures);
    }

    /** One operation; its result is a value, its failure is added to the others. */
    @FunctionalInterface
    private interface Operation {
        long run();
    }

    private long attempt(
            int index,
            long id,
            Durability durability,
            List<Failure> failures,
            Operation operation) {
        if (id != ChunkId.NONE && !isOwned.test(id)) {
            failures.add(
                    new Failure(
                            index,
                            Outcome.NOT_OWNER,
                            "node " + local.nodeId() + " does not own the chunk"));
            return 0;
        }
        try {
            Durabilities.check(durability);
            return operation.run();
        } catch (RuntimeException e) {
            failures.add(new Failure(index, Outcome.of(e), String.valueOf(e.getMessage())));
        }
        return 0;
    }
}
