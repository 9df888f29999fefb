package org.starling.loaders.table;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of a file, mapped. Every place is checked against its end. Confined to one thread. */
final class MappedBytes implements AutoCloseable {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment bytes;

    private MappedBytes(FileChannel file) throws IOException {
        this.bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
    }

    static MappedBytes of(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            return new MappedBytes(file);
        }
    }

    long size() {
        return bytes.byteSize();
    }

    /** Bytes of the file, if it has them. */
    MemorySegment slice(long offset, long length) {
        if (offset < 0 || length < 0 || offset > size() - length) {
            throw new MalformedTableException(
                    "expected %d bytes at byte %d, and the file has %d"
                            .formatted(length, offset, size()));
        }
        return bytes.asSlice(offset, length);
    }

    int intAt(long offset) {
        return slice(offset, Integer.BYTES).get(INT, 0);
    }

    byte[] copy(long offset, int length) {
        return slice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        arena.close();
    }
}
