package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.starling.net.NativeMemory;

/**
 * A piece of a graph's dictionary of ids that are texts, as it lies in a chunk: texts in ascending
 * order, in blocks of {@value #BLOCK_TEXTS}, each but the first of a block without what it has in
 * common with the one before it.
 *
 * <pre>
 *   0   4                    4 (b + 2)
 *   +---+---------------------+------------------------------+
 *   | n | start 0 … start b   | block 0, block 1, … block b-1 |
 *   +---+---------------------+------------------------------+
 *    int  int each
 *
 *   text:  +---------------+-----------+---------+----------------+
 *          | shared | rest | shared-15 | rest-15 | the rest, UTF-8 |
 *          +---------------+-----------+---------+----------------+
 *           4 bits    4     if shared   if rest
 *                           is 15       is 15
 * </pre>
 *
 * Starts count bytes from the first block on; the last one is where blocks end. {@code shared} is
 * the number of bytes that a text has in common with the one before it, {@code rest} that of the
 * others; 15 says that a number follows, less 15, in groups of seven bits, the lowest first, each
 * but the last with its highest bit set. The order is that of bytes read unsigned, which is that of
 * code points. Numbers are little-endian.
 */
public final class TextIdsLayout {
    /** Texts of a block; the last one may have fewer. */
    public static final int BLOCK_TEXTS = 16;

    private static final int LARGE = 15;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 1 << GROUP_BITS;

    private TextIdsLayout() {}

    /** Texts in ascending order, different ones. */
    public interface Texts {
        /** How many there are. */
        int size();

        /** Where the bytes of one stand. */
        long address(int index);

        /** How many bytes it has. */
        int bytes(int index);
    }

    /** Bytes of a chunk with these texts. */
    public static long bytes(Texts texts) {
        long bytes = blocks(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            int shared = shared(texts, i);
            int rest = texts.bytes(i) - shared;
            bytes += 1L + numberBytes(shared) + numberBytes(rest) + rest;
        }
        return bytes;
    }

    /** Writes them. */
    public static void write(long chunk, Texts texts) {
        int size = texts.size();
        NativeMemory.putInt(chunk, size);
        long first = chunk + blocks(size);
        long at = first;
        for (int i = 0; i < size; i++) {
            if (i % BLOCK_TEXTS == 0) {
                NativeMemory.putInt(startAt(chunk, i / BLOCK_TEXTS), (int) (at - first));
            }
            int shared = shared(texts, i);
            int rest = texts.bytes(i) - shared;
            NativeMemory.putByte(
                    at++, (byte) (Math.min(LARGE, shared) << 4 | Math.min(LARGE, rest)));
            at = writeNumber(at, shared);
            at = writeNumber(at, rest);
            NativeMemory.copy(texts.address(i) + shared, at, rest);
            at += rest;
        }
        NativeMemory.putInt(startAt(chunk, blockCount(size)), (int) (at - first));
    }

    /** How many texts a chunk has. */
    public static int size(long chunk) {
        return NativeMemory.getInt(chunk);
    }

    /** Text of an index. */
    public static String text(long chunk, int index) {
        Reader reader = new Reader(chunk);
        reader.moveTo(Objects.checkIndex(index, size(chunk)));
        return reader.text();
    }

    /** Index of a text, or -1 if the chunk does not have it. */
    public static int find(long chunk, byte[] utf8) {
        int index = atLeast(chunk, utf8);
        if (index == size(chunk)) {
            return -1;
        }
        Reader reader = new Reader(chunk);
        reader.moveTo(index);
        return reader.compareTo(MemorySegment.ofArray(utf8)) == 0 ? index : -1;
    }

