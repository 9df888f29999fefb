package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;

/**
 * Changes of the topology that one worker's program has asked for in a superstep ({@link
 * ChangeLayout}). Address space is reserved at the first change, memory is taken as they come.
 * Confined to the worker's thread while it works, to the control thread at the barrier.
 */
public final class ChangeList implements AutoCloseable {
    /** The most changes of a worker in a superstep. */
    static final int MAX_CHANGES = 1 << 26;

    private static final long RESERVED_BYTES = (long) MAX_CHANGES * ChangeLayout.BYTES;

    private long address;
    private int count;

    /** None yet. */
    public ChangeList() {}

    /** Adds one. */
    public void add(int kind, long first, long second, float weight) {
        if (count == MAX_CHANGES) {
            throw new JobFailedException(
                    "a worker has asked for more than %d changes of the graph in one superstep; spread them over several"
                            .formatted(MAX_CHANGES));
        }
        if (address == 0) {
            address = NativeMemory.reserve(RESERVED_BYTES);
        }
        ChangeLayout.write(at(count++), kind, first, second, weight);
    }

    /** Number of changes. */
    public int count() {
        return count;
    }

    /** Address of a change. */
    public long at(int index) {
        return address + (long) index * ChangeLayout.BYTES;
    }

    @Override
    public void close() {
        if (address != 0) {
            NativeMemory.release(address, RESERVED_BYTES);
            address = 0;
        }
        count = 0;
    }
}
