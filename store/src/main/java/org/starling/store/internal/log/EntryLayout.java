package org.starling.store.internal.log;

import org.starling.net.NativeMemory;

/**
 * One change of a zone as it travels and as it lies in a block. Little-endian, no alignment, no
 * padding; fields are as wide as their values need.
 *
 * <pre>
 *   bytes    field
 *   1        bits 0..2 kind, bit 3 tagged, bits 4..5 width of index − 1, bits 6..7 width of number − 1
 *   1..4     index   of the (first) chunk in its zone, below 2^28
 *   1..4     number  PUT: bytes of the value; all others: count of chunks from index on
 *   0 or 10  tag     client node id (2), sequence (8); only when tagged
 *   …        PUT: the value; CREATE_UNIFORM: size of each (4); CREATE_LISTED: sizes (4 × number)
 * </pre>
 *
 * <p>A record has no position: on the wire it is that of the batch plus the record's rank, on the
 * disk see {@link BlockLayout}. Kinds:
 *
 * <ul>
 *   <li>{@link #PUT}: the chunk has this value from now on, created if it was not there;
 *   <li>{@link #REMOVE}: the chunks of the run are gone;
 *   <li>{@link #CREATE_UNIFORM}, {@link #CREATE_LISTED}: the chunks of the run are there, all bytes
 *       0;
 *   <li>{@link #SKIP}: a change that has been overtaken; it only keeps its position and, if tagged,
 *       the memory of the request (index and number are those of the request).
 * </ul>
 */
public final class EntryLayout {
    /** A value. */
    public static final int PUT = 1;

    /** A removed run. */
    public static final int REMOVE = 2;

    /** A created run of one size. */
    public static final int CREATE_UNIFORM = 3;

    /** A created run with its sizes. */
    public static final int CREATE_LISTED = 4;

    /** An overtaken change. */
    public static final int SKIP = 5;

    /** The client of a record without a tag. */
    public static final int NO_CLIENT = -1;

    /** The greatest client id. */
    public static final int MAX_CLIENT = 0xFFFF;

    /** Chunks have indexes below this. */
    public static final int INDEXES = 1 << 28;

    /** The largest record: 2 GiB less 64 KiB, so that a block around it has a length of an int. */
    public static final int MAX_RECORD_BYTES = Integer.MAX_VALUE - (64 << 10);

    /** The largest value. */
    public static final int MAX_VALUE_BYTES = MAX_RECORD_BYTES - 32;

    /** Bytes of a tag. */
    static final int TAG_BYTES = Short.BYTES + Long.BYTES;

    /** No record is shorter. */
    static final int LEAST_BYTES = 3;

    /** No record is longer before its value or sizes. */
    static final int MOST_HEADER_BYTES = 1 + 4 + 4 + TAG_BYTES;

    static final int KIND_MASK = 7;
    static final int TAGGED = 1 << 3;
    static final int INDEX_WIDTH_SHIFT = 4;
    static final int NUMBER_WIDTH_SHIFT = 6;
    static final int WIDTH_MASK = 3;

    private EntryLayout() {}

    /** Length of a record of kind {@link #PUT}. */
    public static int putBytes(int index, int valueBytes, boolean tagged) {
        checkValueBytes(valueBytes);
        return headerBytes(index, valueBytes, tagged) + valueBytes;
    }

    /** Length of a record of kind {@link #REMOVE} or {@link #SKIP}. */
    public static int removeBytes(int first, int count, boolean tagged) {
        checkRun(first, count);
        return headerBytes(first, count, tagged);
    }

    /** Length of a record of kind {@link #CREATE_UNIFORM}. */
    public static int createBytes(int first, int count, boolean tagged) {
        checkRun(first, count);
        return headerBytes(first, count, tagged) + Integer.BYTES;
    }

    /** Length of a record of kind {@link #CREATE_LISTED}. */
    public static int createListedBytes(int first, int count, boolean tagged) {
        checkRun(first, count);
        return Math.addExact(
                headerBytes(first, count, tagged), Math.multiplyExact(count, Integer.BYTES));
    }

    /** Writes everything before the value or the sizes; returns the address behind it. */
    static long writeHeader(long to, int kind, int index, int number, int client, long sequence) {
        int indexBytes = width(index);
        int numberBytes = width(number);
        int tagged = client == NO_CLIENT ? 0 : TAGGED;
        NativeMemory.putByte(
                to,
                (byte)
                        (kind
                                | tagged
                                | (indexBytes - 1) << INDEX_WIDTH_SHIFT
                                | (numberBytes - 1) << NUMBER_WIDTH_SHIFT));
        long at = writeNumber(to + 1, index, indexBytes);
        at = writeNumber(at, number, numberBytes);
        if (tagged != 0) {
            NativeMemory.putShort(at, (short) client);
            NativeMemory.putLong(at + Short.BYTES, sequence);
            at += TAG_BYTES;
        }
        return at;
    }

    static int headerBytes(int index, int number, boolean tagged) {
        return 1 + width(index) + width(number) + (tagged ? TAG_BYTES : 0);
    }

    static void checkValueBytes(int bytes) {
        if (bytes < 0 || bytes > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a value of " + bytes + " bytes; the largest has " + MAX_VALUE_BYTES);
        }
    }

    static void checkRun(int first, int count) {
        if (first < 0 || count < 1 || count > INDEXES - first) {
            throw new IllegalArgumentException(
                    "no run of a zone: " + count + " chunks from " + first + " on");
        }
    }

    static void checkClient(int client) {
        if (client < NO_CLIENT || client > MAX_CLIENT) {
            throw new IllegalArgumentException("client " + client + " is not a node id");
        }
    }

    private static int width(int value) {
        return (39 - Integer.numberOfLeadingZeros(value | 1)) >>> 3;
    }

    private static long writeNumber(long to, int value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            NativeMemory.putByte(to + i, (byte) (value >>> (8 * i)));
        }
        return to + bytes;
    }
}
