package org.starling.store.internal.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * A block: what is written to a log at once and never again. Blocks begin at multiples of 4096
 * bytes in a segment file, behind its {@link MarkLayout} page, and follow each other without gaps.
 * Little-endian. Version 1.
 *
 * <pre>
 *   0    4  magic
 *   4    4  CRC32C of bytes 8..127
 *   8    8  log id: drawn when the log was made, so that nothing older is mistaken for a part of it
 *   16   8  zone
 *   24   8  ordinal: 0, 1, 2, … in the log
 *   32   8  epoch of the entries
 *   40   8  epoch of the last change in the log after this block
 *   48   8  epoch below which the log refused changes when this block was sealed
 *   56   8  position of the first entry
 *   64   8  end: highest position in the log after this block
 *   72   8  forced: blocks with a smaller ordinal were safe when this block was sealed
 *   80   8  base: position of the full copy that the log began with
 *   88   4  segment in which this block lies
 *   92   4  head: segments with a smaller number are needed no more once this block is safe
 *   96   4  count of entries
 *   100  4  bytes of entries
 *   104  4  bytes of the block, a multiple of 4096
 *   108  4  CRC32C of bytes 128 to the end of the block
 *   112  1  kind: STREAM, COPY, MOVED
 *   113  1  version
 *   114  1  copy: PARTIAL or WHOLE; 0 in a log that does not begin with a full copy, and in those
 *           of before it was said
 *   115  13 zeros
 *   128     entries: wire records of {@link EntryLayout}, one directly after the other
 *   …       zeros
 *   …       slots, one for each entry, that of the first entry last: [position, 8 bytes, only in
 *           MOVED] [CRC32C of the record, 4 bytes]
 * </pre>
 *
 * <p>Entry i of a STREAM block has position first + i, those of a COPY block have the position
 * first all of them, and those of a MOVED block, which the cleaner wrote, have their own in the
 * slot. An entry's epoch is the block's. The checksum of the block finds damage; the checksums of
 * the entries tell, in a block found damaged, what is left of it.
 */
final class BlockLayout {
    /** New changes. */
    static final int STREAM = 1;

    /** A part of a full copy. */
    static final int COPY = 2;

    /** Entries that the cleaner took from the head of the log; none when only a state is noted. */
    static final int MOVED = 3;

    /** Parts of the full copy that the log begins with may still come. */
    static final int PARTIAL = 1;

    /** All of that copy is safe. */
    static final int WHOLE = 2;

    static final int HEADER_BYTES = 128;
    static final int VERSION = 1;
    static final int ALIGNMENT = LogConfig.ALIGNMENT;

    /** Bytes of a slot in blocks of kinds STREAM and COPY. */
    static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Bytes of a slot in blocks of kind MOVED. */
    static final int MOVED_SLOT_BYTES = Long.BYTES + Integer.BYTES;

    static final int MAGIC = 0x424C5331; // "1SLB" as bytes

    static final int MAGIC_AT = 0;
    static final int HEADER_CRC_AT = 4;
    static final int LOG_ID_AT = 8;
    static final int ZONE_AT = 16;
    static final int ORDINAL_AT = 24;
    static final int EPOCH_AT = 32;
    static final int ENTRY_EPOCH_AT = 40;
    static final int FENCE_AT = 48;
    static final int FIRST_AT = 56;
    static final int END_AT = 64;
    static final int FORCED_AT = 72;
    static final int BASE_AT = 80;
    static final int SEGMENT_AT = 88;
    static final int HEAD_AT = 92;
    static final int COUNT_AT = 96;
    static final int ENTRY_BYTES_AT = 100;
    static final int BLOCK_BYTES_AT = 104;
    static final int BODY_CRC_AT = 108;
    static final int KIND_AT = 112;
    static final int VERSION_AT = 113;
    static final int COPY_AT = 114;

    private BlockLayout() {}

