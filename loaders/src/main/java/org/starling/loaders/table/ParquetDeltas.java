package org.starling.loaders.table;

/**
 * Whole numbers of 32 or 64 bits as differences from one to the next (DELTA_BINARY_PACKED): a
 * header, then blocks, each with the least difference and, of some miniblocks, how many bits what
 * is above it takes. Confined to one thread.
 *
 * <pre>
 *   header: numbers of a block | miniblocks of a block | numbers in all | first number
 *   block:  least difference | width of each miniblock, 1 | miniblocks
 * </pre>
 */
final class ParquetDeltas {
    private static final long MAX_BLOCK = 1 << 20;

    private final byte[] bytes;
    private final int perMiniblock;
    private final int[] widths;
    private int at;
    private long left;
    private long number;
    private boolean isFirst = true;
    private long least;
    private int miniblock;
    private int miniblockLeft;
    private long bit;

    /**
     * Numbers of some bytes.
     *
     * @param most how many there can be: those whose differences are equal take no room
     */
    ParquetDeltas(byte[] bytes, int begin, long most) {
        this.bytes = bytes;
        this.at = begin;
        long block = varint();
        long miniblocks = varint();
        left = varint();
        number = zigzag();
        if (block < 1
                || block > MAX_BLOCK
                || miniblocks < 1
                || block % miniblocks != 0
                || block / miniblocks % Byte.SIZE != 0
                || left < 0
                || left > most) {
            throw new MalformedTableException(
                    "blocks of %d differences in %d parts, of %d numbers"
                            .formatted(block, miniblocks, left));
        }
        widths = new int[(int) miniblocks];
        perMiniblock = (int) (block / miniblocks);
        miniblock = widths.length;
    }

    /** Where numbers end that begin there; what follows them may be others. */
    static int end(byte[] bytes, int begin, long most) {
        ParquetDeltas numbers = new ParquetDeltas(bytes, begin, most);
        while (numbers.left > 0) {
            numbers.next();
        }
        return numbers.at;
    }

    /** The next number. */
    long next() {
        if (left == 0) {
            throw ParquetValues.ended();
        }
        left--;
        if (isFirst) {
            isFirst = false;
            return number;
        }
        if (miniblockLeft == 0) {
            beginMiniblock();
        }
        miniblockLeft--;
        number += least + above(widths[miniblock - 1]);
        return number;
    }

    private void beginMiniblock() {
        if (miniblock == widths.length) {
            least = zigzag();
            for (int i = 0; i < widths.length; i++) {
                widths[i] = oneByte();
            }
            miniblock = 0;
        }
        int width = widths[miniblock++];
        long size = (long) perMiniblock * width / Byte.SIZE;
        if (width > Long.SIZE || size > bytes.length - at) {
            throw ParquetValues.ended();
        }
        bit = (long) at * Byte.SIZE;
        at += (int) size; // also of the last one, which is as long as the others
        miniblockLeft = perMiniblock;
    }

    private long above(int width) {
        long value = 0;
        int done = 0;
        while (done < width) {
            int from = (int) (bit & 7);
            int some = Math.min(width - done, Byte.SIZE - from);
            long part = (bytes[(int) (bit >>> 3)] & 0xFFL) >>> from & ((1L << some) - 1);
            value |= part << done;
            done += some;
            bit += some;
        }
        return value;
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int one = oneByte();
            value |= (long) (one & 0x7F) << shift;
            if (one < 0x80) {
                return value;
            }
        }
        throw new MalformedTableException("a number does not end");
    }

    private int oneByte() {
        if (at >= bytes.length) {
            throw ParquetValues.ended();
        }
        return bytes[at++] & 0xFF;
    }
}
