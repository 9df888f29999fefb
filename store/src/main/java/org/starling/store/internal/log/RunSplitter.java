package org.starling.store.internal.log;

import java.util.function.IntPredicate;
import org.starling.net.NativeMemory;

/**
 * Cuts a created run into the parts that are still wanted, each a record of its own without a tag.
 * Confined to a thread; has native memory for one record.
 */
final class RunSplitter implements AutoCloseable {
    private static final int USUAL_BYTES = 64 << 10;

    private final EntryCursor run = new EntryCursor();
    private long memory = NativeMemory.reserve(USUAL_BYTES);
    private int memoryBytes = USUAL_BYTES;
    private long copy;
    private int from;
    private int partCount;

    /** Without a run. */
    RunSplitter() {}

    /** Begins with a run, whose record is copied. */
    void wrap(EntryCursor entry) {
        int bytes = entry.recordBytes();
        int needed = Math.addExact(Math.multiplyExact(bytes, 2), EntryLayout.MOST_HEADER_BYTES);
        if (needed > memoryBytes) {
            NativeMemory.release(memory, memoryBytes);
            memory = NativeMemory.reserve(needed);
            memoryBytes = needed;
        }
        NativeMemory.copy(entry.address(), memory, bytes);
        copy = memory + bytes;
        run.read(memory, copy);
        from = 0;
        partCount = 0;
    }

    /**
     * Goes to the next part.
     *
     * @param wanted tells whether the chunk of an index is wanted
     * @return false when there is none
     */
    boolean next(IntPredicate wanted) {
        int first = from + partCount;
        while (first < run.count() && !wanted.test(run.index() + first)) {
            first++;
        }
        int behind = first;
        while (behind < run.count() && wanted.test(run.index() + behind)) {
            behind++;
        }
        from = first;
        partCount = behind - first;
        return partCount > 0;
    }

    /** Lets {@link #next} look at the current part again. */
    void again() {
        partCount = 0;
    }

    /** Index of the part's first chunk. */
    int first() {
        return run.index() + from;
    }

    /** Chunks of the part. */
    int count() {
        return partCount;
    }

    /** Whether all chunks have the same size by their record. */
    boolean isUniform() {
        return run.kind() == EntryLayout.CREATE_UNIFORM;
    }

    /** Size of each chunk of a uniform run. */
    int each() {
        return run.size(0);
    }

    /** The part's sizes in a listed run, native ints. */
    long sizesAddress() {
        return run.body() + (long) from * Integer.BYTES;
    }

    /** Writes the part as a record to {@link #record}. */
    int encode() {
        if (isUniform()) {
            return EntryWriter.create(copy, first(), partCount, each(), EntryLayout.NO_CLIENT, 0);
        }
        return EntryWriter.createListed(
                copy, first(), partCount, sizesAddress(), EntryLayout.NO_CLIENT, 0);
    }

    /** Where {@link #encode} writes. */
    long record() {
        return copy;
    }

    @Override
    public void close() {
        NativeMemory.release(memory, memoryBytes);
    }
}