    static int slotBytes(int kind) {
        return kind == MOVED ? MOVED_SLOT_BYTES : CHECKSUM_BYTES;
    }

    /** Bytes of a block with so many bytes of entries; at most 2 GiB less 4096. */
    static int blockBytes(int kind, long entryBytes, long count) {
        long bytes = HEADER_BYTES + entryBytes + count * slotBytes(kind);
        return Math.toIntExact(bytes + ALIGNMENT - 1 & -ALIGNMENT);
    }

    /** Where the slot of an entry begins, counted from the start of the block. */
    static int slotAt(int kind, int blockBytes, int entry) {
        return blockBytes - slotBytes(kind) * (entry + 1);
    }

    /** The position of an entry of a block. */
    static long position(long block, int entry) {
        int kind = NativeMemory.getByte(block + KIND_AT);
        long first = NativeMemory.getLong(block + FIRST_AT);
        return switch (kind) {
            case STREAM -> first + entry;
            case COPY -> first;
            default -> {
                int bytes = NativeMemory.getInt(block + BLOCK_BYTES_AT);
                yield NativeMemory.getLong(block + slotAt(kind, bytes, entry));
            }
        };
    }

    /** The checksum that an entry's slot holds. */
    static int checksum(long block, int entry) {
        int kind = NativeMemory.getByte(block + KIND_AT);
        int bytes = NativeMemory.getInt(block + BLOCK_BYTES_AT);
        int slot = slotAt(kind, bytes, entry);
        return NativeMemory.getInt(block + slot + slotBytes(kind) - CHECKSUM_BYTES);
    }

    /** Computes both checksums of a finished block; {@code view} covers it from its first byte. */
    static void protect(long block, ByteBuffer view) {
        int bytes = NativeMemory.getInt(block + BLOCK_BYTES_AT);
        NativeMemory.putInt(block + BODY_CRC_AT, crc(view, HEADER_BYTES, bytes));
        NativeMemory.putInt(block + HEADER_CRC_AT, crc(view, LOG_ID_AT, HEADER_BYTES));
    }

    /**
     * Looks at what may be a header.
     *
     * @param block its address; 128 bytes can be read
     * @param view covers it, beginning {@code at} bytes in
     * @param at offset of the block in the view
     */
    static @Nullable String headerFault(long block, ByteBuffer view, int at) {
        if (NativeMemory.getInt(block) != MAGIC) {
            return "no block";
        }
        int crc = crc(view, at + LOG_ID_AT, at + HEADER_BYTES);
        if (crc != NativeMemory.getInt(block + HEADER_CRC_AT)) {
            return "header damaged";
        }
        int kind = NativeMemory.getByte(block + KIND_AT);
        if (NativeMemory.getByte(block + VERSION_AT) != VERSION || kind < STREAM || kind > MOVED) {
            return "unknown version or kind";
        }
        int bytes = NativeMemory.getInt(block + BLOCK_BYTES_AT);
        int entryBytes = NativeMemory.getInt(block + ENTRY_BYTES_AT);
        int count = NativeMemory.getInt(block + COUNT_AT);
        if (bytes < ALIGNMENT
                || bytes % ALIGNMENT != 0
                || entryBytes < 0
                || count < 0
                || HEADER_BYTES + (long) entryBytes + (long) count * slotBytes(kind) > bytes) {
            return "lengths do not fit";
        }
        return null;
    }

    /** Whether the bytes behind the header are those that were written. */
    static boolean isBodyIntact(long block, ByteBuffer view, int at) {
        int bytes = NativeMemory.getInt(block + BLOCK_BYTES_AT);
        return crc(view, at + HEADER_BYTES, at + bytes) == NativeMemory.getInt(block + BODY_CRC_AT);
    }

    static int crc(ByteBuffer view, int from, int to) {
        CRC32C crc = new CRC32C();
        view.limit(to).position(from);
        crc.update(view);
        return (int) crc.getValue();
    }
}
