package org.starling.net;

/**
 * The bytes of one message, read in the order in which an {@link Exporter} wrote them. The length
 * of an array or string is checked against the bytes that remain before anything is allocated.
 *
 * <p>Handed to {@link Reader#read} and valid during that call only. Every method throws {@link
 * MalformedMessageException} when the message ends too early or holds what no exporter writes.
 */
public interface Importer {

    boolean readBoolean();

    byte readByte();

    int readInt();

    long readLong();

    double readDouble();

    int readCompactInt();

    String readString();

    byte[] readBytes();

    int[] readInts();

    long[] readLongs();

    /** Reads the length in front of an array and checks that so many elements remain. */
    int readLength(int elementBytes);

    /** Bytes not read yet. */
    int remaining();
}
