package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.PageMap;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;

/**
 * Messages of a channel that are not combined, for one superstep: blocks in which they stand as
 * they came, and, from the barrier on, a list for each shard of where the messages of each receiver
 * stand.
 *
 * <p>While messages come, from any thread, blocks fill and a word for each own vertex counts. At
 * the barrier counts become places in the shard's list ({@link #place}), then every message is
 * entered at its receiver's next place ({@link #enter}); both can be done again. A receiver's part
 * of the list is brought into order when it is first read ({@link #order}), by the thread that
 * computes the shard.
 *
 * <pre>
 *   word of a vertex:   number of messages (32 bits) | next place (32 bits)
 * </pre>
 */
final class RecordInbox implements AutoCloseable {
    private static final int COUNT_SHIFT = 32;
    private static final long ONE_MORE = 1L << COUNT_SHIFT;

    /** A block that is full, or will not be filled. */
    private record Block(long address, int used) {}

    private final RecordFormat format;
    private final ShardTable shards;
    private final RecordMemory memory;
    private final ZeroedMemory zeroed;
    private final long wordsBytes;
    private final long words;
    final VertexSet receivers;

    /** Where messages of each shard stand; written by one worker each. */
    private final long[] lists;

    private final int[] listed;

    /** Guarded by this. */
    private final List<Block> blocks = new ArrayList<>();

    private final Appender foreign = new Appender();

    /** Why something that came could not be kept; guarded by this. */
    private @Nullable RuntimeException refused;

    RecordInbox(RecordFormat format, ShardTable shards, RecordMemory memory, ZeroedMemory zeroed) {
        this.format = format;
        this.shards = shards;
        this.memory = memory;
        this.zeroed = zeroed;
        this.wordsBytes = Math.max(1, shards.vertices()) * Long.BYTES;
        this.words = zeroed.take(wordsBytes);
        this.receivers = new VertexSet(shards.vertices(), zeroed);
        this.lists = new long[shards.count()];
        this.listed = new int[shards.count()];
    }

    /** Where one thread appends messages; it keeps a block of its own open. */
    final class Appender {
        private long block;
        private int used;

        /** Room for a message to {@code receiver}, which is counted. */
        long append(long receiver) {
            if (block == 0 || used + format.bytes() > RecordMemory.BLOCK_BYTES) {
                flush();
                block = memory.takeBlock();
            }
            long at = block + used;
            used += format.bytes();
            long word = words + (receiver << 3);
            if (NativeMemory.getAndAddLong(word, ONE_MORE) >>> COUNT_SHIFT == 0) {
                VertexSet.addAtomically(receivers.words, receivers.marks, receiver);
            }
            return at;
        }

        /** Hands the open block in. */
        void flush() {
            if (block != 0) {
                synchronized (RecordInbox.this) {
                    blocks.add(new Block(block, used));
                }
                block = 0;
                used = 0;
            }
        }
    }

    /** Takes messages from elsewhere, whose receivers are own vertices; any thread. */
    synchronized void take(long address, long bytes) {
        if (refused != null) {
            return;
        }
        try {
            for (long at = address; at < address + bytes; at += format.bytes()) {
                NativeMemory.copy(at, foreign.append(format.receiver(at)), format.bytes());
            }
        } catch (JobFailedException e) {
            refused = e;
        }
    }

    /**
     * Number of blocks, when all messages have come.
     *
     * @throws JobFailedException if some of them could not be kept
     */
    synchronized int blocks() {
        foreign.flush();
        if (refused != null) {
            throw refused;
        }
        return blocks.size();
    }

    /** Makes places for the messages of a shard. */
    void place(int shard) {
        dropList(shard);
        long total = 0;
        long endWord = shards.endWord(shard);
        for (long w = receivers.nextWord(shards.firstWord(shard), endWord);
                w < endWord;
                w = receivers.nextWord(w + 1, endWord)) {
            for (long rest = receivers.word(w); rest != 0; rest &= rest - 1) {
                long word = word((w << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest));
                long count = NativeMemory.getLong(word) >>> COUNT_SHIFT;
                NativeMemory.putLong(word, count << COUNT_SHIFT | total);
                total += count;
            }
        }
        if (total > Integer.MAX_VALUE) {
            throw new JobFailedException(
                    total + " messages are on their way to shard " + shard + "; send fewer");
        }
        if (total > 0) {
            lists[shard] = memory.takeList(total * Long.BYTES);
            listed[shard] = (int) total;
        }
    }

    /** Enters the messages of a block into lists. */
    void enter(int index) {
        Block block;
        synchronized (this) {
            block = blocks.get(index);
        }
        for (long at = block.address; at < block.address + block.used; at += format.bytes()) {
            long receiver = format.receiver(at);
            int shard = shards.shardOf(receiver);
            int next = (int) NativeMemory.getAndAddLong(word(receiver), 1);
            long place = Objects.checkIndex(next, listed[shard]);
            NativeMemory.putLong(lists[shard] + (place << 3), at);
        }
    }

    /** Number of messages that an own vertex received. */
    int count(long ordinal) {
        return (int) (NativeMemory.getLong(word(ordinal)) >>> COUNT_SHIFT);
    }

    /** Brings a receiver's messages into order; where the addresses of them stand. */
    long order(int shard, long ordinal) {
        int count = count(ordinal);
        int end = (int) NativeMemory.getLong(word(ordinal));
        long begin = Objects.checkFromToIndex(end - count, end, listed[shard]);
        long first = lists[shard] + (begin << 3);
        RecordOrder.sort(format, first, count);
        return first;
    }

    /** Bytes of all messages of a shard. */
    long bytes(int shard) {
        return (long) listed[shard] * format.bytes();
    }

    /** Copies all messages of a shard, in the order of receivers and, of each, in any. */
    void copyTo(int shard, long address) {
        long to = address;
        for (int i = 0; i < listed[shard]; i++) {
            NativeMemory.copy(
                    NativeMemory.getLong(lists[shard] + ((long) i << 3)), to, format.bytes());
            to += format.bytes();
        }
    }

    /** Forgets who received what in a shard; by the thread that has computed it. */
    void clear(int shard) {
        long endWord = shards.endWord(shard);
        for (long w = receivers.nextWord(shards.firstWord(shard), endWord);
                w < endWord;
                w = receivers.nextWord(w + 1, endWord)) {
            for (long rest = receivers.word(w); rest != 0; rest &= rest - 1) {
                long ordinal = (w << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
                NativeMemory.putLong(word(ordinal), 0);
            }
        }
        receivers.clear(shards.firstWord(shard), endWord);
        dropList(shard);
    }

    /** All shards have been cleared: gives the blocks back. */
    synchronized void giveBlocks() {
        foreign.flush();
        blocks.forEach(block -> memory.giveBlock(block.address));
        blocks.clear();
    }

    /** Bytes of the pages that have been written, blocks and lists not included. */
    long takenBytes() {
        return PageMap.takenBytes(words, wordsBytes) + receivers.takenBytes();
    }

    @Override
    public void close() {
        giveBlocks();
        for (int shard = 0; shard < lists.length; shard++) {
            dropList(shard);
        }
        zeroed.giveBack(words, wordsBytes);
        receivers.close();
    }

    private void dropList(int shard) {
        if (lists[shard] != 0) {
            memory.giveList(lists[shard], (long) listed[shard] * Long.BYTES);
            lists[shard] = 0;
            listed[shard] = 0;
        }
    }

    private long word(long ordinal) {
        return words + (ordinal << 3);
    }
}
