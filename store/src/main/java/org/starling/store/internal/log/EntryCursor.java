package org.starling.store.internal.log;

import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Reads one wire record after the other. Confined to a thread, used again and again. Reads no byte
 * at or behind the limit.
 */
public final class EntryCursor {
    private long address;
    private int recordBytes;
    private int kind;
    private int index;
    private int number;
    private int client;
    private long sequence;
    private long body;

    /** Without a record. */
    public EntryCursor() {}

    /**
     * Reads the record at an address.
     *
     * @throws MalformedEntryException if there is none
     */
    public void read(long at, long limit) {
        String wrong = tryRead(at, limit);
        if (wrong != null) {
            throw new MalformedEntryException(wrong);
        }
    }

    /** As {@link #read}, but tells what is wrong instead of throwing; null when nothing is. */
    @Nullable String tryRead(long at, long limit) {
        if (limit - at < EntryLayout.LEAST_BYTES) {
            return "a record of a zone ends early";
        }
        int first = NativeMemory.getByte(at);
        int indexBytes = (first >>> EntryLayout.INDEX_WIDTH_SHIFT & EntryLayout.WIDTH_MASK) + 1;
        int numberBytes = (first >>> EntryLayout.NUMBER_WIDTH_SHIFT & EntryLayout.WIDTH_MASK) + 1;
        boolean tagged = (first & EntryLayout.TAGGED) != 0;
        long behind = at + 1 + indexBytes + numberBytes + (tagged ? EntryLayout.TAG_BYTES : 0);
        if (behind > limit) {
            return "a record of a zone ends early";
        }
        address = at;
        kind = first & EntryLayout.KIND_MASK;
        index = number(at + 1, indexBytes, limit);
        number = number(at + 1 + indexBytes, numberBytes, limit);
        client = EntryLayout.NO_CLIENT;
        if (tagged) {
            client = Short.toUnsignedInt(NativeMemory.getShort(behind - EntryLayout.TAG_BYTES));
            sequence = NativeMemory.getLong(behind - Long.BYTES);
        }
        body = behind;
        return check(limit);
    }

    private @Nullable String check(long limit) {
        long bodyBytes =
                switch (kind) {
                    case EntryLayout.PUT -> number;
                    case EntryLayout.REMOVE, EntryLayout.SKIP -> 0;
                    case EntryLayout.CREATE_UNIFORM -> Integer.BYTES;
                    case EntryLayout.CREATE_LISTED -> (long) number * Integer.BYTES;
                    default -> -1;
                };
        if (bodyBytes < 0 || bodyBytes > EntryLayout.MAX_VALUE_BYTES) {
            return "no record of a zone: kind " + kind + ", number " + number;
        }
        int count = count();
        if (index < 0 || count < 1 || count > EntryLayout.INDEXES - index) {
            return "no run of a zone: " + count + " chunks from " + index + " on";
        }
        if (bodyBytes > limit - body) {
            return "a record of a zone ends early";
        }
        recordBytes = (int) (body - address + bodyBytes);
        return checkSizes();
    }

    private @Nullable String checkSizes() {
        int sizes =
                switch (kind) {
                    case EntryLayout.CREATE_UNIFORM -> 1;
                    case EntryLayout.CREATE_LISTED -> number;
                    default -> 0;
                };
        for (int i = 0; i < sizes; i++) {
            int size = NativeMemory.getInt(body + (long) i * Integer.BYTES);
            if (size < 0 || size > EntryLayout.MAX_VALUE_BYTES) {
                return "no size of a chunk: " + size;
            }
        }
        return null;
    }

    private static int number(long at, int bytes, long limit) {
        if (limit - at >= Integer.BYTES) {
            return NativeMemory.getInt(at) & -1 >>> (32 - 8 * bytes);
        }
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= Byte.toUnsignedInt(NativeMemory.getByte(at + i)) << (8 * i);
        }
        return value;
    }

    /** Where the record begins. */
    public long address() {
        return address;
    }

    /** Length of the whole record. */
    public int recordBytes() {
        return recordBytes;
    }

    /**
     * What it is.
     *
     * @return a kind of {@link EntryLayout}
     */
    public int kind() {
        return kind;
    }

    /** Which chunk. */
    public int index() {
        return index;
    }

    /**
     * How many chunks.
     *
     * @return 1 for a value
     */
    public int count() {
        return kind == EntryLayout.PUT ? 1 : number;
    }

    /**
     * Who asked.
     *
     * @return node id, or {@link EntryLayout#NO_CLIENT}
     */
    public int client() {
        return client;
    }

    /**
     * Number of the request.
     *
     * @return undefined without a client
     */
    public long sequence() {
        return sequence;
    }

    /** Where the value or the sizes are. */
    public long body() {
        return body;
    }

    /**
     * Size of a chunk that it puts or creates.
     *
     * @param rank of the chunk in the run
     */
    public int size(int rank) {
        return switch (kind) {
            case EntryLayout.PUT -> number;
            case EntryLayout.CREATE_UNIFORM -> NativeMemory.getInt(body);
            case EntryLayout.CREATE_LISTED ->
                    NativeMemory.getInt(body + (long) rank * Integer.BYTES);
            default -> 0;
        };
    }
}
