package org.starling.net;

/**
 * Where a message writes its fields, in order. Numbers are little-endian; a compact int takes 1 to
 * 5 bytes, few if it is small and not negative; arrays and strings are preceded by their length as
 * a compact int.
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

    /** UTF-8; an unpaired surrogate becomes a question mark. */
    void writeString(String value);

    void writeBytes(byte[] value);

    void writeInts(int[] value);

    void writeLongs(long[] value);
}
