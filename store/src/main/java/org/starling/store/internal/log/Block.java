package org.starling.store.internal.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.starling.net.NativeMemory;

/**
 * A block in memory: filled under the lock of its log, then sealed, then written by the logs'
 * thread, which may do the rest without the lock. Slots grow down from the end of the memory and
 * are moved to the end of the block when it is sealed.
 */
final class Block implements AutoCloseable {
    private final long address;
    private final int capacity;
    private final ByteBuffer view;
    private final CRC32C crc = new CRC32C();

    private int kind;
    private long epoch;
    private Segment segment = Segment.NONE;
    private long firstPosition;
    private int count;
    private int entryBytes;
    private int blockBytes;
    private long openedNanos;

    // Given when it is sealed.
    private long ordinal;
    private long end;
    private long fileOffset;

    Block(int capacity) {
        this.capacity = capacity;
        address = NativeMemory.reserve(capacity);
        view = NativeMemory.segment(address, capacity).asByteBuffer();
    }

    /** Begins anew. */
    void start(int newKind, long newEpoch, Segment newSegment, long first, long nowNanos) {
        kind = newKind;
        epoch = newEpoch;
        segment = newSegment;
        firstPosition = first;
        openedNanos = nowNanos;
        count = 0;
        entryBytes = 0;
    }

    /** Whether entries of this kind and epoch belong into it. */
    boolean takes(int wantedKind, long wantedEpoch) {
        return kind == wantedKind && epoch == wantedEpoch;
    }

    /** Whether there is room for a record. */
    boolean fits(int recordBytes) {
        return BlockLayout.HEADER_BYTES
                        + (long) entryBytes
                        + recordBytes
                        + (count + 1L) * BlockLayout.slotBytes(kind)
                <= capacity;
    }

    /** Adds a record, which fits. */
    void add(long record, int recordBytes, long position) {
        int at = BlockLayout.HEADER_BYTES + entryBytes;
        NativeMemory.copy(record, address + at, recordBytes);
        crc.reset();
        view.limit(at + recordBytes).position(at);
        crc.update(view);
        long slot = address + BlockLayout.slotAt(kind, capacity, count);
        if (kind == BlockLayout.MOVED) {
            NativeMemory.putLong(slot, position);
            slot += Long.BYTES;
        }
        NativeMemory.putInt(slot, (int) crc.getValue());
        entryBytes += recordBytes;
        count++;
    }

    /** Bytes that a record takes in it. */
    int takenBytes(int recordBytes) {
        return recordBytes + BlockLayout.slotBytes(kind);
    }

    /** Ends filling: gives it its length and all of its header but the checksums. */
    void seal(long newOrdinal, LogState log) {
        ordinal = newOrdinal;
        end = log.end();
        blockBytes = BlockLayout.blockBytes(kind, entryBytes, count);
        fileOffset = segment.allocate(blockBytes);
        NativeMemory.putInt(address + BlockLayout.MAGIC_AT, BlockLayout.MAGIC);
        NativeMemory.putLong(address + BlockLayout.LOG_ID_AT, log.logId());
        NativeMemory.putLong(address + BlockLayout.ZONE_AT, log.zone());
        NativeMemory.putLong(address + BlockLayout.ORDINAL_AT, ordinal);
        NativeMemory.putLong(address + BlockLayout.EPOCH_AT, epoch);
        NativeMemory.putLong(address + BlockLayout.ENTRY_EPOCH_AT, log.entryEpoch());
        NativeMemory.putLong(address + BlockLayout.FENCE_AT, log.epoch());
        NativeMemory.putLong(address + BlockLayout.FIRST_AT, firstPosition);
        NativeMemory.putLong(address + BlockLayout.END_AT, end);
        NativeMemory.putLong(address + BlockLayout.FORCED_AT, log.forcedOrdinal());
        NativeMemory.putLong(address + BlockLayout.BASE_AT, log.basePosition());
        NativeMemory.putInt(address + BlockLayout.SEGMENT_AT, segment.number());
        NativeMemory.putInt(address + BlockLayout.HEAD_AT, log.headSegment());
        NativeMemory.putInt(address + BlockLayout.COUNT_AT, count);
        NativeMemory.putInt(address + BlockLayout.ENTRY_BYTES_AT, entryBytes);
        NativeMemory.putInt(address + BlockLayout.BLOCK_BYTES_AT, blockBytes);
        NativeMemory.putInt(address + BlockLayout.BODY_CRC_AT, 0);
        NativeMemory.putInt(
                address + BlockLayout.KIND_AT, kind | BlockLayout.VERSION << 8 | log.copy() << 16);
        NativeMemory.putInt(address + BlockLayout.KIND_AT + 4, 0);
        NativeMemory.putLong(address + BlockLayout.KIND_AT + 8, 0);
        moveSlots();
    }

    private void moveSlots() {
        int slots = count * BlockLayout.slotBytes(kind);
        long behind = address + BlockLayout.HEADER_BYTES + entryBytes;
        NativeMemory.copy(address + capacity - slots, address + blockBytes - slots, slots);
        NativeMemory.fill(behind, address + blockBytes - slots - behind, (byte) 0);
    }

    /** Computes the checksums; without the lock, once, before it is written. */
    void protect() {
        BlockLayout.protect(address, view);
    }

    long address() {
        return address;
    }

    int capacity() {
        return capacity;
    }

    int kind() {
        return kind;
    }

    Segment segment() {
        return segment;
    }

    int count() {
        return count;
    }

    int blockBytes() {
        return blockBytes;
    }

    long openedNanos() {
        return openedNanos;
    }

    long ordinal() {
        return ordinal;
    }

    long end() {
        return end;
    }

    long fileOffset() {
        return fileOffset;
    }

    @Override
    public void close() {
        NativeMemory.release(address, capacity);
    }
}
