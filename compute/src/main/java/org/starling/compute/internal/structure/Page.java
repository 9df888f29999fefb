package org.starling.compute.internal.structure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * Some entries of a structure, sorted by position and key. As a chunk: a mark, the token, the
 * number of entries, and for each its position, the length of the key, the key, the length of the
 * value, the value; all big-endian. Confined to one thread.
 */
final class Page {
    /** A page that becomes larger is cut in two. */
    static final int MAX_BYTES = 128 << 10;

    /** With which pages, and roots, begin; behind it the token. */
    static final int MARK = 0x5350_4731;

    /** Mark, token and a number of entries. */
    static final int HEADER = 2 * Integer.BYTES + Long.BYTES;

    private static final int ENTRY = Long.BYTES + 2 * Integer.BYTES;

    /** An entry: where, by which key, what. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(long position, byte[] key, byte[] value) {
        int bytes() {
            return ENTRY + key.length + value.length;
        }
    }

    private final ArrayList<Entry> entries = new ArrayList<>();
    private int bytes = HEADER;

    Page() {}

    private Page(List<Entry> some) {
        some.forEach(this::append);
    }

    private void append(Entry entry) {
        entries.add(entry);
        bytes += entry.bytes();
    }

    static Page read(byte[] chunk, long token) {
        ByteBuffer in = ByteBuffer.wrap(chunk);
        if (!isOf(chunk, token)) {
            throw new StoreException("a page of a structure is not there any more");
        }
        int count = in.position(HEADER - Integer.BYTES).getInt();
        Page page = new Page();
        for (int i = 0; i < count; i++) {
            page.append(new Entry(in.getLong(), bytes(in), bytes(in)));
        }
        return page;
    }

    /** Whether a chunk is the one that was written with a token. */
    static boolean isOf(byte[] chunk, long token) {
        ByteBuffer in = ByteBuffer.wrap(chunk);
        return chunk.length >= HEADER && in.getInt() == MARK && in.getLong() == token;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    byte[] write(long token) {
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.putInt(MARK).putLong(token).putInt(entries.size());
        for (Entry entry : entries) {
            out.putLong(entry.position).putInt(entry.key.length).put(entry.key);
            out.putInt(entry.value.length).put(entry.value);
        }
        return out.array();
    }

    List<Entry> entries() {
        return entries;
    }

    int count() {
        return entries.size();
    }

    int bytes() {
        return bytes;
    }

    byte @Nullable [] get(long position, byte[] key) {
        int index = find(position, key);
        return index < 0 ? null : entries.get(index).value;
    }

    /** Whether the key is new. */
    boolean put(long position, byte[] key, byte[] value) {
        Entry entry = new Entry(position, key, value);
        int index = find(position, key);
        bytes += entry.bytes();
        if (index < 0) {
            entries.add(-index - 1, entry);
            return true;
        }
        bytes -= entries.set(index, entry).bytes();
        return false;
    }

    boolean remove(long position, byte[] key) {
        int index = find(position, key);
        if (index >= 0) {
            bytes -= entries.remove(index).bytes();
        }
        return index >= 0;
    }

    /**
     * Takes the end of a page that is too large away, as a page of its own that begins with another
     * position; null if there is no place to cut.
     *
     * @param atEnd whether entries come in order: then what is there stays full
     */
    @Nullable Page cut(boolean atEnd) {
        int middle = atEnd ? entries.size() - 1 : half();
        int index = middle;
        while (index > 0 && entries.get(index - 1).position == entries.get(index).position) {
            index--;
        }
        if (index == 0) {
            index = middle;
            while (index < entries.size()
                    && entries.get(index).position == entries.get(0).position) {
                index++;
            }
        }
        if (index <= 0 || index >= entries.size()) {
            return null;
        }
        List<Entry> tail = entries.subList(index, entries.size());
        Page end = new Page(tail);
        bytes -= end.bytes - HEADER;
        tail.clear();
        return end;
    }

    private int half() {
        int sum = HEADER;
        int index = 0;
        while (index < entries.size() - 1 && sum < bytes / 2) {
            sum += entries.get(index++).bytes();
        }
        return index;
    }

    private int find(long position, byte[] key) {
        int low = 0;
        int high = entries.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Entry at = entries.get(middle);
            int order = Long.compareUnsigned(at.position, position);
            order = order == 0 ? Arrays.compare(at.key, key) : order;
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
