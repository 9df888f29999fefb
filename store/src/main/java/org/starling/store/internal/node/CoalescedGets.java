package org.starling.store.internal.node;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreException;
import org.starling.store.internal.node.ChunkMessage.Values;
import org.starling.store.internal.node.Coalescer.Asked;

/**
 * Gets of single chunks of one owner; those of replicated chunks go together by zone, for an owner
 * answers when all of them may be answered. Any thread.
 */
final class CoalescedGets implements Coalescer.Line<CoalescedGets.Target, Long, byte[], Values> {
    /** Values that are longer on average are asked for one by one. */
    static final int MAX_BYTES = 4 << 10;

    /** Whose gets go together; zone {@link ChunkId#NONE} for volatile chunks. */
    record Target(int owner, long zone) {
        static Target of(int owner, long id) {
            return new Target(owner, ChunkId.isReplicated(id) ? ChunkId.zone(id) : ChunkId.NONE);
        }
    }

    private final RemoteChunks remote;
    private final Coalescer<Target, Long, byte[], Values> coalescer;

    CoalescedGets(RemoteChunks remote) {
        this.remote = remote;
        coalescer = new Coalescer<>(remote::newAnswer, this);
    }

    /** The payload; fails as gets do, and with {@link MovedException} if the owner is another. */
    CompletableFuture<byte[]> get(int owner, long id) {
        return coalescer.ask(Target.of(owner, id), id);
    }

    @Override
    public CompletableFuture<Values> send(Target target, List<Asked<Long, byte[]>> together) {
        long[] ids = together.stream().mapToLong(Asked::question).toArray();
        return remote.send(target.owner, ids[0], new ChunkMessage.Get(ids));
    }

    @Override
    public boolean isLong(Values response, int answers) {
        long bytes = 0;
        for (byte[] value : response.values()) {
            bytes += value == null ? 0 : value.length;
        }
        return response.states().length < answers || bytes > (long) MAX_BYTES * answers;
    }

    @Override
    public void deliver(
            Target target,
            List<Asked<Long, byte[]>> together,
            @Nullable Values response,
            @Nullable Throwable failure) {
        int answered = response == null ? 0 : response.states().length;
        boolean isSensible = answered >= 1 && answered <= together.size();
        for (int i = 0; i < together.size(); i++) {
            Asked<Long, byte[]> asked = together.get(i);
            if (failure != null) {
                asked.answer()
                        .completeExceptionally(
                                remote.translated(
                                        RemoteChunks.unwrapped(failure),
                                        target.owner,
                                        asked.question(),
                                        false));
            } else if (response == null || !isSensible) {
                asked.answer()
                        .completeExceptionally(
                                new StoreException(
                                        "node "
                                                + target.owner
                                                + " answered "
                                                + answered
                                                + " of "
                                                + together.size()
                                                + " ids"));
            } else if (i < answered) {
                take(target.owner, asked, response.states()[i], response.values()[i]);
            } else {
                askAlone(target, asked);
            }
        }
    }

    /** What was left out of an answer because that would have become too long. */
    private void askAlone(Target target, Asked<Long, byte[]> asked) {
        List<Asked<Long, byte[]>> alone = List.of(asked);
        var _ =
                send(target, alone)
                        .whenComplete(
                                (response, failure) -> deliver(target, alone, response, failure));
    }

    private static void take(
            int owner, Asked<Long, byte[]> asked, byte state, byte @Nullable [] value) {
        if (value != null) {
            asked.answer().complete(value);
            return;
        }
        long id = asked.question();
        try {
            OwnerCalls.checkState(state, id, owner);
            asked.answer().completeExceptionally(new ChunkNotFoundException(id));
        } catch (StoreException e) {
            asked.answer().completeExceptionally(e);
        }
    }
}
