package org.starling.compute.internal.build;

import org.starling.net.NativeMemory;

/**
 * Texts one behind the other, as {@link StringIndex} names them, in blocks of a build. Confined to
 * the thread that adds; read by others afterwards.
 */
final class TextStore {
    private final Slabs slabs;
    private long next;
    private long end;

    TextStore(Slabs slabs) {
        this.slabs = slabs;
    }

    /** Room for a text of so many bytes, whose length stands there already; for one to keep. */
    long room(int bytes) {
        if (next + StringIndex.HEADER_BYTES + bytes > end) {
            next = slabs.take();
            end = next + Slabs.BLOCK_BYTES;
        }
        NativeMemory.putInt(next, bytes);
        return next;
    }

    /** What stands in the last room stays. */
    void keep() {
        next += (StringIndex.HEADER_BYTES + StringIndex.length(next) + 3L) & ~3L;
    }

    /** Room for a text of so many bytes that stays. */
    long add(int bytes) {
        long text = room(bytes);
        keep();
        return text;
    }

    /** Adds a text. */
    long add(byte[] utf8) {
        long text = add(utf8.length);
        NativeMemory.copyFromArray(utf8, 0, text + StringIndex.HEADER_BYTES, utf8.length);
        return text;
    }
}
