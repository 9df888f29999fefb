package org.starling.store.internal.log;

import java.nio.ByteBuffer;
import org.starling.net.NativeMemory;

/** Walks over the entries of a block in memory. Confined to a thread, used again and again. */
final class BlockEntries {
    private final EntryCursor entry = new EntryCursor();
    private long block;
    private long at;
    private long limit;
    private int count;
    private int rank;
    private int slotBytes;
    private boolean broken;

    /** Goes before the first entry of a block whose header is intact. */
    void wrap(long newBlock) {
        block = newBlock;
        at = newBlock + BlockLayout.HEADER_BYTES;
        limit = at + NativeMemory.getInt(newBlock + BlockLayout.ENTRY_BYTES_AT);
        count = NativeMemory.getInt(newBlock + BlockLayout.COUNT_AT);
        slotBytes = BlockLayout.slotBytes(NativeMemory.getByte(newBlock + BlockLayout.KIND_AT));
        rank = -1;
        broken = false;
    }

    /** Goes to the next entry; false at the end, or where no entry can be made out. */
    boolean next() {
        if (broken || rank + 1 >= count) {
            return false;
        }
        if (entry.tryRead(at, limit) != null) {
            broken = true;
            return false;
        }
        rank++;
        at += entry.recordBytes();
        return true;
    }

    /** Whether the walk ended before the last entry. */
    boolean isBroken() {
        return broken;
    }

    /** Whether the entry is the one that was written; to be asked only in damaged blocks. */
    boolean isSound() {
        ByteBuffer view = NativeMemory.segment(entry.address(), entry.recordBytes()).asByteBuffer();
        return BlockLayout.crc(view, 0, entry.recordBytes()) == BlockLayout.checksum(block, rank);
    }

    EntryCursor entry() {
        return entry;
    }

    int rank() {
        return rank;
    }

    long position() {
        return BlockLayout.position(block, rank);
    }

    /** What the entry takes in the log. */
    int takenBytes() {
        return entry.recordBytes() + slotBytes;
    }
}
