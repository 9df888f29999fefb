package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Blocks from other slaves: good ones arrive, bad ones are refused before memory is touched. */
final class BlockReceiverTest {
    private static final int VERTICES = 100;

    private long before;
    private StoreNode store;
    private ReceivingRun run;
    private RunContext context;
    private BlockReceiver receiver;
    private long block;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        store =
                StoreNode.startSuperpeer(
                        NodeOptions.loopback(
                                new LoopbackHub(), StoreConfig.defaults().withHeapBytes(8 << 20)));
        run = new ReceivingRun(store, VERTICES);
        context = run.context;
        receiver = run.receiver;
        block = run.block;
    }

    @AfterEach
    void close() {
        run.close();
        store.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    private void receive(byte kind, int channel, int count, int recordBytes) {
        receive(1, kind, channel, count, recordBytes);
    }

    private void receive(int superstep, byte kind, int channel, int count, int recordBytes) {
        run.receive(superstep, kind, channel, count, recordBytes);
    }

    private void message(int index, long ordinal, long value) {
        run.message(index, ordinal, value);
    }

    private void word(long word, long bits) {
        run.word(word, bits);
    }

    /** Red where a worker that fails before its first vertex looks for that vertex's id. */
    @Test
    void aCursorThatStandsNowhereSaysSo() {
        VertexCursor cursor = new VertexCursor(context.graph, context.settled);

        assertThat(cursor).hasToString("no vertex yet");
    }

    @Test
    void takesMessages() {
        message(0, 3, 10);
        message(1, 99, 5);
        message(2, 3, 7);
        receive(BlockLayout.MESSAGES, 0, 3, 36);
        message(0, 99, 1);
        receive(BlockLayout.PUSHED, 0, 1, 12);

        Inbox inbox = context.channels.get(0).inbox(1);
        assertThat(inbox.value(3)).isEqualTo(17);
        assertThat(inbox.value(99)).isEqualTo(6);
        receiver.messages().await(1, 3, new StopSign(), ReceivingRun.CONNECTED);
    }

    @Test
    void countsMessagesForTheSuperstepThatReceivesThem() {
        StopSign stop = new StopSign();
        receiver.enter(1);

        message(0, 3, 10);
        receive(2, BlockLayout.MESSAGES, 0, 1, 12); // of a fast slave
        CompletableFuture<Void> waiting =
                run.team.start(_ -> receiver.messages().take(1, 1, stop, ReceivingRun.CONNECTED));
        assertThat(waiting).isNotDone();
        message(0, 5, 7);
        receive(1, BlockLayout.MESSAGES, 0, 1, 12); // of a slow one
        waiting.join();

        receiver.messages().take(2, 1, stop, ReceivingRun.CONNECTED);
        assertThat(context.channels.get(0).inbox(1).has(3)).isFalse();
        assertThat(context.channels.get(0).inbox(1).value(5)).isEqualTo(7);
        assertThat(context.channels.get(0).inbox(2).value(3)).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"6", "10", "-1", "2147483647", "-2147483648"})
    void refusesBlocksOfOtherSupersteps(int superstep) {
        receiver.enter(7);
        message(0, 1, 1);

        assertThatThrownBy(() -> receive(superstep, BlockLayout.MESSAGES, 0, 1, 12))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("superstep");
    }

    @Test
    void takesBroadcastsAndMirrors() {
        word(1, 0b101);
        NativeMemory.putLong(block + BlockLayout.HEADER_BYTES + 16, 40);
        NativeMemory.putLong(block + BlockLayout.HEADER_BYTES + 24, 60);
        receive(BlockLayout.PUBLISHED, 0, 1, 32);
        word(0, 8);
        receive(BlockLayout.PUBLISHED, 1, 1, 16);
        word(0, 2);
        NativeMemory.putInt(block + BlockLayout.HEADER_BYTES + 16, 9);
        receive(BlockLayout.MIRROR, 0, 1, 20);
        receive(BlockLayout.DELIVERED, 0, 0, 0);

        Published sums = context.channels.get(0).published(0);
        assertThat(sums.broadcasters.word(1)).isEqualTo(0b101);
        assertThat(sums.value(64)).isEqualTo(40);
        assertThat(sums.value(66)).isEqualTo(60);
        assertThat(context.channels.get(1).published(0).broadcasters.word(0)).isEqualTo(8);
        assertThat((int) context.mirrors.get(0).read(1)).isEqualTo(9);
        assertThat((int) context.mirrors.get(0).read(0)).isEqualTo(-1);
        receiver.deliveries().await(1, 1, new StopSign(), ReceivingRun.CONNECTED);
    }

    private void isRefused(byte kind, int channel, int count, int recordBytes) {
        assertThatThrownBy(() -> receive(kind, channel, count, recordBytes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"2, 12", "0, 12", "1, 11", "-1, -12", "1, 0", "2147483647, 12"})
    void refusesMessagesOfAnotherLength(int count, int bytes) {
        message(0, 1, 1);
        isRefused(BlockLayout.MESSAGES, 0, count, bytes);
        isRefused(BlockLayout.PUSHED, 0, count, bytes);

        assertThat(context.channels.get(0).inbox(1).has(1)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"100", "101", "4294967295", "2147483648"})
    void refusesOrdinalsBeyondTheGraph(long ordinal) {
        message(0, ordinal, 1);

        isRefused(BlockLayout.MESSAGES, 0, 1, 12);
    }

    @Test
    void refusesWordsOutOfRange() {
        for (long word : new long[] {2, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            word(word, 1);
            isRefused(BlockLayout.PUBLISHED, 0, 1, 24);
            isRefused(BlockLayout.MIRROR, 0, 1, 20);
        }
        word(1, 1L << 36);
        isRefused(BlockLayout.PUBLISHED, 0, 1, 24);
        word(0, 0b11);
        isRefused(BlockLayout.PUBLISHED, 0, 1, 24);
        isRefused(BlockLayout.PUBLISHED, 0, 2, 32);
        isRefused(BlockLayout.PUBLISHED, 0, 0, 32);
        isRefused(BlockLayout.PUBLISHED, 0, -1, 32);
        isRefused(BlockLayout.MIRROR, 0, 1, 15);
    }

    @Test
    void refusesUnknownKindsAndChannels() {
        message(0, 1, 1);
        isRefused((byte) 99, 0, 0, 0);
        isRefused((byte) 0, 0, 0, 0);
        isRefused(BlockLayout.MESSAGES, 2, 1, 12);
        isRefused(BlockLayout.PUSHED, BlockLayout.MAX_CHANNEL, 1, 12);
        isRefused(BlockLayout.PUBLISHED, 2, 0, 0);
        isRefused(BlockLayout.MIRROR, 1, 0, 0);
        isRefused(BlockLayout.DELIVERED, 0, 0, -8);
    }
}
