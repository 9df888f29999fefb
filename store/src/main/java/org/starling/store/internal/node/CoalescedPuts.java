package org.starling.store.internal.node;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.internal.node.ChunkMessage.Failure;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.node.Coalescer.Asked;

/**
 * Puts of single chunks of one owner; those of replicated chunks go together by zone, for an owner
 * acknowledges all of them together. Long values go alone. Any thread.
 */
final class CoalescedPuts
        implements Coalescer.Line<CoalescedPuts.Target, CoalescedPuts.Put, Long, Outcomes> {
    /** The longest value that waits for others. */
    static final int MAX_BYTES = ChunkMessage.BATCH_BYTES / Coalescer.MAX_TOGETHER;

    /** Whose puts go together; zone {@link ChunkId#NONE} for volatile chunks. */
    record Target(int owner, long zone, Durability durability) {}

    /**
     * One put.
     *
     * @param sequence its number, or {@link ChunkMessage#UNTAGGED} for a volatile chunk
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Put(long id, long sequence, byte[] value) {}

    private final RemoteChunks remote;
    private final Coalescer<Target, Put, Long, Outcomes> coalescer;

    CoalescedPuts(RemoteChunks remote) {
        this.remote = remote;
        coalescer = new Coalescer<>(remote::newAnswer, this);
    }

    /** Completes when the owner has acknowledged it; fails as puts do. */
    CompletableFuture<Long> put(int owner, Durability durability, Put put) {
        if (put.value.length > MAX_BYTES) {
            return remote.write(owner, put.id, request(durability, List.of(put)))
                    .thenApply(answer -> OwnerCalls.value(answer, put.id, owner));
        }
        long zone = ChunkId.isReplicated(put.id) ? ChunkId.zone(put.id) : ChunkId.NONE;
        return coalescer.ask(new Target(owner, zone, durability), put);
    }

    private static ChunkMessage.Put request(Durability durability, List<Put> puts) {
        long[] ids = new long[puts.size()];
        byte[][] values = new byte[ids.length][];
        long least = puts.getFirst().sequence;
        for (int i = 0; i < ids.length; i++) {
            Put put = puts.get(i);
            ids[i] = put.id;
            values[i] = put.value;
            least = Math.min(least, put.sequence);
        }
        int[] offsets = new int[least == ChunkMessage.UNTAGGED ? 0 : ids.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = Math.toIntExact(puts.get(i).sequence - least);
        }
        return new ChunkMessage.Put(durability, least, ids, offsets, values);
    }

    @Override
    public CompletableFuture<Outcomes> send(Target target, List<Asked<Put, Long>> together) {
        List<Put> puts = together.stream().map(Asked::question).toList();
        return remote.send(target.owner, puts.getFirst().id, request(target.durability, puts));
    }

    @Override
    public boolean isLong(Outcomes response, int answers) {
        return false;
    }

    @Override
    public void deliver(
            Target target,
            List<Asked<Put, Long>> together,
            @Nullable Outcomes response,
            @Nullable Throwable failure) {
        Throwable all = failure;
        if (response != null) {
            for (Failure one : response.failures()) {
                if (one.index() < 0 || one.index() >= together.size()) {
                    all =
                            new IndeterminateException(
                                    "an owner answered for index "
                                            + one.index()
                                            + " of "
                                            + together.size(),
                                    null);
                    continue;
                }
                Asked<Put, Long> asked = together.get(one.index());
                asked.answer()
                        .completeExceptionally(
                                one.outcome()
                                        .toException(
                                                asked.question().id, target.owner, one.text()));
            }
        }
        for (Asked<Put, Long> asked : together) { // those that have failed stay so
            if (all == null) {
                asked.answer().complete(0L);
            } else {
                asked.answer()
                        .completeExceptionally(
                                remote.translated(
                                        RemoteChunks.unwrapped(all),
                                        target.owner,
                                        asked.question().id,
                                        true));
            }
        }
    }
}
