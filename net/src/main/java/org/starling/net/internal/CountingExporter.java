package org.starling.net.internal;

import org.starling.net.Exporter;

/**
 * Counts the bytes a message will take. Confined to one thread; the first of the two passes over a
 * message.
 */
final class CountingExporter implements Exporter {

    private long bytes;

    void reset() {
        bytes = 0;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void writeBoolean(boolean value) {
        bytes += 1;
    }

    @Override
    public void writeByte(byte value) {
        bytes += 1;
    }

    @Override
    public void writeInt(int value) {
        bytes += 4;
    }

    @Override
    public void writeLong(long value) {
        bytes += 8;
    }

    @Override
    public void writeDouble(double value) {
        bytes += 8;
    }

    @Override
    public void writeCompactInt(int value) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
        bytes += (bits + 6) / 7;
    }

    @Override
    public void writeString(String value) {
        int count = Utf8.bytes(value);
        writeCompactInt(count);
        bytes += count;
    }

    @Override
    public void writeBytes(byte[] value) {
        array(value.length, 1);
    }

    @Override
    public void writeInts(int[] value) {
        array(value.length, 4);
    }

    @Override
    public void writeLongs(long[] value) {
        array(value.length, 8);
    }

    private void array(int count, int elementBytes) {
        writeCompactInt(count);
        bytes += (long) count * elementBytes;
    }
}
