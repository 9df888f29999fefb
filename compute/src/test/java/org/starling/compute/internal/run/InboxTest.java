package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.FloatCombiner;
import org.starling.graph.IntCombiner;
import org.starling.graph.LongCombiner;
import org.starling.graph.VertexChannel;
import org.starling.net.NativeMemory;

/**
 * Many threads deliver into one inbox: nothing is lost. The twin with a seeded bug loses something.
 */
final class InboxTest {
    private static final int VERTICES = 130;
    private static final int THREADS = 4;
    private static final int MESSAGES = 60_000;
    private static final long SEED = 20_261_120;

    private long before;
    private ZeroedMemory memory;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        memory = new ZeroedMemory();
    }

    @AfterEach
    void close() {
        memory.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    /** Delivers one message. */
    private interface Delivering {
        void deliver(long ordinal, long value);
    }

    /** All threads deliver random messages; what a single thread would have got, by vertex. */
    private static long[] flood(ValueOp op, Delivering inbox)
            throws InterruptedException, ExecutionException {
        long[] expected = new long[VERTICES];
        java.util.Arrays.fill(expected, op.identity());
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(SEED + thread);
                long[] ordinals = random.longs(MESSAGES, 0, VERTICES).toArray();
                long[] values = random.longs(MESSAGES, 1, 1_000).toArray();
                ordinals[0] = 0; // all threads begin at the same vertex
                for (int i = 0; i < MESSAGES; i++) {
                    int at = (int) ordinals[i];
                    expected[at] = op.combine(expected[at], values[i]);
                }
                senders.add(
                        threads.submit(() -> {
                            start.await();
                            for (int i = 0; i < MESSAGES; i++) {
                                inbox.deliver(ordinals[i], values[i]);
                            }
                            return null;
                        }));
            }
            start.countDown();
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
        return expected;
    }

    private static long[] values(Inbox inbox) {
        long[] values = new long[VERTICES];
        for (int v = 0; v < VERTICES; v++) {
            values[v] = inbox.value(v);
        }
        return values;
    }

    @Test
    void losesNothingWhenManyThreadsDeliver() throws InterruptedException, ExecutionException {
        List<ValueOp> ops =
                List.of(
                        new ValueOp.OfLong(LongCombiner.SUM),
                        new ValueOp.OfLong(LongCombiner.MIN),
                        new ValueOp.OfInt(IntCombiner.SUM),
                        new ValueOp.OfInt(IntCombiner.MAX),
                        new ValueOp.OfVertex(4));
        for (ValueOp op : ops) {
            try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
                long[] expected = flood(op, inbox::deliver);

                assertThat(values(inbox)).as("%s seed %d", op, SEED).isEqualTo(expected);
                for (int v = 0; v < VERTICES; v++) {
                    assertThat(inbox.has(v)).isTrue();
                }
            }
        }
    }

    @Test
    void keepsOneOfTheValuesWhenAnyWillDo() throws InterruptedException, ExecutionException {
        ValueOp op = new ValueOp.OfLong(LongCombiner.ANY);
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            flood(op, inbox::deliver);

            for (long value : values(inbox)) {
                assertThat(value).isBetween(1L, 999L);
            }
        }
    }

    /** Delivers with plain reads and writes, as a single thread might. */
    private static void deliverCarelessly(
            Inbox inbox, ValueOp op, long ordinal, long value, Runnable gap) {
        long at = inbox.values + ordinal * op.width();
        long stored = ColumnType.load(at, op.width()) ^ op.identity();
        gap.run();
        ColumnType.store(at, op.width(), op.combine(stored, value) ^ op.identity());
        inbox.receivers.add(ordinal);
    }

    @Test
    void findsTheSeededBug() throws InterruptedException, ExecutionException {
        ValueOp op = new ValueOp.OfLong(LongCombiner.SUM);
        Gap gap = new Gap(THREADS);
        AtomicInteger deliveries = new AtomicInteger();
        Runnable firstOfEachThread =
                () -> {
                    if (deliveries.getAndIncrement() < THREADS) {
                        gap.meet();
                    }
                };
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            long[] expected =
                    flood(
                            op,
                            (ordinal, value) ->
                                    deliverCarelessly(
                                            inbox, op, ordinal, value, firstOfEachThread));

            assertThat(values(inbox)).isNotEqualTo(expected);
        }
    }

    @Test
    void forgetsWhatWasReceived() {
        ValueOp op = new ValueOp.OfDouble(DoubleCombiner.MIN);
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            inbox.deliver(3, Double.doubleToRawLongBits(2.5));
            inbox.deliver(70, Double.doubleToRawLongBits(-1));
            inbox.deliver(70, Double.doubleToRawLongBits(7));

            assertThat(inbox.receivers.word(0)).isEqualTo(8);
            assertThat(inbox.receivers.word(1)).isEqualTo(64);
            assertThat(inbox.value(70)).isEqualTo(Double.doubleToRawLongBits(-1));
            assertThat(inbox.value(4)).isEqualTo(op.identity());

            inbox.clear(0, 2);
            assertThat(inbox.has(3) || inbox.has(70)).isFalse();
            assertThat(inbox.value(70)).isEqualTo(op.identity());
        }
    }

    @Test
    void hasAMessageThatEqualsTheIdentity() {
        ValueOp op = new ValueOp.OfFloat(FloatCombiner.SUM);
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            inbox.deliver(64, 0);

            assertThat(inbox.has(64)).isTrue();
            assertThat(inbox.value(64)).isZero();
        }
    }

    @Test
    void tellsSmallestCallersBeyondTwoToThe31() {
        ValueOp op = new ValueOp.OfVertex(4);
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            inbox.deliver(0, 0xFFFF_FFFEL);
            inbox.deliver(0, 0x8000_0000L);
            inbox.deliver(0, 0xF000_0000L);

            assertThat(Integer.toUnsignedLong((int) inbox.value(0))).isEqualTo(0x8000_0000L);
        }
    }

    @Test
    void tellsSmallestCallersBeyondTwoToThe32() {
        ValueOp.OfVertex op = new ValueOp.OfVertex(8);
        try (Inbox inbox = new Inbox(op, VERTICES, memory)) {
            inbox.deliver(0, (3L << 32) + 5);
            inbox.deliver(0, (1L << 32) + 9);
            inbox.deliver(0, 1L << 33);

            assertThat(op.caller(inbox.value(0))).isEqualTo((1L << 32) + 9);
            assertThat(op.caller(inbox.value(1))).isEqualTo(VertexChannel.NONE);
        }
    }
}
