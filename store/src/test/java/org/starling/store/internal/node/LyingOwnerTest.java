package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.BatchException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.RangeCopy;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.node.ChunkMessage.Failure;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.node.ChunkMessage.RangePart;
import org.starling.store.internal.node.ChunkMessage.SizeIs;
import org.starling.store.internal.node.ChunkMessage.Values;

/**
 * Answers that an owner in its right mind does not give: the asking node checks them before it
 * believes them, and nothing leaks.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LyingOwnerTest {
    private static final int ASKER = 1;
    private static final int OWNER = 2;
    private static final long ID = ChunkId.of(OWNER, 10);

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final LoopbackHub hub = new LoopbackHub();
    private final Network asker =
            Network.open(ASKER, Transports.loopback(hub), NetConfig.defaults());
    private final Network owner =
            Network.open(OWNER, Transports.loopback(hub), NetConfig.defaults());
    private final LocalChunks local = new LocalChunks(ASKER, 1 << 20);
    private final AtomicInteger asked = new AtomicInteger();
    private final ChunkService chunks =
            chunks(remote(node -> node <= OWNER, Duration.ofSeconds(10)));

    @AfterEach
    void leavesNoMemoryBehind() {
        local.close();
        owner.close();
        asker.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void refusesPartsOfARangeThatDoNotAddUp() {
        RangePart[] lies = {
            new RangePart(ChunkMessage.PRESENT, new int[0], new byte[0]),
            new RangePart(ChunkMessage.PRESENT, new int[] {1, 1, 1}, new byte[3]),
            new RangePart(ChunkMessage.PRESENT, new int[] {4}, new byte[3]),
            new RangePart(ChunkMessage.PRESENT, new int[] {2}, new byte[3]),
            new RangePart(ChunkMessage.PRESENT, new int[] {-2}, new byte[0]),
            new RangePart(ChunkMessage.PRESENT, new int[] {Integer.MAX_VALUE, 1}, new byte[0]),
            new RangePart(ChunkMessage.TOO_LONG, new int[0], new byte[0])
        };
        owner.serve(
                ChunkMessage.READ_RANGE,
                Execution.WORKER,
                (source, range) -> lies[asked.getAndIncrement()]);

        for (int i = 0; i < lies.length; i++) {
            assertThatThrownBy(() -> chunks.readRange(ID, 2))
                    .as("lie %d", i)
                    .isInstanceOf(StoreException.class);
        }
        assertThat(asked).hasValue(lies.length);
    }

    @Test
    void releasesWhatItHasReadWhenALaterPartFails() {
        owner.serve(
                ChunkMessage.READ_RANGE,
                Execution.WORKER,
                (source, range) -> {
                    if (asked.incrementAndGet() < 4) {
                        return new RangePart(
                                ChunkMessage.PRESENT, new int[] {1 << 20}, new byte[1 << 20]);
                    }
                    throw new IllegalStateException("no more");
                });

        assertThatThrownBy(() -> chunks.readRange(ID, 10))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no more");
        assertThat(asked).hasValue(4);
    }

    @Test
    void putsARangeTogetherFromManySmallParts() {
        owner.serve(
                ChunkMessage.READ_RANGE,
                Execution.WORKER,
                (source, range) -> {
                    asked.incrementAndGet();
                    byte number = (byte) ChunkId.local(range.first());
                    return number % 3 == 0
                            ? new RangePart(ChunkMessage.PRESENT, new int[] {-1}, new byte[0])
                            : new RangePart(
                                    ChunkMessage.PRESENT, new int[] {1}, new byte[] {number});
                });

        try (RangeCopy copy = chunks.readRange(ID, 50)) {
            for (int i = 0; i < 50; i++) {
                assertThat(copy.exists(i)).isEqualTo((10 + i) % 3 != 0);
                if (copy.exists(i)) {
                    assertThat(copy.get(i)).containsExactly((byte) (10 + i));
                }
            }
        }
        assertThat(asked).hasValue(50);
    }

    @Test
    void givesUpOnAnOwnerThatSaysItIsNone() {
        owner.serve(
                ChunkMessage.READ_RANGE,
                Execution.WORKER,
                (source, range) -> {
                    asked.incrementAndGet();
                    return new RangePart(ChunkMessage.ELSEWHERE, new int[0], new byte[0]);
                });
        owner.serve(
                ChunkMessage.SIZE,
                Execution.WORKER,
                (source, size) -> {
                    asked.incrementAndGet();
                    return new SizeIs(ChunkMessage.ELSEWHERE, 0);
                });

        assertThatThrownBy(() -> chunks.readRange(ID, 2)).isInstanceOf(StoreException.class);
        assertThat(asked).hasValue(Batch.MAX_ROUNDS);
        assertThatThrownBy(() -> chunks.size(ID)).isInstanceOf(StoreException.class);
        assertThat(asked).as("a volatile chunk has no other owner").hasValue(Batch.MAX_ROUNDS + 1);
    }

    @Test
    void refusesAnswersToABatchThatAreEmptyOrTooLong() {
        owner.serve(
                ChunkMessage.GET,
                Execution.WORKER,
                (source, get) -> {
                    int count = asked.getAndIncrement() == 0 ? 0 : get.ids().length + 1;
                    byte[] states = new byte[count];
                    Arrays.fill(states, ChunkMessage.ABSENT);
                    return new Values(states, new byte[count][]);
                });

        for (int i = 0; i < 2; i++) {
            BatchException failure =
                    catchThrowableOfType(
                            BatchException.class, () -> chunks.get(new long[] {ID, ID + 1}));
            assertThat(failure.failures()).containsOnlyKeys(0, 1);
            assertThat(failure).hasMessageContaining("of 2 ids");
        }
    }

    @Test
    void asksAgainForTheRestOfAShortAnswer() {
        owner.serve(
                ChunkMessage.GET,
                Execution.WORKER,
                (source, get) -> {
                    asked.incrementAndGet();
                    return new Values(
                            new byte[] {ChunkMessage.PRESENT},
                            new byte[][] {{(byte) ChunkId.local(get.ids()[0])}});
                });

        var answer = chunks.get(new long[] {ID, ID + 1, ID + 2});

        assertThat(asked).hasValue(3);
        for (int i = 0; i < 3; i++) {
            assertThat(answer.get(i)).containsExactly((byte) (10 + i));
        }
    }

    @Test
    void endsABatchWhoseChunksAreNeverWhereTheyAreSaidToBe() {
        owner.serve(
                ChunkMessage.PUT,
                Execution.WORKER,
                (source, put) -> {
                    asked.incrementAndGet();
                    return new Outcomes(0, List.of(new Failure(0, Outcome.NOT_OWNER, "")));
                });

        BatchException failure =
                catchThrowableOfType(
                        BatchException.class,
                        () -> chunks.put(new long[] {ID}, new byte[][] {{1}}));

        assertThat(failure.failures().get(0)).isInstanceOf(ChunkNotFoundException.class);
        assertThat(asked).hasValue(Batch.MAX_ROUNDS);
    }

    @Test
    void refusesFailuresOfIndexesItDidNotAskFor() {
        owner.serve(
                ChunkMessage.REMOVE,
                Execution.WORKER,
                (source, remove) -> {
                    int index = asked.getAndIncrement() == 0 ? 2 : Integer.MAX_VALUE;
                    return new Outcomes(0, List.of(new Failure(index, Outcome.FAILED, "x")));
                });

        for (int i = 0; i < 2; i++) {
            BatchException failure =
                    catchThrowableOfType(
                            BatchException.class, () -> chunks.remove(new long[] {ID, ID + 1}));
            assertThat(failure.failures()).containsOnlyKeys(0, 1);
            assertThat(failure).hasMessageContaining("answered for index");
        }
    }

    @Test
    void keepsEachFailureOfABatchWithItsId() {
        owner.serve(
                ChunkMessage.PUT,
                Execution.WORKER,
                (source, put) ->
                        new Outcomes(
                                0,
                                List.of(
                                        new Failure(0, Outcome.OUT_OF_MEMORY, "full"),
                                        new Failure(2, Outcome.NOT_FOUND, ""))));

        BatchException failure =
                catchThrowableOfType(
                        BatchException.class,
                        () ->
                                chunks.put(
                                        new long[] {ID, ID + 1, ID + 2},
                                        new byte[][] {{1}, {2}, {3}}));

        assertThat(failure.failures()).containsOnlyKeys(0, 2);
        assertThat(failure.failures().get(0)).isInstanceOf(OutOfChunkMemoryException.class);
        assertThat(failure.failures().get(2)).hasMessageContaining(ChunkId.toString(ID + 2));
    }

    @Test
    void saysWhetherAFailedRequestMayHaveTakenEffect() {
        CountDownLatch told = new CountDownLatch(1);
        owner.serve(
                ChunkMessage.PUT,
                Execution.WORKER,
                (source, put) -> {
                    throw new IllegalStateException("not today");
                });
        owner.serve(
                ChunkMessage.RESIZE,
                Execution.WORKER,
                (source, resize) -> {
                    told.await();
                    return new Outcomes(0, List.of());
                });
        ChunkService hasty = chunks(remote(node -> true, Duration.ofMillis(50)));

        // wherever the handler was when it failed
        assertThatThrownBy(() -> chunks.put(ID, new byte[1]))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("not today");
        assertThatThrownBy(() -> hasty.resize(ID, 3)).isInstanceOf(IndeterminateException.class);
        told.countDown();
    }

    @Test
    void restoresTheInterruptOfAThreadThatWaits() {
        CountDownLatch interrupted = new CountDownLatch(1);
        owner.serve(
                ChunkMessage.SIZE,
                Execution.WORKER,
                (source, size) -> {
                    interrupted.await();
                    return new SizeIs(ChunkMessage.PRESENT, 4);
                });
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> chunks.size(ID))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("interrupted");

        assertThat(Thread.interrupted()).as("set again").isTrue();
        interrupted.countDown();
        assertThat(chunks.size(ID)).isEqualTo(4);
    }

    @Test
    void asksAnOwnerAsSoonAsItIsHeardOf() {
        owner.serve(
                ChunkMessage.SIZE,
                Execution.WORKER,
                (source, size) -> new SizeIs(ChunkMessage.PRESENT, 4));
        CompletableFuture<Boolean> joins = new CompletableFuture<>();
        RemoteChunks remote =
                new RemoteChunks(
                        asker,
                        node -> joins.isDone(),
                        node -> joins,
                        () -> false,
                        id -> new CompletableFuture<>(),
                        Duration.ofSeconds(30));
        CompletableFuture<SizeIs> answer = remote.read(OWNER, ID, new ChunkMessage.Size(ID));

        assertThat(answer).isNotDone();
        joins.complete(true);

        assertThat(answer.join().bytes()).isEqualTo(4);
    }

    private RemoteChunks remote(IntPredicate isMember, Duration timeout) {
        return new RemoteChunks(
                asker,
                isMember,
                node -> CompletableFuture.completedFuture(false),
                () -> false,
                id -> new CompletableFuture<>(),
                timeout);
    }

    private ChunkService chunks(RemoteChunks remote) {
        OwnedChunks owned =
                new OwnedChunks(local, null, new Lease(Duration.ofSeconds(1), System::nanoTime), 2);
        Locations locations =
                new Locations(
                        ASKER,
                        owned::owns,
                        node -> true,
                        zone -> CompletableFuture.completedFuture(List.of()));
        return new RoutedChunks(
                new WriteBatch.WriteContext(
                        locations,
                        new Retries(Duration.ofSeconds(1), System::nanoTime),
                        new ZoneTags(0),
                        local,
                        owned,
                        remote),
                () -> false,
                Durability.MEMORY,
                true);
    }
}
