package org.starling.compute.internal.query;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.compute.columns.ColumnValues;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.net.NativeMemory;

/**
 * A property of strings of one shard, as its chunk has come from the store ({@link StringsLayout}).
 * Valid as long as the arena that it lies in; one thread.
 */
final class ShardStrings {
    private final long address;
    private final long codes;

    ShardStrings(byte[] chunk, Arena arena) {
        MemorySegment copy = arena.allocate(chunk.length, Long.BYTES);
        MemorySegment.copy(MemorySegment.ofArray(chunk), 0, copy, 0, chunk.length);
        this.address = copy.address();
        this.codes = StringsLayout.codes(address);
    }

    /** How many of some rows have no more bytes than these; one at least. */
    int fitting(int from, int rows, long most) {
        long bytes = 0;
        for (int i = 0; i < rows; i++) {
            bytes += StringsLayout.bytes(address, code(from + i));
            if (bytes > most) {
                return Math.max(1, i);
            }
        }
        return rows;
    }

    /** Values of some rows. */
    ColumnValues values(int from, int rows) {
        ByteBuffer starts =
                ByteBuffer.allocate((rows + 1) * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(0);
        int end = 0;
        for (int i = 0; i < rows; i++) {
            end = Math.addExact(end, StringsLayout.bytes(address, code(from + i)));
            starts.putInt(end);
        }
        byte[] text = new byte[end];
        for (int i = 0; i < rows; i++) {
            int code = code(from + i);
            NativeMemory.copyToArray(
                    StringsLayout.address(address, code),
                    text,
                    starts.getInt(i * Integer.BYTES),
                    StringsLayout.bytes(address, code));
        }
        return new ColumnValues(starts.flip(), ByteBuffer.wrap(text), ByteBuffer.allocate(0));
    }

    private int code(int index) {
        return NativeMemory.getInt(codes + (long) index * Integer.BYTES);
    }
}
