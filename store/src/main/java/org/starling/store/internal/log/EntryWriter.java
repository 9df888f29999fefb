package org.starling.store.internal.log;

import static org.starling.store.internal.log.EntryLayout.checkClient;
import static org.starling.store.internal.log.EntryLayout.checkRun;
import static org.starling.store.internal.log.EntryLayout.checkValueBytes;
import static org.starling.store.internal.log.EntryLayout.writeHeader;

import org.starling.net.NativeMemory;

/**
 * Encodes wire records straight into native memory. The caller has made room by the functions of
 * {@link EntryLayout}; every function here returns the bytes written. Static: no state.
 */
public final class EntryWriter {
    private EntryWriter() {}

    /** A value. */
    public static int put(
            long to, int index, long valueAddress, int valueBytes, int client, long sequence) {
        checkRun(index, 1);
        checkValueBytes(valueBytes);
        checkClient(client);
        long at = writeHeader(to, EntryLayout.PUT, index, valueBytes, client, sequence);
        NativeMemory.copy(valueAddress, at, valueBytes);
        return (int) (at - to) + valueBytes;
    }

    /** A removed run. */
    public static int remove(long to, int first, int count, int client, long sequence) {
        return run(to, EntryLayout.REMOVE, first, count, client, sequence);
    }

    /** The memory of a request without its effect. */
    public static int skip(long to, int first, int count, int client, long sequence) {
        return run(to, EntryLayout.SKIP, first, count, client, sequence);
    }

    /** A created run of one size. */
    public static int create(long to, int first, int count, int each, int client, long sequence) {
        checkValueBytes(each);
        int bytes = run(to, EntryLayout.CREATE_UNIFORM, first, count, client, sequence);
        NativeMemory.putInt(to + bytes, each);
        return bytes + Integer.BYTES;
    }

    /**
     * A created run with its sizes.
     *
     * @param to where the record begins
     * @param first index of the first chunk
     * @param count chunks
     * @param sizesAddress of native ints
     * @param client of the tag, or {@link EntryLayout#NO_CLIENT}
     * @param sequence of the tag
     */
    public static int createListed(
            long to, int first, int count, long sizesAddress, int client, long sequence) {
        int bytes = run(to, EntryLayout.CREATE_LISTED, first, count, client, sequence);
        NativeMemory.copy(sizesAddress, to + bytes, (long) count * Integer.BYTES);
        return bytes + count * Integer.BYTES;
    }

    private static int run(long to, int kind, int first, int count, int client, long sequence) {
        checkRun(first, count);
        checkClient(client);
        return (int) (writeHeader(to, kind, first, count, client, sequence) - to);
    }
}
