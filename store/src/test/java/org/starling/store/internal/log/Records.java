package org.starling.store.internal.log;

import org.starling.net.NativeMemory;

/** A batch of wire records being put together in native memory. */
final class Records implements AutoCloseable {
    private final int capacity;
    private final long address;
    private final long values;
    private int bytes;
    private int count;

    Records(int capacity) {
        this.capacity = capacity;
        address = NativeMemory.reserve(capacity);
        values = NativeMemory.reserve(capacity);
    }

    Records put(int index, byte[] value) {
        return put(index, value, EntryLayout.NO_CLIENT, 0);
    }

    Records put(int index, byte[] value, int client, long sequence) {
        room(EntryLayout.putBytes(index, value.length, client >= 0));
        NativeMemory.copyFromArray(value, 0, values, value.length);
        bytes += EntryWriter.put(address + bytes, index, values, value.length, client, sequence);
        count++;
        return this;
    }

    Records remove(int first, int removed) {
        return remove(first, removed, EntryLayout.NO_CLIENT, 0);
    }

    Records remove(int first, int removed, int client, long sequence) {
        room(EntryLayout.removeBytes(first, removed, client >= 0));
        bytes += EntryWriter.remove(address + bytes, first, removed, client, sequence);
        count++;
        return this;
    }

    Records create(int first, int created, int each) {
        room(EntryLayout.createBytes(first, created, false));
        bytes +=
                EntryWriter.create(address + bytes, first, created, each, EntryLayout.NO_CLIENT, 0);
        count++;
        return this;
    }

    Records createListed(int first, int... sizes) {
        room(EntryLayout.createListedBytes(first, sizes.length, false));
        NativeMemory.copyFromArray(sizes, 0, values, sizes.length);
        bytes +=
                EntryWriter.createListed(
                        address + bytes, first, sizes.length, values, EntryLayout.NO_CLIENT, 0);
        count++;
        return this;
    }

    Records skip(int first, int chunks, int client, long sequence) {
        room(EntryLayout.removeBytes(first, chunks, client >= 0));
        bytes += EntryWriter.skip(address + bytes, first, chunks, client, sequence);
        count++;
        return this;
    }

    private void room(int wanted) {
        if (bytes + wanted > capacity) {
            throw new IllegalStateException("a test's batch is too large");
        }
    }

    /** Sends them as changes from a position on, and begins a new batch. */
    void appendTo(ZoneLog log, long epoch, long firstPosition) {
        log.append(epoch, firstPosition, address, bytes, count);
        clear();
    }

    /** Sends them as the next changes. */
    void appendTo(ZoneLog log) {
        appendTo(log, log.epoch(), log.end() + 1);
    }

    void copyTo(ZoneLog log) {
        log.appendCopy(address, bytes, count);
        clear();
    }

    void clear() {
        bytes = 0;
        count = 0;
    }

    byte[] toArray() {
        byte[] all = new byte[bytes];
        NativeMemory.copyToArray(address, all, 0, bytes);
        return all;
    }

    long address() {
        return address;
    }

    int bytes() {
        return bytes;
    }

    int count() {
        return count;
    }

    @Override
    public void close() {
        NativeMemory.release(address, capacity);
        NativeMemory.release(values, capacity);
    }
}
