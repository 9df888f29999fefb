package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;

/** Messages that are not combined, from many threads into the lists of their receivers. */
final class RecordInboxTest {
    private static final RecordFormat FORMAT = new RecordFormat(4, 8);
    private static final int VERTICES = 200;
    private static final ShardTable SHARDS =
            new ShardTable(new long[] {0, 128, VERTICES}, new int[] {1, 1});

    private final long before = NativeMemory.reservedBytes();
    private ZeroedMemory zeroed;

    @BeforeEach
    void open() {
        zeroed = new ZeroedMemory();
    }

    @AfterEach
    void close() {
        zeroed.close();
        assertThat(NativeMemory.reservedBytes()).as("native memory left").isEqualTo(before);
    }

    private static void write(long at, long receiver, long sender, int number) {
        FORMAT.writeReceiver(at, receiver);
        FORMAT.writeSender(at, sender);
        FORMAT.writeNumber(at, number);
        NativeMemory.putLong(at + FORMAT.fields(), sender * 1000 + number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 24, 25, 26, 1_000})
    void bringsMessagesIntoOrderHoweverTheyCame(int count) {
        long seed = 77L + count;
        List<Long> places = new ArrayList<>();
        long bytes = (long) count * FORMAT.bytes();
        long messages = NativeMemory.reserve(bytes);
        long list = NativeMemory.reserve(8L * count);
        for (int i = 0; i < count; i++) {
            long at = messages + (long) i * FORMAT.bytes();
            write(at, 0, i / 3, i); // ascending where they lie
            places.add(at);
        }
        List<Long> expected = List.copyOf(places);
        Collections.shuffle(places, new Random(seed));
        for (int i = 0; i < count; i++) {
            NativeMemory.putLong(list + 8L * i, places.get(i));
        }

        RecordOrder.sort(FORMAT, list, count);

        List<Long> sorted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sorted.add(NativeMemory.getLong(list + 8L * i));
        }
        NativeMemory.release(messages, bytes);
        NativeMemory.release(list, 8L * count);
        assertThat(sorted).as("seed %d", seed).isEqualTo(expected);
    }

    @Test
    void listsWhatManyThreadsSend() throws InterruptedException {
        RecordMemory memory = new RecordMemory(1, Long.MAX_VALUE);
        RecordInbox inbox = new RecordInbox(FORMAT, SHARDS, memory, zeroed);
        int senders = 4;
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int s = 0; s < senders; s++) {
            int sender = s;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                RecordInbox.Appender appender = inbox.new Appender();
                                for (int i = 0; i < each; i++) {
                                    write(appender.append(i % VERTICES), i % VERTICES, sender, i);
                                }
                                appender.flush();
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        list(inbox);
        list(inbox); // a checkpoint that failed has listed them before

        for (int v = 0; v < VERTICES; v++) {
            assertThat(inbox.count(v)).isEqualTo(senders * each / VERTICES);
            long at = inbox.order(SHARDS.shardOf(v), v);
            for (int s = 0; s < senders; s++) {
                for (int i = v; i < each; i += VERTICES, at += 8) {
                    long message = NativeMemory.getLong(at);
                    assertThat(FORMAT.receiver(message)).isEqualTo(v);
                    assertThat(NativeMemory.getLong(message + FORMAT.fields()))
                            .isEqualTo(s * 1000L + i);
                }
            }
        }
        inbox.clear(0);
        inbox.clear(1);
        inbox.giveBlocks();
        assertThat(inbox.blocks()).isZero();
        assertThat(inbox.receivers.next(0, VERTICES)).isEqualTo(-1);
        inbox.close();
        memory.close();
    }

    private static void list(RecordInbox inbox) {
        int blocks = inbox.blocks();
        for (int shard = 0; shard < SHARDS.count(); shard++) {
            inbox.place(shard);
        }
        for (int block = 0; block < blocks; block++) {
            inbox.enter(block);
        }
    }

    @Test
    void refusesToTakeMoreMemoryThanThereIsForIt() {
        RecordMemory memory = new RecordMemory(7, 3L * RecordMemory.BLOCK_BYTES);
        RecordInbox inbox = new RecordInbox(FORMAT, SHARDS, memory, zeroed);
        RecordInbox.Appender appender = inbox.new Appender();

        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 20_000; i++) {
                                write(appender.append(5), 5, 6, i);
                            }
                        })
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "messages that are not combined need more than the 0 MiB of memory that node 7"
                                + " has left for them; send fewer or smaller ones in a superstep,"
                                + " combine them, or let more peers compute");
        appender.flush();
        inbox.close();
        memory.close();
    }

    @Test
    void saysAtTheBarrierThatWhatCameDidNotFit() {
        RecordMemory memory = new RecordMemory(7, RecordMemory.BLOCK_BYTES);
        RecordInbox inbox = new RecordInbox(FORMAT, SHARDS, memory, zeroed);
        int count = RecordMemory.BLOCK_BYTES / FORMAT.bytes();
        long bytes = (long) count * FORMAT.bytes();
        long block = NativeMemory.reserve(bytes);
        for (int i = 0; i < count; i++) {
            write(block + (long) i * FORMAT.bytes(), 3, 4, i);
        }

        assertThatNoException().isThrownBy(() -> inbox.take(block, bytes));
        assertThat(inbox.blocks()).isEqualTo(1);
        assertThatNoException().isThrownBy(() -> inbox.take(block, bytes));
        assertThatThrownBy(inbox::blocks).isInstanceOf(JobFailedException.class);

        NativeMemory.release(block, bytes);
        inbox.close();
        memory.close();
    }
}
