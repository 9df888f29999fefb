package org.starling.compute.internal.build;

import java.nio.charset.StandardCharsets;
import org.starling.net.NativeMemory;

/**
 * Different strings, and where they lie: in blocks of a build, which are given back with all
 * others. Code 0 is the empty string, unless only texts in arrays are added. Confined to the thread
 * that adds; read by others afterwards.
 */
final class StringDictionary {
    private final TextStore texts;
    private final StringIndex index = new StringIndex();

    StringDictionary(Slabs slabs) {
        this.texts = new TextStore(slabs);
    }

    /** Takes the empty string, if there is none yet; every other one does so, too. */
    void begin() {
        if (index.size() == 0) {
            codeOf(texts.room(0));
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
        return code(utf8, 0, utf8.length);
    }

    /** The code of a text in an array; no empty string is taken before it. */
    int code(byte[] utf8, int offset, int length) {
        long at = texts.room(length);
        NativeMemory.copyFromArray(utf8, offset, at + StringIndex.HEADER_BYTES, length);
        return codeOf(at);
    }

    /** The code of a string whose bytes stand somewhere. */
    int code(long address, int bytes) {
        begin();
        long at = texts.room(bytes);
        NativeMemory.copy(address, at + StringIndex.HEADER_BYTES, bytes);
        return codeOf(at);
    }

    /** What stands in the last room stays there only if it is new. */
    private int codeOf(long text) {
        int known = index.size();
        int code = index.code(text);
        if (index.size() > known) {
            texts.keep();
        }
        return code;
    }
}
