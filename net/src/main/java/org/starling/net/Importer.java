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

    short readShort();

    int readInt();

    long readLong();

    float readFloat();

    double readDouble();

    int readCompactInt();

    long readCompactLong();

    String readString();

    byte[] readBytes();

    int[] readInts();

    long[] readLongs();

    double[] readDoubles();

    /**
     * Copies what {@link Exporter#writeNative} or {@link Exporter#writeBytes} wrote to native
     * memory.
     *
     * @param into where to copy
     * @param limitBytes the room there
     * @return bytes copied
     */
    int readNative(long into, int limitBytes);

    /** Reads the length in front of an array and checks that so many elements remain. */
    int readLength(int elementBytes);

    /** Skips the next bytes and returns their address, valid until the reader returns. */
    long view(int bytes);

    /** Reads the fields of a message inside another. */
    default <M extends Message> M readNested(MessageType<M> type) {
        return type.reader().read(this);
    }

    /** Bytes not read yet. */
    int remaining();
}
