package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.net.NativeMemory;

/**
 * Takes blocks of a run apart. Runs on the receiving thread, block by block in the order in which a
 * node sent them; workers may be delivering into the same inboxes at the same time.
 *
 * <p>Counts and ordinals come from outside and are checked before memory is touched: a bad one is
 * an {@link IllegalArgumentException}, which closes the connection.
 */
final class BlockReceiver {
    private final RunContext context;
    private final Arrivals messages = new Arrivals();
    private final Arrivals deliveries = new Arrivals();
    private final long vertices;
    private final long words;

    /** The last superstep that this slave has begun; written by the control thread. */
    private volatile int superstep;

    BlockReceiver(RunContext context) {
        this.context = context;
        this.vertices = context.graph.shards().vertices();
        this.words = Bitmap.words(vertices);
    }

    /** Published by {@link #deliveries}; for good, as the run ends of it. */
    private volatile boolean isAbandoned;

    /** This slave begins a superstep. */
    void enter(int begun) {
        superstep = begun;
    }

    /** Records of direct messages, by the superstep that receives them. */
    Arrivals messages() {
        return messages;
    }

    /** Ends of deliveries, by superstep. */
    Arrivals deliveries() {
        return deliveries;
    }

    /** Whether another slave has failed before it had told all that it had to tell. */
    boolean isAbandoned() {
        return isAbandoned;
    }

    /** Takes a block. */
    void on(long address, int bytes) {
        check(bytes >= BlockLayout.HEADER_BYTES, "length");
        int superstep = checkedSuperstep(address);
        int index = BlockLayout.channel(address);
        int count = BlockLayout.count(address);
        long records = address + BlockLayout.HEADER_BYTES;
        long end = address + bytes;
        check(count >= 0, "count");
        switch (BlockLayout.kind(address)) {
            case BlockLayout.MESSAGES -> {
                deliver(channel(index), superstep, records, end, count);
                messages.add(superstep, count);
            }
            case BlockLayout.RECORDS -> {
                check(index < context.records.size(), "channel");
                take(context.records.get(index), superstep, records, end, count);
                messages.add(superstep, count);
            }
            case BlockLayout.PUSHED -> deliver(channel(index), superstep, records, end, count);
            case BlockLayout.PUBLISHED -> publish(channel(index), superstep, records, end, count);
            case BlockLayout.MIRROR -> {
                check(index < context.mirrors.size(), "mirror");
                mirror(context.mirrors.get(index), records, end, count);
            }
            case BlockLayout.DELIVERED -> deliveries.add(superstep, 1);
            case BlockLayout.ABANDONED -> {
                isAbandoned = true;
                deliveries.add(superstep, 1);
            }
            default ->
                    throw new IllegalArgumentException(
                            "block of unknown kind " + BlockLayout.kind(address));
        }
    }

    /**
     * Who is a superstep ahead, as its command has come earlier there, sends for the next one but
     * one; nobody can be further ahead, or behind.
     */
    private int checkedSuperstep(long address) {
        int sent = BlockLayout.superstep(address);
        int ahead = sent - superstep;
        check(ahead >= 0 && ahead <= 2, "superstep");
        return sent;
    }

    private Channel channel(int index) {
        check(index < context.channels.size(), "channel");
        return context.channels.get(index);
    }

    private void deliver(Channel channel, int superstep, long records, long end, int count) {
        MessageRecords layout = channel.messages();
        check((long) count * layout.bytes() == end - records, "length of messages");
        Inbox inbox = channel.inbox(superstep);
        for (long at = records; at < end; at += layout.bytes()) {
            long ordinal = layout.ordinal(at);
            check(ordinal >= 0 && ordinal < vertices, "ordinal");
            inbox.deliver(ordinal, layout.value(at));
        }
    }

    private void take(RecordStream stream, int superstep, long records, long end, int count) {
        RecordFormat format = stream.format();
        check((long) count * format.bytes() == end - records, "length of messages");
        for (long at = records; at < end; at += format.bytes()) {
            long receiver = format.receiver(at);
            check(receiver >= 0 && receiver < vertices, "ordinal");
            check(context.graph.shards().ownerOf(receiver) == context.node.node(), "receiver");
            long sender = format.sender(at);
            check(sender >= 0 && sender < vertices, "sender");
        }
        stream.inbox(superstep).take(records, end - records);
    }

    private void publish(Channel channel, int superstep, long records, long end, int count) {
        Published published = channel.published(superstep - 1);
        int width = channel.op().broadcastBytes();
        long at = records;
        for (int i = 0; i < count; i++) {
            long word = checkedWord(at, end, width);
            long bits = NativeMemory.getLong(at + 8);
            at += 16;
            published.broadcasters.addWord(word, bits);
            if (width > 0) {
                for (long rest = bits; rest != 0; rest &= rest - 1) {
                    long ordinal = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
                    ColumnType.store(
                            published.values + ordinal * width, width, ColumnType.load(at, width));
                    at += width;
                }
            }
        }
        check(at == end, "length of broadcasts");
    }

    private void mirror(Mirror mirror, long records, long end, int count) {
        int width = mirror.width();
        long at = records;
        for (int i = 0; i < count; i++) {
            long word = checkedWord(at, end, width);
            long bits = NativeMemory.getLong(at + 8);
            at += 16;
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                mirror.apply(
                        (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest),
                        ColumnType.load(at, width));
                at += width;
            }
        }
        check(at == end, "length of mirrored values");
    }

    private long checkedWord(long at, long end, int width) {
        check(at + 16 <= end, "length of a word");
        long word = NativeMemory.getLong(at);
        long bits = NativeMemory.getLong(at + 8);
        check(word >= 0 && word < words, "word");
        check((bits & ~Bitmap.maskBelow(word, vertices)) == 0, "bits beyond the last vertex");
        check(at + 16 + (long) Long.bitCount(bits) * width <= end, "length of values");
        return word;
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("a block from another slave has a wrong " + what);
        }
    }
}
