package org.starling.compute.internal.run;

import org.starling.net.NativeMemory;

/**
 * What a run knows of one shard between two supersteps, as bytes of a chunk.
 *
 * <pre>
 *   0        4         8           12      16         24         28
 *   +--------+---------+-----------+-------+----------+----------+
 *   | magic  | version | superstep | shard | vertices | sections |  sections …
 *   +--------+---------+-----------+-------+----------+----------+
 *     int      int       int         int     long       int
 *
 *   0      4       8       16
 *   +------+-------+-------+----------+----------+
 *   | kind | width | bytes | bits …   | values … |       a section
 *   +------+-------+-------+----------+----------+
 *     int    int     long    8 bytes    width bytes
 *                            for 64     for each
 *                            vertices   vertex
 * </pre>
 *
 * A section of messages that are not combined has {@code bytes} of them, {@code width} each. {@code
 * superstep} is the one to come. A section has bits, values or both, as its kind says; {@code
 * bytes} is 0 if it has bits and none of them is set. Sections stand in the order of declaration:
 * states, channels, settled vertices, mirrors, messages that are not combined.
 */
final class ShardSnapshotLayout {
    static final int MAGIC = 0x53544153;
    static final int VERSION = 1;
    static final int HEADER_BYTES = 28;
    static final int SECTION_HEADER_BYTES = 16;

    private ShardSnapshotLayout() {}

    static void writeHeader(long address, int superstep, int shard, long vertices, int sections) {
        NativeMemory.putInt(address, MAGIC);
        NativeMemory.putInt(address + 4, VERSION);
        NativeMemory.putInt(address + 8, superstep);
        NativeMemory.putInt(address + 12, shard);
        NativeMemory.putLong(address + 16, vertices);
        NativeMemory.putInt(address + 24, sections);
    }

    /**
     * Throws unless this is the header that is expected.
     *
     * @param vertices of the shard; it had fewer if the program has added some since
     * @return number of vertices that the bytes are of
     */
    static int checkHeader(
            long address, long bytes, int superstep, int shard, int vertices, int sections) {
        check(bytes >= HEADER_BYTES, "length");
        check(NativeMemory.getInt(address) == MAGIC, "magic number");
        check(NativeMemory.getInt(address + 4) == VERSION, "version");
        check(NativeMemory.getInt(address + 8) == superstep, "superstep");
        check(NativeMemory.getInt(address + 12) == shard, "shard");
        long saved = NativeMemory.getLong(address + 16);
        check(saved >= 0 && saved <= vertices, "number of vertices");
        check(NativeMemory.getInt(address + 24) == sections, "number of sections");
        return (int) saved;
    }

    static void writeSectionHeader(long address, int kind, int width, long bytes) {
        NativeMemory.putInt(address, kind);
        NativeMemory.putInt(address + 4, width);
        NativeMemory.putLong(address + 8, bytes);
    }

    /** Bytes of a section, whose kind and width must be these. */
    static long checkSectionHeader(long address, int kind, int width) {
        check(NativeMemory.getInt(address) == kind, "kind of a section");
        check(NativeMemory.getInt(address + 4) == width, "width of values");
        return NativeMemory.getLong(address + 8);
    }

    static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("a checkpoint of a run has a wrong " + what);
        }
    }
}
