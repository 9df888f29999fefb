package org.starling.net.internal;

import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * A large message growing from its fragments. Confined to the receiving thread until complete, then
 * owned by whoever handles it, who releases it. Its memory is real only as far as fragments have
 * arrived.
 */
final class Assembly {

    private final int kind;
    private final int type;
    private final int totalBytes;
    private final long address;
    private int filledBytes;

    /** {@code totalBytes} has been checked against the limit. */
    Assembly(int kind, int type, int totalBytes) {
        this.kind = kind;
        this.type = type;
        this.totalBytes = totalBytes;
        this.address = NativeMemory.reserve(totalBytes);
    }

    void add(long from, int bytes) {
        if (bytes > totalBytes - filledBytes) {
            throw new MalformedMessageException(
                    "fragments of %s bytes in all hold at least %s"
                            .formatted(totalBytes, (long) filledBytes + bytes));
        }
        NativeMemory.copy(from, address + filledBytes, bytes);
        filledBytes += bytes;
    }

    boolean isComplete() {
        return filledBytes == totalBytes;
    }

    int kind() {
        return kind;
    }

    int type() {
        return type;
    }

    long address() {
        return address;
    }

    int bytes() {
        return totalBytes;
    }

    void release() {
        NativeMemory.release(address, totalBytes);
    }
}
