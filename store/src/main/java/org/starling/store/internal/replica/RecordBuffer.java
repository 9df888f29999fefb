package org.starling.store.internal.replica;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.EntryWriter;

/**
 * Wire records one after the other in native memory, for messages that are not part of a stream.
 * Grows for a record that is longer than it. Confined to a thread; owns its memory until closed.
 */
final class RecordBuffer implements AutoCloseable {
    private static final int MARGIN_BYTES = 64;

    private long address;
    private long capacity;
    private int used;
    private int count;

    RecordBuffer(int capacity) {
        this.capacity = capacity;
        address = NativeMemory.reserve(capacity);
    }

    /**
     * Adds a value.
     *
     * @return whether there is room for another of the same size
     */
    boolean put(long id, long valueAddress, int bytes) {
        int index = ChunkId.index(id);
        room(EntryLayout.putBytes(index, bytes, false));
        used +=
                EntryWriter.put(
                        address + used, index, valueAddress, bytes, EntryLayout.NO_CLIENT, 0);
        count++;
        return capacity - used > bytes + MARGIN_BYTES;
    }

    /** Adds an executed operation. */
    void tag(int client, long sequence, int first, int chunks) {
        room(EntryLayout.removeBytes(first, chunks, true));
        used += EntryWriter.skip(address + used, first, chunks, client, sequence);
        count++;
    }

    /** Adds a run of chunks of one length, all zero. */
    void create(int first, int chunks, int each) {
        room(EntryLayout.createBytes(first, chunks, false));
        used += EntryWriter.create(address + used, first, chunks, each, EntryLayout.NO_CLIENT, 0);
        count++;
    }

    /** Adds a run of chunks of these lengths, all zero. */
    void createListed(int first, int chunks, long sizesAddress) {
        room(EntryLayout.createListedBytes(first, chunks, false));
        used +=
                EntryWriter.createListed(
                        address + used, first, chunks, sizesAddress, EntryLayout.NO_CLIENT, 0);
        count++;
    }

    /** Adds records that are made already. */
    void add(long records, int bytes, int added) {
        room(bytes);
        NativeMemory.copy(records, address + used, bytes);
        used += bytes;
        count += added;
    }

    /** Whether there is no room for a small record. */
    boolean isFull() {
        return capacity - used < MARGIN_BYTES;
    }

    int usedBytes() {
        return used;
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        byte[] bytes = new byte[used];
        NativeMemory.copyToArray(address, bytes, 0, used);
        return bytes;
    }

    void clear() {
        used = 0;
        count = 0;
    }

    @Override
    public void close() {
        NativeMemory.release(address, capacity);
    }

    private void room(int bytes) {
        if (capacity - used >= bytes) {
            return;
        }
        long wider = Math.max(2 * capacity, (long) used + bytes);
        long moved = NativeMemory.reserve(wider);
        NativeMemory.copy(address, moved, used);
        NativeMemory.release(address, capacity);
        address = moved;
        capacity = wider;
    }
}
