package org.starling.compute.internal.catalogue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.QueryMessage.LetGo;
import org.starling.compute.internal.protocol.QueryMessage.WithholdRows;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Removes what is {@link Leaving} the catalogue: claims it, lets peers unpin it, marks it, and
 * removes what bears the mark. Whoever dies in between leaves it to the next one, who removes
 * nothing that was removed before. Any thread.
 */
public final class LeavingChunks {
    private static final Logger LOG = LogManager.getLogger(LeavingChunks.class);
    private static final Duration LET_GO_TIMEOUT = Duration.ofSeconds(10);
    private static final int TOMBSTONE_BYTES = 2 * Long.BYTES;

    /** The first half of a tombstone; the other is the token. */
    private static final long TOMBSTONE = 0x5354_4152_4C45_4654L;

    private final StoreNode store;
    private final CatalogueChunk catalogue;

    /** Removes on behalf of a node. */
    public LeavingChunks(StoreNode store, CatalogueChunk catalogue) {
        this.store = store;
        this.catalogue = catalogue;
    }

    /**
     * Claims things, as a part of a change of the catalogue.
     *
     * @param which those that nobody needs any more
     */
    public Catalogue claim(Catalogue value, Predicate<Leaving> which) {
        UnaryOperator<Leaving> claim =
                one ->
                        which.test(one) && isFree(one)
                                ? one.claimed(store.nodeId(), CatalogueChunk.LIFE)
                                : one;
        return value.leaving(claim);
    }

    /**
     * Claims things and removes them. What can't be removed now is left to others.
     *
     * @param which those that nobody needs any more
     */
    public void remove(Predicate<Leaving> which) {
        Set<Long> claimed = new HashSet<>();
        Catalogue value =
                catalogue.change(before -> {
                    claimed.clear();
                    before.leaving().stream()
                            .filter(which.and(this::isFree))
                            .forEach(one -> claimed.add(one.token()));
                    return claim(before, which);
                });
        removeClaimed(value, claimed);
    }

    /** Removes things of these tokens, which the caller has just claimed. */
    public void removeClaimed(Catalogue value, Set<Long> claimed) {
        for (Leaving one : value.leaving()) {
            if (claimed.contains(one.token())) {
                try {
                    remove(one);
                } catch (ChunkNotFoundException gone) {
                    LOG.warn("nothing tells any more of what leaves: {}", gone.getMessage());
                    catalogue.change(now -> now.stay(each -> each.token() == one.token()));
                } catch (StoreException e) {
                    LOG.warn("chunks of a dropped graph stay until later: {}", e.getMessage());
                    giveBack(one);
                }
            }
        }
    }

    /** Whether nobody is removing something. */
    private boolean isFree(Leaving one) {
        return one.remover() == Leaving.NOBODY || catalogue.isGone(one.remover(), one.life());
    }

    private void giveBack(Leaving one) {
        try {
            catalogue.change(value ->
                    value.leaving(each ->
                            each.token() == one.token() ? each.claimed(Leaving.NOBODY, 0) : each));
        } catch (StoreException e) {
            LOG.warn("nor could they be given to others: {}", e.getMessage());
        }
    }

    private void remove(Leaving one) {
        letGo(one);
        if (one.descriptor() == 0) { // whoever was about to publish it may have been lost
            new MadeRecords(store.names()).dropWith(one.job(), one.manifests(), new HashSet<>());
        }
        Parts parts = parts(one);
        if (!one.marked()) {
            parts.forEach(chunk -> mark(chunk, one.token()));
            catalogue.change(value ->
                    value.leaving(each -> each.token() == one.token() ? each.withMark() : each));
        }
        withhold(one.token(), parts);
        parts.shards.forEach(shard -> removeMarked(shard, one.token()));
        parts.columns.forEach(chunk -> removeMarked(new Shard(chunk, List.of()), one.token()));
        AtomicBoolean isStruckOff = new AtomicBoolean();
        catalogue.change(value -> {
            isStruckOff.set(value.leaving().stream().anyMatch(each -> each.token() == one.token()));
            return value.stay(each -> each.token() == one.token());
        });
        if (isStruckOff.get()) { // else somebody else has removed these, and their ids are free
            // Nothing names these any more: whoever dies here leaves a few bytes for good.
            parts.heads.forEach(store.chunks()::remove);
        }
    }

    private record Rows(long first, int count) {}

    /** A chunk that tells, and the rows that go with it. */
    private record Shard(long witness, List<Rows> rows) {}

