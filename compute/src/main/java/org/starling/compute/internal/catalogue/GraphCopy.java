package org.starling.compute.internal.catalogue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.QueryMessage.Copied;
import org.starling.compute.internal.protocol.QueryMessage.CopyShards;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * One copy of a kept graph: every owner copies its shards beside themselves, then descriptor and
 * manifests are written. Used once, by one thread.
 */
final class GraphCopy {
    private static final Logger LOG = LogManager.getLogger(GraphCopy.class);
    private static final Duration COPY_TIMEOUT = Duration.ofHours(1);

    private final StoreNode store;
    private final KeptGraph source;
    private final String name;
    private final String now;
    private final Map<Integer, Copied> copied = new LinkedHashMap<>();

    /** Chunks of descriptor and manifests. */
    private final List<Long> heads = new ArrayList<>();

    private GraphDescriptor descriptor;

    GraphCopy(StoreNode store, KeptGraph source, String name, String now) {
        this.store = store;
        this.source = source;
        this.name = name;
        this.now = now;
        this.descriptor = DescriptorChunk.read(store.chunks(), source.descriptor());
    }

    /** Copies; what it returns is in no catalogue yet. */
    KeptGraph make() {
        copyShards();
        int shards = descriptor.shardOwners().length;
        int[] owners = new int[shards];
        Arrays.fill(owners, copied.keySet().iterator().next());
        long[] out = new long[shards];
        long[] in = new long[descriptor.inRanges().length];
        long[] ids = new long[shards];
        long[] properties = new long[descriptor.propertyRanges().length];
        long[][] columns = new long[source.columns().size()][shards];
        copied.forEach((node, copy) -> {
            for (int i = 0; i < copy.shards().length; i++) {
                int shard = copy.shards()[i];
                owners[shard] = node;
                out[shard] = copy.out()[i];
                if (copy.in().length > 0) {
                    in[shard] = copy.in()[i];
                }
                ids[shard] = copy.ids()[i];
                if (copy.properties().length > 0) {
                    properties[shard] = copy.properties()[i];
                }
                for (int column = 0; column < columns.length; column++) {
                    columns[column][shard] = copy.columns()[i * columns.length + column];
                }
            }
        });
        descriptor = descriptor.copy(name, owners, out, in, ids, properties);
        requireAll();
        return entry(owners[0], columns);
    }

    /** Removes what was copied. */
    void undo() {
        ShardTable shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        copied.values()
                .forEach(copy -> {
                    for (int i = 0; i < copy.shards().length; i++) {
                        int size = shards.size(copy.shards()[i]);
                        remove(copy.out()[i], size);
                        if (copy.in().length > 0) {
                            remove(copy.in()[i], size);
                        }
                        remove(copy.ids()[i], 1);
                        if (copy.properties().length > 0) {
                            remove(copy.properties()[i], descriptor.valueChunks());
                        }
                    }
                    for (long column : copy.columns()) {
                        remove(column, 1);
                    }
                });
        heads.forEach(head -> remove(head, 1));
    }

    private void copyShards() {
        long[] manifests = source.columns().stream().mapToLong(KeptColumn::manifest).toArray();
        CopyShards command = new CopyShards(source.descriptor(), manifests);
        Map<Integer, CompletableFuture<Copied>> answers = new LinkedHashMap<>();
        for (NodeInfo node : store.membership().computingPeers()) {
            answers.put(node.id(), store.network().request(node.id(), command, COPY_TIMEOUT));
        }
        CompletionException failure = null;
        for (Map.Entry<Integer, CompletableFuture<Copied>> answer : answers.entrySet()) {
            try {
                copied.put(answer.getKey(), answer.getValue().join());
            } catch (CompletionException e) {
                failure = e;
            }
        }
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            throw new JobFailedException(
                    "graph \"%s\" could not be copied: %s"
                            .formatted(source.name(), cause.getMessage()),
                    failure);
        }
        if (copied.isEmpty()) {
            throw new JobFailedException("there is no peer that computes");
        }
    }

    /** Owners may have changed in between. */
    private void requireAll() {
        for (int shard = 0; shard < descriptor.shardOwners().length; shard++) {
            boolean empty = descriptor.shardFirsts()[shard] == descriptor.shardFirsts()[shard + 1];
            if (!empty && descriptor.outRanges()[shard] == 0) {
                throw new JobFailedException(
                        "graph \"%s\" could not be copied: shard %d was on its way to another peer; try again"
                                .formatted(source.name(), shard));
            }
        }
    }

    private KeptGraph entry(int home, long[][] columns) {
        ChunkService chunks =
                store.chunks()
                        .with(
                                ChunkId.isReplicated(source.descriptor())
                                        ? Durability.POWER
                                        : Durability.MEMORY);
        List<KeptColumn> copies = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            KeptColumn column = source.columns().get(i);
            long[] numbers = Manifest.numbers(columns[i], new long[0]);
            ByteBuffer bytes =
                    ByteBuffer.allocate(numbers.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asLongBuffer().put(numbers);
            long manifest = chunks.createOn(home, new int[] {bytes.capacity()});
            heads.add(manifest);
            chunks.put(manifest, bytes.array());
            copies.add(new KeptColumn(column.name(), column.type(), manifest, 0, 0));
        }
        long chunk = DescriptorChunk.write(chunks, home, descriptor);
        heads.add(chunk);
        return new KeptGraph(
                name,
                chunk,
                source.vertices(),
                source.edges(),
                source.directed(),
                source.weighted(),
                source.bytes(),
                descriptor.zones(),
                source.properties(),
                copies,
                now,
                now,
                new KeptGraph.Origin(0, 0, 0, 0, 0, 0),
                List.of(),
                source.textIds());
    }

    private void remove(long first, int count) {
        try {
            store.chunks().removeRange(first, count);
        } catch (StoreException e) {
            LOG.warn(
                    "{} chunks from {} on, of a copy that failed, could not be removed: {}",
                    count,
                    ChunkId.toString(first),
                    e.getMessage());
        }
    }
}
