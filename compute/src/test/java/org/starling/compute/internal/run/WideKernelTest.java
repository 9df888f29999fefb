package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.IntCombiner;
import org.starling.graph.VertexChannel;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/** Kernels over rows whose neighbours have ordinals beyond 32 bits. */
final class WideKernelTest {
    private static final long FAR = 1L << 32;
    private static final long VERTICES = FAR + 128;
    private static final int OWN = 64;
    private static final int SELF = 1;
    private static final int OTHER = 2;
    private static final long BLOCK_BYTES = 4096;

    /** Row of each own vertex; of the others there are none. */
    private static final long[][] ROWS = {{3, FAR + 5}, {FAR + 5, FAR + 70}, {5, 63}, {}};

    private final AdjacencyLayout layout = new AdjacencyLayout(8, false);
    private final ShardTable shards =
            new ShardTable(new long[] {0, OWN, VERTICES}, new int[] {SELF, OTHER});
    private long before;
    private long memory;
    private ZeroedMemory columns;
    private Bitmap everybody;
    private Bitmap settled;
    private Rows rows;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        memory = NativeMemory.reserve(BLOCK_BYTES);
        columns = new ZeroedMemory();
        everybody = new Bitmap(OWN);
        settled = new Bitmap(VERTICES);
        everybody.setWord(0, -1);
        long at = memory + OWN * ChunkEntryLayout.ENTRY_BYTES + ChunkEntryLayout.GUARD_BYTES;
        for (int v = 0; v < OWN; v++) {
            long[] row = ROWS[Math.min(v, ROWS.length - 1)];
            long entry = ChunkEntryLayout.writeHeader(at, layout.bytes(row.length));
            NativeMemory.copyFromArray(row, 0, AdjacencyLayout.targets(entry), row.length);
            NativeMemory.putLong(memory + (long) v * ChunkEntryLayout.ENTRY_BYTES, entry);
            at += ChunkEntryLayout.blockBytes(layout.bytes(row.length));
        }
        rows = new Rows.Builder(shards).piece(0, memory).build(layout);
    }

    @AfterEach
    void close() {
        settled.close();
        everybody.close();
        columns.close();
        NativeMemory.release(memory, BLOCK_BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void pullsCallersFromBeyondTwoToThe32() {
        ValueOp.OfVertex op = new ValueOp.OfVertex(8);
        try (Published published = new Published(op, VERTICES, columns);
                Inbox inbox = new Inbox(op, OWN, columns)) {
            published.set(FAR + 5, FAR + 5, 0);
            published.set(FAR + 70, FAR + 70, 0);

            pull(op, published, false, inbox);

            assertThat(inbox.receivers.word(0)).isEqualTo(0b11);
            assertThat(op.caller(inbox.value(0))).isEqualTo(FAR + 5);
            assertThat(op.caller(inbox.value(1))).isEqualTo(FAR + 5);
            assertThat(op.caller(inbox.value(2))).isEqualTo(VertexChannel.NONE);
        }
    }

    @Test
    void pullsValuesFromBeyondTwoToThe32() {
        ValueOp op = new ValueOp.OfInt(IntCombiner.SUM);
        try (Published published = new Published(op, VERTICES, columns);
                Inbox some = new Inbox(op, OWN, columns);
                Inbox all = new Inbox(op, OWN, columns)) {
            published.set(3, 1, Integer.BYTES);
            published.set(5, 10, Integer.BYTES);
            published.set(FAR + 5, 100, Integer.BYTES);
            published.set(FAR + 70, 1_000, Integer.BYTES);

            pull(op, published, false, some);
            pull(op, published, true, all);

            for (Inbox inbox : new Inbox[] {some, all}) {
                assertThat(inbox.value(0)).isEqualTo(101);
                assertThat(inbox.value(1)).isEqualTo(1_100);
                assertThat(inbox.value(2)).isEqualTo(10);
            }
        }
    }

    @Test
    void pushesToVerticesBeyondTwoToThe32() {
        ValueOp op = new ValueOp.OfInt(IntCombiner.SUM);
        Sent sent = new Sent();
        try (Published published = new Published(op, OWN, columns);
                Inbox inbox = new Inbox(op, OWN, columns)) {
            for (int v = 0; v < ROWS.length; v++) {
                published.set(v, v + 1, Integer.BYTES);
            }

            KernelCompiler.push(op, layout)
                    .push(
                            rows,
                            0,
                            OWN,
                            everybody,
                            new ChannelStep(published, false, settled, inbox, sent));

            assertThat(sent.messages)
                    .containsExactly(
                            List.of((long) OTHER, FAR + 5, 1L),
                            List.of((long) OTHER, FAR + 5, 2L),
                            List.of((long) OTHER, FAR + 70, 2L));
            assertThat(inbox.value(3)).isEqualTo(1);
            assertThat(inbox.value(5)).isEqualTo(3);
            assertThat(inbox.value(63)).isEqualTo(3);
        }
    }

    @Test
    void goesThroughPiecesOfRowsBeyondTwoToThe32() {
        ValueOp op = new ValueOp.OfInt(IntCombiner.SUM);
        Sent sent = new Sent();
        long[] combined = new long[1];
        try (Published published = new Published(op, VERTICES, columns);
                Inbox inbox = new Inbox(op, OWN, columns)) {
            published.set(1, 7, Integer.BYTES);
            published.set(FAR + 5, 100, Integer.BYTES);
            int last = rows.degree(1) - 1;

            ChannelStep step = new ChannelStep(published, false, settled, inbox, sent);

            KernelCompiler.push(op, layout).pushPiece(rows, 1, last, last + 1, step);
            PullKernel pull = KernelCompiler.pull(op, layout);

            assertThat(sent.messages).containsExactly(List.of((long) OTHER, FAR + 70, 7L));
            assertThat(pull.combinePiece(rows, 1, 0, last, step, combined, 0)).isTrue();
            assertThat(combined[0]).isEqualTo(100);
            assertThat(pull.combinePiece(rows, 1, last, last + 1, step, combined, 0)).isFalse();
        }
    }

    @Test
    void carriesMessagesToVerticesBeyondTwoToThe32() {
        MessageRecords wide = new MessageRecords(8, 4);

        wide.write(memory, FAR + 5, -7);

        assertThat(wide.bytes()).isEqualTo(12);
        assertThat(wide.ordinal(memory)).isEqualTo(FAR + 5);
        assertThat(wide.value(memory)).isEqualTo(-7);
    }

    private void pull(ValueOp op, Published published, boolean everyone, Inbox inbox) {
        KernelCompiler.pull(op, layout)
                .pull(
                        rows,
                        0,
                        OWN,
                        everybody,
                        new ChannelStep(published, everyone, settled, inbox, null));
    }

    /** Takes what is pushed to the other node. */
    private final class Sent implements PushKernel.RemoteTargets {
        private final List<List<Long>> messages = new ArrayList<>();

        @Override
        public ShardTable shards() {
            return shards;
        }

        @Override
        public int self() {
            return SELF;
        }

        @Override
        public void send(int node, long ordinal, long value) {
            messages.add(List.of((long) node, ordinal, value));
        }
    }
}
