package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.starling.compute.internal.run.Outbox;
import org.starling.graph.TextId;
import org.starling.net.NativeMemory;

/**
 * Texts of one slave on their way to another one, which may be longer than a block: each goes in
 * parts, one behind the other. What has come is a list, in the order in which it was sent. Filled
 * by the thread that receives from that slave; read when everybody has sent everything.
 *
 * <pre>
 *   0        8        12       16      20
 *   +--------+--------+--------+-------+-------+
 *   | number | length | offset | bytes | UTF-8 |
 *   +--------+--------+--------+-------+-------+
 *     long     int      int      int
 * </pre>
 */
final class TextParts {
    private static final int HEADER_BYTES = Long.BYTES + 3 * Integer.BYTES;
    private static final int MOST_BYTES = 8 << 10;

    private final TextStore store;
    private final LongArrayList numbers = new LongArrayList();
    private final LongArrayList texts = new LongArrayList();

    /** Bytes of the last text that have come, and all that it has. */
    private int come;

    private int length;

    TextParts(Slabs slabs) {
        this.store = new TextStore(slabs);
    }

    /** Sends a text. */
    static void send(Outbox outbox, byte kind, long number, long text) {
        int length = StringIndex.length(text);
        int offset = 0;
        do {
            int bytes = Math.min(MOST_BYTES, length - offset);
            long to = outbox.record(kind, 0, 0, HEADER_BYTES + bytes);
            NativeMemory.putLong(to, number);
            NativeMemory.putInt(to + 8, length);
            NativeMemory.putInt(to + 12, offset);
            NativeMemory.putInt(to + 16, bytes);
            NativeMemory.copy(text + StringIndex.HEADER_BYTES + offset, to + HEADER_BYTES, bytes);
            offset += bytes;
        } while (offset < length);
    }

    /** Takes a block. */
    void take(long records, long end, int count) {
        long at = records;
        for (int i = 0; i < count; i++) {
            Exchange.check(at + HEADER_BYTES <= end);
            int all = NativeMemory.getInt(at + 8);
            int offset = NativeMemory.getInt(at + 12);
            int bytes = NativeMemory.getInt(at + 16);
            Exchange.check(bytes > 0 && bytes <= end - at - HEADER_BYTES);
            if (offset == 0) {
                Exchange.check(come == length && all > 0 && all <= TextId.MAX_BYTES);
                numbers.add(NativeMemory.getLong(at));
                texts.add(store.add(all));
                length = all;
                come = 0;
            }
            Exchange.check(offset == come && all == length && bytes <= length - come);
            NativeMemory.copy(
                    at + HEADER_BYTES,
                    texts.getLong(texts.size() - 1) + StringIndex.HEADER_BYTES + offset,
                    bytes);
            come += bytes;
            at += HEADER_BYTES + bytes;
        }
        Exchange.check(at == end);
    }

    /** Adds a text that did not travel. */
    void add(long number, long text) {
        numbers.add(number);
        texts.add(text);
    }

    int size() {
        return texts.size();
    }

    /** The number that was sent with a text. */
    long number(int index) {
        return numbers.getLong(index);
    }

    /** Where a text stands. */
    long text(int index) {
        return texts.getLong(index);
    }
}
