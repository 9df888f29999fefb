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

    /** Room for a text of so many bytes, whose length stands there already. */
    long add(int bytes) {
        int all = StringIndex.HEADER_BYTES + bytes;
        if (next + all > end) {
            next = slabs.take();
            end = next + Slabs.BLOCK_BYTES;
        }
        long text = next;
        NativeMemory.putInt(text, bytes);
        next += (all + 3L) & ~3L;
        return text;
    }

    /** Adds a text. */
    long add(byte[] utf8) {
        long text = add(utf8.length);
        NativeMemory.copyFromArray(utf8, 0, text + StringIndex.HEADER_BYTES, utf8.length);
        return text;
    }
}