    private record Parts(List<Shard> shards, List<Long> columns, List<Long> heads) {
        void forEach(Consumer<Long> witness) {
            shards.forEach(shard -> witness.accept(shard.witness));
            columns.forEach(witness);
        }
    }

    private Parts parts(Leaving one) {
        Parts parts = new Parts(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        ChunkService chunks = store.chunks();
        for (long manifest : one.manifests()) {
            Arrays.stream(ColumnChunks.manifest(chunks, manifest).chunks())
                    .filter(chunk -> chunk != 0)
                    .forEach(parts.columns::add);
            parts.heads.add(manifest);
        }
        if (one.descriptor() != 0) {
            GraphDescriptor graph = DescriptorChunk.read(chunks, one.descriptor());
            ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
            for (int shard = 0; shard < shards.count(); shard++) {
                int size = shards.size(shard);
                if (size > 0) {
                    List<Rows> rows = new ArrayList<>();
                    rows.add(new Rows(graph.outRanges()[shard], size));
                    if (graph.hasOwnIncomingRows()) {
                        rows.add(new Rows(graph.inRanges()[shard], size));
                    }
                    if (graph.valueChunks() > 0) {
                        rows.add(new Rows(graph.propertyRanges()[shard], graph.valueChunks()));
                    }
                    parts.shards.add(new Shard(graph.idChunks()[shard], rows));
                }
            }
            parts.heads.add(one.descriptor());
        }
        return parts;
    }

    private void mark(long chunk, long token) {
        store.chunks().put(chunk, tombstone(token));
    }

    /**
     * Has those who made rows withhold their ids until the chunk that tells of them bears no mark
     * any more: should this node be lost in between, the next one removes the rows again. Other
     * owners give out no free ids.
     *
     * @throws StoreException if one does not answer
     */
    private void withhold(long token, Parts parts) {
        Map<Integer, WithheldRows> byMaker = new HashMap<>();
        for (Shard shard : parts.shards) {
            for (Rows rows : shard.rows) {
                byMaker.computeIfAbsent(ChunkId.creator(rows.first), _ -> new WithheldRows())
                        .add(shard.witness, rows);
            }
        }
        List<CompletableFuture<Done>> answers = new ArrayList<>();
        for (int node : slaves()) {
            WithheldRows rows = byMaker.get(node);
            if (rows != null) {
                answers.add(store.network().request(node, rows.command(token), LET_GO_TIMEOUT));
            }
        }
        try {
            answers.forEach(CompletableFuture::join);
        } catch (CompletionException silent) {
            throw new StoreException("a maker of rows does not answer", silent);
        }
    }

    /** Rows that one node has made. */
    private static final class WithheldRows {
        private final List<Long> witnesses = new ArrayList<>();
        private final List<Rows> rows = new ArrayList<>();

        private void add(long witness, Rows theirs) {
            witnesses.add(witness);
            rows.add(theirs);
        }

        private WithholdRows command(long token) {
            return new WithholdRows(
                    token,
                    witnesses.stream().mapToLong(Long::longValue).toArray(),
                    rows.stream().mapToLong(Rows::first).toArray(),
                    rows.stream().mapToInt(Rows::count).toArray());
        }
    }

    private int[] slaves() {
        return store.membership().computingPeers().stream().mapToInt(NodeInfo::id).toArray();
    }

    private void removeMarked(Shard shard, long token) {
        ChunkService chunks = store.chunks();
        if (isMarked(chunks, shard.witness, token)) {
            shard.rows.forEach(rows -> chunks.removeRange(rows.first, rows.count));
            chunks.remove(shard.witness);
        }
    }

    /** Whether a chunk bears the mark of a token: what it tells of is being removed. */
    public static boolean isMarked(ChunkService chunks, long chunk, long token) {
        try {
            return chunks.size(chunk) == TOMBSTONE_BYTES
                    && Arrays.equals(chunks.get(chunk), tombstone(token));
        } catch (ChunkNotFoundException gone) {
            LOG.debug("{} is removed already", ChunkId.toString(chunk));
            return false;
        }
    }

    private static byte[] tombstone(long token) {
        return ByteBuffer.allocate(TOMBSTONE_BYTES).putLong(TOMBSTONE).putLong(token).array();
    }

    /** Peers may have it pinned still, behind a job that has ended without them. */
    private void letGo(Leaving one) {
        if (one.descriptor() == 0) {
            return;
        }
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int node : slaves()) {
            answers.add(
                    store.network()
                            .request(node, new LetGo(one.descriptor()), LET_GO_TIMEOUT)
                            .handle((_, _) -> true));
        }
        answers.forEach(CompletableFuture::join);
    }
}
