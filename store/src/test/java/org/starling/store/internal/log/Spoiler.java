package org.starling.store.internal.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.starling.net.NativeMemory;

/** Makes disks as a log with a bug would have written or read them. */
final class Spoiler {
    private Spoiler() {}

    /** As if checksums were not looked at. */
    static void recomputeChecksums(FakeDisk disk) {
        for (String path : disk.paths()) {
            byte[] content = disk.content(path);
            ByteBuffer view = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
            int at = MarkLayout.PAGE_BYTES;
            while (at + BlockLayout.ALIGNMENT <= disk.size(path)) {
                int bytes = view.getInt(at + BlockLayout.BLOCK_BYTES_AT);
                boolean plausible =
                        bytes >= BlockLayout.ALIGNMENT
                                && bytes % BlockLayout.ALIGNMENT == 0
                                && at + bytes <= disk.size(path);
                if (!plausible) {
                    break;
                }
                protect(content, at, bytes);
                at += bytes;
            }
        }
    }

    /** As if files had no marks. */
    static void forgetMarks(FakeDisk disk) {
        for (String path : disk.paths()) {
            Arrays.fill(disk.content(path), 0, MarkLayout.PAGE_BYTES, (byte) 0);
        }
    }

    /** As if the cleaner dropped removals wherever it meets them. */
    static void forgetRemovals(FakeDisk disk) {
        for (String path : disk.paths()) {
            byte[] content = disk.content(path);
            long memory = NativeMemory.reserve(content.length);
            NativeMemory.copyFromArray(content, 0, memory, content.length);
            BlockEntries entries = new BlockEntries();
            long at = memory + MarkLayout.PAGE_BYTES;
            while (at < memory + disk.size(path)) {
                entries.wrap(at);
                while (entries.next()) {
                    long record = entries.entry().address();
                    if (entries.entry().kind() == EntryLayout.REMOVE) {
                        int header = NativeMemory.getByte(record) & ~EntryLayout.KIND_MASK;
                        NativeMemory.putByte(record, (byte) (header | EntryLayout.SKIP));
                    }
                }
                at += NativeMemory.getInt(at + BlockLayout.BLOCK_BYTES_AT);
            }
            NativeMemory.copyToArray(memory, content, 0, content.length);
            NativeMemory.release(memory, content.length);
        }
        recomputeChecksums(disk);
    }

    private static void protect(byte[] content, int at, int bytes) {
        long memory = NativeMemory.reserve(bytes);
        NativeMemory.copyFromArray(content, at, memory, bytes);
        BlockLayout.protect(memory, NativeMemory.segment(memory, bytes).asByteBuffer());
        NativeMemory.copyToArray(memory, content, at, bytes);
        NativeMemory.release(memory, bytes);
    }
}