    /** Index of the first text that is no less than this one; the number of texts if none is. */
    public static int atLeast(long chunk, byte[] utf8) {
        MemorySegment wanted = MemorySegment.ofArray(utf8);
        Reader reader = new Reader(chunk);
        int size = size(chunk);
        long atLeast = // blocks before it begin with less
                Search.first(
                        0,
                        blockCount(size),
                        block -> {
                            reader.moveTo((int) block * BLOCK_TEXTS);
                            return reader.compareTo(wanted) >= 0;
                        });
        int end = (int) Math.min(size, atLeast * BLOCK_TEXTS);
        int index = (int) Math.max(0, atLeast - 1) * BLOCK_TEXTS;
        if (index < end) {
            reader.moveTo(index);
            while (index < end && reader.compareTo(wanted) < 0) {
                index++;
                if (index < end) {
                    reader.next();
                }
            }
        }
        return index;
    }

    /** Goes along the texts of a chunk. Confined to one thread. */
    public static final class Reader {
        private final long chunk;
        private final long blocks;
        private byte[] bytes = new byte[64];
        private int length;
        private int index;
        private long next;

        /** Stands on no text before it is moved. */
        public Reader(long chunk) {
            this.chunk = chunk;
            this.blocks = chunk + TextIdsLayout.blocks(size(chunk));
            this.index = -1;
            this.next = blocks;
        }

        /** Moves to a text; cheap if that is not far behind the last one. */
        public void moveTo(int wanted) {
            if (wanted < index || wanted / BLOCK_TEXTS != index / BLOCK_TEXTS || index < 0) {
                int block = wanted / BLOCK_TEXTS;
                next = blocks + NativeMemory.getInt(startAt(chunk, block));
                index = block * BLOCK_TEXTS - 1;
            }
            while (index < wanted) {
                next();
            }
        }

        /** Moves to the next text. */
        public void next() {
            int head = NativeMemory.getByte(next++) & 0xFF;
            int shared = head >>> 4;
            int rest = head & LARGE;
            if (shared == LARGE) {
                shared += readNumber();
            }
            if (rest == LARGE) {
                rest += readNumber();
            }
            length = shared + rest;
            if (length > bytes.length) {
                byte[] more = new byte[Math.max(length, 2 * bytes.length)];
                System.arraycopy(bytes, 0, more, 0, shared);
                bytes = more;
            }
            NativeMemory.copyToArray(next, bytes, shared, rest);
            next += rest;
            index++;
        }

        /** The text on which it stands. */
        public String text() {
            return new String(bytes, 0, length, StandardCharsets.UTF_8);
        }

        /** Compares the text on which it stands with another one. */
        int compareTo(MemorySegment other) {
            return StringsLayout.compare(MemorySegment.ofArray(bytes).asSlice(0, length), other);
        }

        private int readNumber() {
            int number = 0;
            int shift = 0;
            int group;
            do {
                group = NativeMemory.getByte(next++) & 0xFF;
                number |= (group & (MORE - 1)) << shift;
                shift += GROUP_BITS;
            } while (group >= MORE);
            return number;
        }
    }

    private static int shared(Texts texts, int index) {
        if (index % BLOCK_TEXTS == 0) {
            return 0;
        }
        long before = texts.address(index - 1);
        long here = texts.address(index);
        int most = Math.min(texts.bytes(index - 1), texts.bytes(index));
        int shared = 0;
        while (shared < most
                && NativeMemory.getByte(before + shared) == NativeMemory.getByte(here + shared)) {
            shared++;
        }
        return shared;
    }

    private static int numberBytes(int number) {
        int bytes = 0;
        if (number >= LARGE) {
            int left = number - LARGE;
            do {
                bytes++;
                left >>>= GROUP_BITS;
            } while (left > 0);
        }
        return bytes;
    }

    private static long writeNumber(long at, int number) {
        long to = at;
        if (number >= LARGE) {
            int left = number - LARGE;
            do {
                int group = left & (MORE - 1);
                left >>>= GROUP_BITS;
                NativeMemory.putByte(to++, (byte) (left > 0 ? group | MORE : group));
            } while (left > 0);
        }
        return to;
    }

    private static int blockCount(int size) {
        return Math.ceilDiv(size, BLOCK_TEXTS);
    }

    private static long startAt(long chunk, int block) {
        return chunk + Integer.BYTES * (1L + block);
    }

    private static long blocks(int size) {
        return Integer.BYTES * (blockCount(size) + 2L);
    }
}
