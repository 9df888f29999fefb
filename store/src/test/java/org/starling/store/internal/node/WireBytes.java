package org.starling.store.internal.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;

/**
 * The bytes of one message in a buffer, for tests that cut and forge them: 4-byte lengths, checked
 * against what remains as the contract of {@link Importer} asks. Not the format of the network.
 */
final class WireBytes implements Exporter, Importer {
    private ByteBuffer bytes;

    /** Empty, to be written. */
    WireBytes() {
        bytes = ByteBuffer.allocate(64);
    }

    /** To be read. */
    WireBytes(byte[] all) {
        bytes = ByteBuffer.wrap(all);
    }

    byte[] written() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    // write

    private ByteBuffer room(int count) {
        if (bytes.remaining() < count) {
            int longer = Math.max(2 * bytes.capacity(), bytes.position() + count);
            bytes = ByteBuffer.allocate(longer).put(bytes.flip());
        }
        return bytes;
    }

    @Override
    public void writeBoolean(boolean value) {
        writeByte((byte) (value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) {
        room(Byte.BYTES).put(value);
    }

    @Override
    public void writeInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    @Override
    public void writeLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    @Override
    public void writeDouble(double value) {
        room(Double.BYTES).putDouble(value);
    }

    @Override
    public void writeCompactInt(int value) {
        writeInt(value);
    }

    @Override
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void writeBytes(byte[] value) {
        writeInt(value.length);
        room(value.length).put(value);
    }

    @Override
    public void writeInts(int[] value) {
        writeInt(value.length);
        for (int each : value) {
            writeInt(each);
        }
    }

    @Override
    public void writeLongs(long[] value) {
        writeInt(value.length);
        for (long each : value) {
            writeLong(each);
        }
    }

    // read

    private ByteBuffer need(long count) {
        if (bytes.remaining() < count) {
            throw new MalformedMessageException("message ends too early");
        }
        return bytes;
    }

    @Override
    public boolean readBoolean() {
        return readByte() != 0;
    }

    @Override
    public byte readByte() {
        return need(Byte.BYTES).get();
    }

    @Override
    public int readInt() {
        return need(Integer.BYTES).getInt();
    }

    @Override
    public long readLong() {
        return need(Long.BYTES).getLong();
    }

    @Override
    public double readDouble() {
        return need(Double.BYTES).getDouble();
    }

    @Override
    public int readCompactInt() {
        return readInt();
    }

    @Override
    public String readString() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public byte[] readBytes() {
        byte[] value = new byte[readLength(1)];
        bytes.get(value);
        return value;
    }

    @Override
    public int[] readInts() {
        int[] value = new int[readLength(Integer.BYTES)];
        Arrays.setAll(value, i -> bytes.getInt());
        return value;
    }

    @Override
    public long[] readLongs() {
        long[] value = new long[readLength(Long.BYTES)];
        Arrays.setAll(value, i -> bytes.getLong());
        return value;
    }

    @Override
    public int readLength(int elementBytes) {
        int count = readInt();
        if (count < 0) {
            throw new MalformedMessageException("negative length " + count);
        }
        need((long) count * elementBytes);
        return count;
    }

    @Override
    public int remaining() {
        return bytes.remaining();
    }
}
