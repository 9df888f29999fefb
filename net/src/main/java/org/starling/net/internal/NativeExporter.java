package org.starling.net.internal;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.NativeMemory;

/**
 * Writes a message to native memory: the second pass. Room that ends early is continued by a {@link
 * Continuation}, which is how a message is cut into fragments. Confined to one thread.
 */
public final class NativeExporter implements Exporter {

    /** Gives an exporter its next room when the present one is full. */
    public interface Continuation {

        /**
         * Called when not a byte of room is left; must call {@link NativeExporter#room} with at
         * least one byte.
         */
        void next(NativeExporter exporter);
    }

    private long position;
    private long limit;
    private @Nullable Continuation continuation;

    /** Sets the room for the next bytes and who gives more of it, if anybody. */
    public void room(long address, long bytes, @Nullable Continuation whenFull) {
        position = address;
        limit = address + bytes;
        continuation = whenFull;
    }

    long remaining() {
        return limit - position;
    }

    public long position() {
        return position;
    }

    @Override
    public void writeBoolean(boolean value) {
        writeByte((byte) (value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) {
        if (position == limit) {
            nextRoom();
        }
        NativeMemory.putByte(position++, value);
    }

    @Override
    public void writeInt(int value) {
        if (limit - position >= 4) {
            NativeMemory.putInt(position, value);
            position += 4;
        } else {
            writeCut(value, 4);
        }
    }

    @Override
    public void writeLong(long value) {
        if (limit - position >= 8) {
            NativeMemory.putLong(position, value);
            position += 8;
        } else {
            writeCut(value, 8);
        }
    }

    @Override
    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public void writeCompactInt(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            writeByte((byte) (rest | 0x80));
            rest >>>= 7;
        }
        writeByte((byte) rest);
    }

    @Override
    public void writeString(String value) {
        int count = Utf8.bytes(value);
        writeCompactInt(count);
        if (count == value.length() && limit - position >= count && Utf8.isAscii(value)) {
            for (int i = 0; i < count; i++) {
                NativeMemory.putByte(position + i, (byte) value.charAt(i));
            }
            position += count;
        } else {
            copyBytes(value.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void writeBytes(byte[] value) {
        writeCompactInt(value.length);
        copyBytes(value);
    }

    @Override
    public void writeInts(int[] value) {
        writeCompactInt(value.length);
        int done = 0;
        while (done < value.length) {
            int whole = wholeElements(value.length - done, Integer.BYTES);
            NativeMemory.copyFromArray(value, done, position, whole);
            position += (long) whole * Integer.BYTES;
            done += whole;
            if (done < value.length) {
                writeInt(value[done++]);
            }
        }
    }

    @Override
    public void writeLongs(long[] value) {
        writeCompactInt(value.length);
        int done = 0;
        while (done < value.length) {
            int whole = wholeElements(value.length - done, Long.BYTES);
            NativeMemory.copyFromArray(value, done, position, whole);
            position += (long) whole * Long.BYTES;
            done += whole;
            if (done < value.length) {
                writeLong(value[done++]);
            }
        }
    }

    /** Writes bytes as they are, without their length. */
    void copy(long address, long count) {
        long done = 0;
        while (done < count) {
            int part = partBytes(count - done);
            NativeMemory.copy(address + done, position, part);
            position += part;
            done += part;
        }
    }

    private void copyBytes(byte[] value) {
        int done = 0;
        while (done < value.length) {
            int part = partBytes(value.length - done);
            NativeMemory.copyFromArray(value, done, position, part);
            position += part;
            done += part;
        }
    }

    /** Bytes that fit now, at least one. */
    private int partBytes(long wanted) {
        if (position == limit) {
            nextRoom();
        }
        return (int) Math.min(wanted, limit - position);
    }

    /** Elements that fit whole now, perhaps none. */
    private int wholeElements(int wanted, int elementBytes) {
        return (int) Math.min(wanted, (limit - position) / elementBytes);
    }

    /** Writes a number over the border of the room. */
    private void writeCut(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            writeByte((byte) (value >>> (8 * i)));
        }
    }

    private void nextRoom() {
        if (continuation == null) {
            throw new IllegalStateException(
                    "the message wrote more bytes than it had counted: write() must be pure");
        }
        continuation.next(this);
    }
}
