package org.starling.net;

/**
 * Where a message writes its fields, in order. Numbers are little-endian; compact numbers take 1 to
 * 5 (int) or 1 to 10 (long) bytes, few for small non-negative values; arrays and strings are
 * preceded by their length as a compact int.
 *
 * <p>Handed to {@link Message#write} and valid during that call only.
 */
public interface Exporter {

    void writeBoolean(boolean value);

    void writeByte(byte value);

    void writeInt(int value);

    void writeLong(long value);

    void writeDouble(double value);

    /** 7 bits a byte, low bits first; a negative value takes 5 bytes. */
    void writeCompactInt(int value);

    /** 7 bits a byte, low bits first; a negative value takes 10 bytes. */
    void writeCompactLong(long value);

    /** UTF-8; an unpaired surrogate becomes a question mark. */
    void writeString(String value);

    default void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    /** Writes {@code value[from..from+count)}. */
    void writeBytes(byte[] value, int from, int count);

    default void writeInts(int[] value) {
        writeInts(value, 0, value.length);
    }

    /** Writes {@code value[from..from+count)}. */
    void writeInts(int[] value, int from, int count);

    default void writeLongs(long[] value) {
        writeLongs(value, 0, value.length);
    }

    /** Writes {@code value[from..from+count)}. */
    void writeLongs(long[] value, int from, int count);
}
