package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
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
import org.starling.store.internal.node.ChunkMessage.RemoveRange;
import org.starling.store.internal.node.ChunkMessage.Resize;
import org.starling.store.internal.node.ChunkMessage.Values;

/** Requests as another node, or somebody who forges them, could make them. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ChunkServerTest {
    private static final int NODE = 4;

    /** The last id of a volatile chunk. */
    private static final long LAST = ChunkId.of(NODE, ChunkId.MAX_LOCAL >> 1);

    private static final int SOURCE = 9;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final LocalChunks local = new LocalChunks(NODE, 64 << 20);
    private final ChunkServer server =
            new ChunkServer(
                    local,
                    new OwnedChunks(
                            local, null, new Lease(Duration.ofSeconds(1), System::nanoTime), 2),
                    id -> ChunkId.creator(id) == NODE,
                    node -> node == SOURCE,
                    true);

    @AfterEach
    void leavesNoMemoryBehind() {
        local.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void stopsAnAnswerAtItsBoundAndAlwaysAnswersSomething() {
        long big = local.createRange(new Sizes.Uniform(3, 3 << 20));
        long small = local.createRange(new Sizes.Uniform(100, 1 << 10));

        Values first = server.get(new Get(new long[] {big, big + 1, small})).join();
        Values second =
                server.get(new Get(new long[] {small, small + 1, big, small + 2, small + 3}))
                        .join();
        RangePart part = server.readRange(new ReadRange(big, 103)).join();

        assertThat(first.states()).hasSize(1);
        assertThat(second.states()).hasSize(5);
        assertThat(part.sizes()).hasSize(1);
        assertThat(part.payload()).hasSize(3 << 20);
    }

    @Test
    void answersAtOnceOnlyIfAllChunksAreThereAndShortAndFew() {
        long id = local.createRange(new Sizes.Uniform(2_000, 16));
        long big = local.create(100 << 10);
        local.put(id, new byte[] {1, 2});

        Values values = server.getAtOnce(new Get(new long[] {id, id + 1}));

        assertThat(values).isNotNull();
        assertThat(values.states()).containsOnly(ChunkMessage.PRESENT);
        assertThat(values.values()[0]).containsExactly(1, 2);
        assertThat(server.getAtOnce(new Get(new long[] {id, id + 5_000}))).isNull();
        assertThat(server.getAtOnce(new Get(new long[] {id, ChunkId.of(NODE + 1, 0)}))).isNull();
        assertThat(server.getAtOnce(new Get(new long[] {id, big}))).isNull();
        long[] many = LongStream.range(id, id + 2_000).toArray();
        assertThat(server.getAtOnce(new Get(many))).isNull();
        assertThat(server.get(new Get(many)).join().states()).hasSize(many.length);
    }

    @Test
    void putsAtOnceAllChunksOfARequestOrNone() {
        long id = local.createRange(new Sizes.Uniform(2_000, 2));
        byte[] one = {1, 2};
        byte[] other = {3, 4};

        assertThat(server.putAtOnce(put(id, one, id + 1, other)))
                .isEqualTo(new Outcomes(0, List.of()));
        assertThat(server.putAtOnce(put(id, other, id + 1, new byte[3]))).isNull();
        assertThat(server.putAtOnce(put(id, other, id + 1, new byte[1]))).isNull();
        assertThat(server.putAtOnce(put(id, other, id + 5_000, one))).isNull();
        assertThat(server.putAtOnce(put(id, other, ChunkId.of(NODE + 1, 0), one))).isNull();
        assertThat(server.putAtOnce(put(id, other, ChunkId.NONE, one))).isNull();
        assertThat(server.putAtOnce(put(id, other, id, other))).isNull();

        assertThat(local.get(id)).isEqualTo(one);
        assertThat(local.get(id + 1)).isEqualTo(other);
        assertThat(local.get(id + 2)).containsOnly(0);
    }

    @Test
    void leavesToWorkersWhatIsMuchToPutOrIsToOutliveMemory() {
        long id = local.createRange(new Sizes.Uniform(2_000, 0));
        long big = local.create(100 << 10);
        byte[][] values = new byte[2_000][0];

        assertThat(
                        server.putAtOnce(
                                new Put(
                                        Durability.MEMORY,
                                        ChunkMessage.UNTAGGED,
                                        LongStream.range(id, id + 2_000).toArray(),
                                        new int[0],
                                        values)))
                .isNull();
        assertThat(server.putAtOnce(put(id, new byte[0], big, new byte[100 << 10]))).isNull();
        assertThat(
                        server.putAtOnce(
                                new Put(
                                        Durability.POWER,
                                        ChunkMessage.UNTAGGED,
                                        new long[] {id},
                                        new int[0],
                                        new byte[1][0])))
                .isNull();
    }

    /** What was refused has not happened, and whoever asked is told so. */
    @Test
    void refusesPutsWhenTheStoreIsStopped() {
        long id = local.createRange(new Sizes.Uniform(2, 2));
        Put put = put(id, new byte[2], id + 1, new byte[2]);
        local.stop();

        assertThat(server.putAtOnce(put)).isNull();
        assertThat(server.put(SOURCE, put).join().failures())
                .extracting(Failure::outcome)
                .containsExactly(Outcome.FAILED, Outcome.FAILED);
    }

    private static Put put(long first, byte[] one, long second, byte[] other) {
        return new Put(
                Durability.MEMORY,
                ChunkMessage.UNTAGGED,
                new long[] {first, second},
                new int[0],
                new byte[][] {one, other});
    }

    @Test
    void answersForEachIdWhatItIs() {
        long id = local.create(2);

        Values values =
                server.get(new Get(new long[] {id, id + 1, ChunkId.of(NODE + 1, 0), ChunkId.NONE}))
                        .join();

        assertThat(values.states())
                .containsExactly(
                        ChunkMessage.PRESENT,
                        ChunkMessage.ABSENT,
                        ChunkMessage.ELSEWHERE,
                        ChunkMessage.ELSEWHERE);
    }

    @Test
    void refusesForgedSizesAndRanges() {
        long id = local.create(2);

        assertFailed(
                server.create(SOURCE, new Create(Durability.MEMORY, new int[] {1, -1})),
                Outcome.FAILED);
        assertFailed(
                server.create(SOURCE, new Create(Durability.MEMORY, new int[0])), Outcome.FAILED);
        assertFailed(
                server.create(SOURCE, new Create(Durability.MEMORY, new int[] {Integer.MAX_VALUE})),
                Outcome.OUT_OF_MEMORY);
        assertFailed(
                server.create(SOURCE, new Create(Durability.POWER, new int[] {1})),
                Outcome.UNDER_REPLICATED);
        assertFailed(
                server.resize(SOURCE, new Resize(Durability.MEMORY, 0, id, -5)), Outcome.FAILED);
        assertFailed(
                server.removeRange(SOURCE, new RemoveRange(Durability.MEMORY, 0, id, -1)),
                Outcome.FAILED);
        assertFailed(
                server.removeRange(SOURCE, new RemoveRange(Durability.MEMORY, 0, LAST, 2)),
                Outcome.FAILED);
        assertThat(server.readRange(new ReadRange(id, -7)).join().sizes()).hasSize(1);
        assertThat(server.readRange(new ReadRange(LAST, 5)).join().sizes()).containsOnly(-1);
        assertThat(local.statistics().chunks()).isEqualTo(1);
    }

    @Test
    void carriesOutTheRestOfABatch() {
        long id = local.create(1);

        Outcomes outcomes =
                server.put(
                                SOURCE,
                                new Put(
                                        Durability.MEMORY,
                                        ChunkMessage.UNTAGGED,
                                        new long[] {id + 1, ChunkId.of(9, 9), id},
                                        new int[0],
                                        new byte[][] {{1}, {2}, {3, 4}}))
                        .join();

        assertThat(outcomes.failures())
                .extracting(Failure::index, Failure::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0, Outcome.NOT_FOUND),
                        org.assertj.core.groups.Tuple.tuple(1, Outcome.NOT_OWNER));
        assertThat(local.get(id)).containsExactly(3, 4);
    }

    private static void assertFailed(CompletableFuture<Outcomes> outcomes, Outcome expected) {
        assertThat(outcomes.join().failures())
                .extracting(Failure::outcome)
                .containsExactly(expected);
    }
}
