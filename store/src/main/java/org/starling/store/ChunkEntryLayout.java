package org.starling.store;

import org.starling.net.NativeMemory;

/**
 * The one place that knows what a chunk table entry and a block in the heap look like.
 *
 * <pre>
 * entry (8 bytes, native order, aligned; 2^16 consecutive entries make a page)
 *   bit  0..47  address of the payload; 0 = no such chunk
 *   bit 48..49  bytes of the length header, minus 1
 *   bit 50..56  readers inside the chunk (0..127)
 *   bit 57      a writer is inside the chunk (with address 0: the id is being created)
 *   bit 58      a writer waits; new readers hold back
 *   bit 59      the log of its zone has not heard of the chunk
 *   bit 60..63  reserved, 0
 *
 * block (any address, no alignment)
 *   | length, 1..4 bytes, little-endian | payload, `length` bytes |
 * </pre>
 *
 * The header ends where the payload starts, so the four bytes before the payload, shifted right,
 * give the length without a branch; at least {@link #GUARD_BYTES} readable bytes lie before the
 * first block of a heap. Overhead of a chunk: 8 bytes of entry and its header (1 byte up to 255
 * bytes of payload).
 */
public final class ChunkEntryLayout {
    /** Bytes of one entry. */
    public static final int ENTRY_BYTES = 8;

    /** log2 of the entries in a page of the table. */
    public static final int PAGE_SHIFT = 16;

    /** Entries in a page of the table. */
    public static final int PAGE_ENTRIES = 1 << PAGE_SHIFT;

    /** Bytes of a page of the table. */
    public static final long PAGE_BYTES = (long) PAGE_ENTRIES * ENTRY_BYTES;

    /** Bits of an entry that hold the address of the payload. */
    public static final long ADDRESS_MASK = (1L << 48) - 1;

    /** Bit of an entry whose chunk is not in the log of its zone yet. */
    public static final long UNLOGGED = 1L << 59;

    /** The greatest length header. */
    public static final int MAX_HEADER_BYTES = 4;

    /** Readable bytes before the first block of a heap. */
    public static final int GUARD_BYTES = 8;

    private static final int HEADER_SHIFT = 48;
    private static final long HEADER_MASK = 3L << HEADER_SHIFT;

    private ChunkEntryLayout() {}

    /**
     * The entry of a chunk that nobody is inside of.
     *
     * @param payloadAddress address of the payload, in 48 bits, not 0
     * @param headerBytes bytes of its length header, 1 to 4
     * @return the entry
     */
    public static long entry(long payloadAddress, int headerBytes) {
        return payloadAddress | ((long) (headerBytes - 1) << HEADER_SHIFT);
    }

    /**
     * Where the payload is.
     *
     * @param entry an entry
     * @return address, or 0 if there is no such chunk
     */
    public static long payloadAddress(long entry) {
        return entry & ADDRESS_MASK;
    }

    /**
     * Length of the length header.
     *
     * @param entry an entry with an address
     * @return 1 to 4
     */
    public static int headerBytes(long entry) {
        return (int) ((entry & HEADER_MASK) >>> HEADER_SHIFT) + 1;
    }

    /**
     * Length of the payload.
     *
     * @param entry an entry with an address
     * @return bytes
     */
    public static int payloadBytes(long entry) {
        int shift = Integer.SIZE - Byte.SIZE * headerBytes(entry);
        return NativeMemory.getInt(payloadAddress(entry) - Integer.BYTES) >>> shift;
    }

    /**
     * The shortest header that can hold a length.
     *
     * @param payloadBytes length of a payload, at least 0
     * @return 1 to 4
     */
    public static int headerBytesFor(int payloadBytes) {
        return payloadBytes < 1 << 8
                ? 1
                : payloadBytes < 1 << 16 ? 2 : payloadBytes < 1 << 24 ? 3 : MAX_HEADER_BYTES;
    }

    /**
     * Bytes of the block of a chunk: header and payload.
     *
     * @param payloadBytes length of the payload, at least 0
     * @return bytes, up to 2^31 + 3
     */
    public static long blockBytes(int payloadBytes) {
        return (long) payloadBytes + headerBytesFor(payloadBytes);
    }

    /**
     * Writes a length header; no byte outside of it is touched.
     *
     * @param blockAddress where the block starts
     * @param payloadBytes length of the payload, at least 0
     * @return the entry of the block
     */
    public static long writeHeader(long blockAddress, int payloadBytes) {
        int headerBytes = headerBytesFor(payloadBytes);
        switch (headerBytes) {
            case 1 -> NativeMemory.putByte(blockAddress, (byte) payloadBytes);
            case 2 -> NativeMemory.putShort(blockAddress, (short) payloadBytes);
            case 3 -> {
                NativeMemory.putShort(blockAddress, (short) payloadBytes);
                NativeMemory.putByte(blockAddress + 2, (byte) (payloadBytes >>> 16));
            }
            default -> NativeMemory.putInt(blockAddress, payloadBytes);
        }
        return entry(blockAddress + headerBytes, headerBytes);
    }
}
