package org.starling.compute.internal.build;

import java.nio.charset.StandardCharsets;
import org.starling.net.NativeMemory;

/**
 * Different strings, and where they lie: in blocks of a build, which are given back with all
 * others. Code 0 is the empty string, unless only texts in arrays are added. Confined to the thread
 * that adds; read by others afterwards.
 */
final class StringDictionary {
    private final Slabs slabs;
    private final StringIndex index = new StringIndex();
    private long next;
    private long end;

    StringDictionary(Slabs slabs) {
        this.slabs = slabs;
    }

    /** Takes the empty string, if there is none yet; every other one does so, too. */
    void begin() {
        if (index.size() == 0) {
            room(0);
            codeOfNext(0);
        }
    }

    /** How many there are. */
    int size() {
        return index.size();
    }

    /** Where a string's length stands, and behind it its bytes. */
    long string(int code) {
        return index.string(code);
    }

    /** The code of a string. */
    int code(String string) {
        begin();
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        long at = room(utf8.length);
        NativeMemory.copyFromArray(utf8, 0, at + StringIndex.HEADER_BYTES, utf8.length);
        return codeOfNext(utf8.length);
    }

    /** The code of a text in an array; no empty string is taken before it. */
    int code(byte[] utf8, int offset, int length) {
        long at = room(length);
        NativeMemory.copyFromArray(utf8, offset, at + StringIndex.HEADER_BYTES, length);
        return codeOfNext(length);
    }

    /** The code of a string whose bytes stand somewhere. */
    int code(long address, int bytes) {
        begin();
        long at = room(bytes);
        NativeMemory.copy(address, at + StringIndex.HEADER_BYTES, bytes);
        return codeOfNext(bytes);
    }

    private long room(int bytes) {
        int all = StringIndex.HEADER_BYTES + bytes;
        if (next + all > end) {
            next = slabs.take();
            end = next + Slabs.BLOCK_BYTES;
        }
        NativeMemory.putInt(next, bytes);
        return next;
    }

    /** What stands at the next place stays there only if it is new. */
    private int codeOfNext(int bytes) {
        int known = index.size();
        int code = index.code(next);
        if (index.size() > known) {
            next += (StringIndex.HEADER_BYTES + bytes + 3L) & ~3L;
        }
        return code;
    }
}
