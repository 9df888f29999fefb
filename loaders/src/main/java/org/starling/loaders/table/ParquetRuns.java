package org.starling.loaders.table;

/**
 * Numbers of few bits, in runs of equal ones and groups of eight that are packed one behind the
 * other. Confined to one thread.
 */
final class ParquetRuns {
    private static final int GROUP = 8;

    private final byte[] bytes;
    private final int end;
    private final int width;
    private int at;
    private long runLeft;
    private boolean isPacked;
    private int repeated;
    private long bit;

    /**
     * Numbers of some bytes.
     *
     * @param width bits of a number, up to 32
     */
    ParquetRuns(byte[] bytes, int begin, int end, int width) {
        if (width < 0 || width > Integer.SIZE) {
            throw new MalformedTableException("numbers of %d bits".formatted(width));
        }
        this.bytes = bytes;
        this.at = begin;
        this.end = end;
        this.width = width;
    }

    int next() {
        while (runLeft == 0) {
            begin();
        }
        runLeft--;
        if (!isPacked) {
            return repeated;
        }
        long value = 0;
        for (int i = 0; i < width; i++, bit++) {
            int from = (int) (bit >>> 3);
            value |= (long) (bytes[from] >>> (bit & 7) & 1) << i;
        }
        return (int) value;
    }

    private void begin() {
        long head = varint();
        isPacked = (head & 1) != 0;
        long count = head >>> 1;
        if (!isPacked) {
            runLeft = count;
            repeated = 0;
            for (int i = 0; i * Byte.SIZE < width; i++) {
                repeated |= (nextByte() & 0xFF) << (i * Byte.SIZE);
            }
            return;
        }
        bit = (long) at * Byte.SIZE;
        if (width == 0 || count * width <= end - at) {
            runLeft = count * GROUP;
            at += (int) (count * width);
        } else { // the last group may be cut where the values end
            runLeft = (long) (end - at) * Byte.SIZE / width;
            at = end;
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Integer.SIZE + 7; shift += 7) {
            byte one = nextByte();
            value |= (long) (one & 0x7F) << shift;
            if (one >= 0) {
                return value;
            }
        }
        throw new MalformedTableException("the length of a run does not end");
    }

    private byte nextByte() {
        if (at >= end) {
            throw new MalformedTableException("a page ends before its values do");
        }
        return bytes[at++];
    }
}
