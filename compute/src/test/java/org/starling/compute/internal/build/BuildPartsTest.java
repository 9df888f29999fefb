package org.starling.compute.internal.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.JobCancelledException;
import org.starling.graph.SourceDescription;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.PinnedRange;

/** Records, ids and rows while a graph is made. */
final class BuildPartsTest {
    private long before;
    private Slabs slabs;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        slabs = new Slabs();
    }

    @AfterEach
    void close() {
        slabs.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void givesBlocksBackAsRecordsAreVisited() {
        Records first = new Records(slabs, 8);
        Records second = new Records(slabs, 8);
        int count = 5 * Slabs.BLOCK_BYTES / 8 + 3;
        for (int i = 0; i < count; i++) {
            NativeMemory.putLong(first.add(), i);
        }
        long reserved = NativeMemory.reservedBytes();

        first.drain(at -> NativeMemory.putLong(second.add(), NativeMemory.getLong(at)));
        first.drain(at -> assertThat(at).as("nothing is left").isZero());
        for (int i = 0; i < 100 * count; i++) {
            if (i % count == 0) {
                first.discard();
            }
            NativeMemory.putLong(first.add(), i);
        }

        assertThat(NativeMemory.reservedBytes()).isEqualTo(reserved);
        assertThat(second.size()).isEqualTo(count);
        long[] next = {0};
        second.forEach(at -> assertThat(NativeMemory.getLong(at)).isEqualTo(next[0]++));
    }

    @Test
    void keepsRecordsInOrderOverManyBlocks() {
        int width = 12;
        int count = 3 * Slabs.BLOCK_BYTES / width + 7;
        Records records = new Records(slabs, width);
        assertThat(records.size()).isZero();
        for (int i = 0; i < count; i++) {
            NativeMemory.putInt(records.add(), i);
        }

        int seen = 0;
        for (int block = 0; block < records.blocks(); block++) {
            long end = records.blockEnd(block);
            for (long at = records.block(block); at < end; at += width) {
                assertThat(NativeMemory.getInt(at)).isEqualTo(seen++);
            }
        }
        assertThat(seen).isEqualTo(count);
        assertThat(records.size()).isEqualTo(count);
    }

    @Test
    void givesEveryBlockOnce() {
        TreeSet<Long> blocks = new TreeSet<>();
        for (int i = 0; i < 300; i++) {
            blocks.add(slabs.take());
        }

        assertThat(blocks).hasSize(300);
        long last = 0;
        for (long block : blocks) {
            assertThat(block - last).isGreaterThanOrEqualTo(Slabs.BLOCK_BYTES);
            last = block;
        }
    }

    /** Edges of one shard: index of the vertex, target, weight. */
    private Records records(EdgeRecords layout, long[][] edges, float[] weights) {
        Records records = new Records(slabs, layout.bytes());
        for (int i = 0; i < edges.length; i++) {
            layout.write(records.add(), edges[i][0], edges[i][1], weights[i]);
        }
        return records;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, false",
        "2, 4, true",
        "3, 4, false",
        "4, 4, true",
        "5, 8, false",
        "6, 8, true",
        "7, 8, true"
    })
    void sortsRowsAndDropsDuplicates(long seed, int endBytes, boolean weighted) {
        Random random = new Random(seed);
        EdgeRecords layout = new EdgeRecords(endBytes, weighted);
        long stride = endBytes == 4 ? 71_000_000L : 71_000_000_000L;
        int vertices = 20;
        int count = 800;
        long[][] edges = new long[count][];
        float[] weights = new float[count];
        List<Map<Long, Float>> model =
                java.util.stream.Stream.generate(
                                () -> (Map<Long, Float>) new TreeMap<Long, Float>())
                        .limit(vertices)
                        .toList();
        for (int i = 0; i < count; i++) {
            long target = random.nextInt(60) * stride;
            edges[i] = new long[] {random.nextInt(vertices - 1), target};
            weights[i] = random.nextInt(9) - 4;
            model.get((int) edges[i][0]).merge(target, weights[i], Math::min);
        }

        ShardRows rows =
                new ShardRows(
                        layout,
                        vertices,
                        List.of(
                                records(
                                        layout,
                                        Arrays.copyOf(edges, 300),
                                        Arrays.copyOf(weights, 300)),
                                records(
                                        layout,
                                        Arrays.copyOfRange(edges, 300, count),
                                        Arrays.copyOfRange(weights, 300, count))));

        int kept = model.stream().mapToInt(Map::size).sum();
        assertThat(rows.edges()).isEqualTo(kept);
        assertThat(rows.duplicates()).isEqualTo(count - kept);
        assertThat(rows.inputDegree(vertices - 1)).isZero();
        int[] sizes = rows.sizes();
        for (int v = 0; v < vertices; v++) {
            assertThat(sizes[v]).isEqualTo(model.get(v).size() * (endBytes + (weighted ? 4 : 0)));
        }
        checkWritten(rows, sizes, model, new AdjacencyLayout(endBytes, weighted), seed);
    }

    private static void checkWritten(
            ShardRows rows,
            int[] sizes,
            List<Map<Long, Float>> model,
            AdjacencyLayout layout,
            long seed) {
        long bytes = 64 << 10;
        long memory = NativeMemory.reserve(bytes);
        long at = memory + 8L * sizes.length + ChunkEntryLayout.GUARD_BYTES;
        for (int v = 0; v < sizes.length; v++) {
            NativeMemory.putLong(memory + 8L * v, ChunkEntryLayout.writeHeader(at, sizes[v]));
            at += ChunkEntryLayout.blockBytes(sizes[v]);
        }
        PinnedRange chunks =
                new PinnedRange(0, sizes.length, local -> memory + 8 * local, () -> {});
        rows.writeTo(chunks);

        for (int v = 0; v < sizes.length; v++) {
            long row = chunks.address(v);
            int i = 0;
            for (Map.Entry<Long, Float> edge : model.get(v).entrySet()) {
                assertThat(layout.target(row, i))
                        .as("seed %d vertex %d", seed, v)
                        .isEqualTo(edge.getKey());
                if (layout.weighted()) {
                    int degree = model.get(v).size();
                    assertThat(NativeMemory.getFloat(layout.weight(row, degree, i)))
                            .isEqualTo(edge.getValue());
                }
                i++;
            }
        }
        NativeMemory.release(memory, bytes);
    }

    @Test
    void packsEdges() {
        Records records = new Records(slabs, 20);
        long at = records.add();
        for (int endBytes : new int[] {4, 8}) {
            EdgeRecords plain = new EdgeRecords(endBytes, false);
            EdgeRecords weighted = new EdgeRecords(endBytes, true);
            long first = endBytes == 4 ? 0xFFFF_FFFEL : Long.MAX_VALUE;

            weighted.write(at, first, 5, -1.5f);

            assertThat(plain.bytes()).isEqualTo(2 * endBytes);
            assertThat(weighted.bytes()).isEqualTo(2 * endBytes + 4);
            assertThat(weighted.first(at)).isEqualTo(first);
            assertThat(weighted.second(at)).isEqualTo(5);
            assertThat(weighted.weight(at)).isEqualTo(-1.5f);
            assertThat(plain.second(at)).isEqualTo(5);
            assertThat(plain.weight(at)).isEqualTo(1f);
        }
    }

    @Test
    void givesOrdinalsAndCountsInAsManyBytesAsRowsHave() {
        for (int bytes : new int[] {4, 8}) {
            try (VertexOrder order = new VertexOrder(3, 1, 1, bytes)) {
                long far = bytes == 4 ? 0xFFFF_FFFEL : 1L << 39;
                order.set(1, far);
                order.set(2, 7);

                assertThat(order.ordinal(1)).isEqualTo(far);
                assertThat(order.ordinal(2)).isEqualTo(7);
            }
        }
    }

    /** Three slaves rank ids among themselves, by hand. */
    @Test
    void ranksIdsAmongAllSlaves() {
        long[][] own = {{1, 5, 9, 100}, {5, 6, 7}, {0, 9, 1_000_000_000_000L}};
        long[] splitters = {5, 9};
        IdRanges[] slaves = new IdRanges[3];
        Arrays.setAll(slaves, i -> new IdRanges(own[i], 3));
        for (int from = 0; from < 3; from++) {
            for (int to = 0; to < 3; to++) {
                long[] slice =
                        slaves[from].slice(
                                slaves[from].sliceStart(to, splitters),
                                slaves[from].sliceStart(to + 1, splitters));
                slaves[to].received(from).addElements(0, slice);
            }
        }
        long first = 0;
        for (IdRanges slave : slaves) {
            int count = slave.sortRange();
            slave.setFirstRank(first);
            first += count;
        }
        for (int from = 0; from < 3; from++) {
            for (int to = 0; to < 3; to++) {
                slaves[from].ranked(to).addElements(0, slaves[to].ranksFor(from));
            }
        }

        long[] all = {0, 1, 5, 6, 7, 9, 100, 1_000_000_000_000L};
        assertThat(first).isEqualTo(all.length);
        for (int slave = 0; slave < 3; slave++) {
            Long2LongOpenHashMap ordinals = slaves[slave].ranks();
            for (long id : own[slave]) {
                assertThat(ordinals.get(id)).isEqualTo(Arrays.binarySearch(all, id));
            }
        }
        assertThat(slaves[1].range()).containsExactly(5, 6, 7);
        assertThat(slaves[1].firstRank()).isEqualTo(2);
    }

    @Test
    void noticesMissingRanks() {
        IdRanges ids = new IdRanges(new long[] {1, 2, 3}, 2);
        ids.ranked(0).add(0);

        assertThatThrownBy(ids::ranks).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void samplesEvenly() {
        long[] all = new long[1_000];
        Arrays.setAll(all, i -> i);
        IdRanges ids = new IdRanges(all, 2);

        assertThat(ids.sample(4)).containsExactly(0, 250, 500, 750);
        assertThat(ids.sample(5_000)).isEqualTo(all);
        assertThat(new IdRanges(new long[0], 2).sample(10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesNoEdgeWhenTheBuildIsOver(boolean dense) {
        StopSign stop = new StopSign();
        try (Slabs slabs = new Slabs()) {
            SourceDescription source = new SourceDescription(1, dense, 0, 10, 10, false);
            PartSink sink =
                    new PartSink(
                            source,
                            new EdgeRecords(8, false),
                            new EdgeRecords(8, false),
                            slabs,
                            new StringDictionary(slabs),
                            null,
                            stop);
            sink.edge(1, 2, 1);
            sink.vertex(3);

            stop.raise();
            assertThatThrownBy(() -> sink.edge(1, 2, 1)).isInstanceOf(JobCancelledException.class);
            assertThatThrownBy(() -> sink.vertex(3)).isInstanceOf(JobCancelledException.class);
            assertThat(sink.edges().size()).isEqualTo(1);
        }
    }
}
