package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/** Memory for one {@link MarkLayout} page, on its way to a file or from there. Confined. */
final class MarkPage implements AutoCloseable {
    private final long address = NativeMemory.reserve(MarkLayout.PAGE_BYTES);
    private final ByteBuffer view =
            NativeMemory.segment(address, MarkLayout.PAGE_BYTES).asByteBuffer();

    void write(LogFile file, long logId, long zone, int segment, MarkLayout.Mark mark)
            throws IOException {
        MarkLayout.write(address, view, logId, zone, segment, mark);
        file.write(0, address, MarkLayout.PAGE_BYTES);
    }

    /** What the file says; null when there is no whole mark. */
    MarkLayout.@Nullable Mark read(LogFile file, long logId, long zone, int segment)
            throws IOException {
        NativeMemory.fill(address, MarkLayout.PAGE_BYTES, (byte) 0);
        int there = (int) Math.min(file.size(), MarkLayout.PAGE_BYTES);
        file.read(0, address, there);
        return MarkLayout.read(address, view, logId, zone, segment);
    }

    @Override
    public void close() {
        NativeMemory.release(address, MarkLayout.PAGE_BYTES);
    }
}
