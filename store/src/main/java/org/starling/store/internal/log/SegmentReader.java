package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.starling.net.NativeMemory;

/**
 * Reads the blocks of one segment file from the front to the end, a window at a time, and gets over
 * what is no block. Confined to a thread. Costs one read for each window and one pass of CRC32C
 * over what it reads.
 */
final class SegmentReader implements AutoCloseable {
    /** Reads at least this much at once. */
    static final int WINDOW_BYTES = 256 << 10;

    private final LogFile file;
    private final int segment;
    private final long zone;
    private final long logId;
    private final long limit;
    private final boolean bodies;

    private long window;
    private int windowCapacity;
    private ByteBuffer view;
    private long windowStart;
    private int windowBytes;

    private long offset;
    private long nextOffset = MarkLayout.PAGE_BYTES;
    private boolean afterHole;
    private boolean intact;
    private boolean whole;

    /**
     * Begins before the first block.
     *
     * @param file the file, closed with the reader
     * @param segment its number
     * @param zone whose blocks these must be
     * @param logId which log's, or 0 for any
     * @param limit bytes of the file that count
     * @param bodies whether to read and check more than headers
     */
    SegmentReader(LogFile file, int segment, long zone, long logId, long limit, boolean bodies) {
        this.file = file;
        this.segment = segment;
        this.zone = zone;
        this.logId = logId;
        this.limit = limit;
        this.bodies = bodies;
        windowCapacity = WINDOW_BYTES;
        window = NativeMemory.reserve(windowCapacity);
        view = NativeMemory.segment(window, windowCapacity).asByteBuffer();
    }

    /** Goes to the next block; false at the end of the file. */
    boolean next() throws IOException {
        afterHole = false;
        offset = nextOffset;
        while (!isHeaderAt(offset)) {
            if (limit - offset < BlockLayout.ALIGNMENT) {
                afterHole |= limit > offset;
                nextOffset = limit;
                return false;
            }
            afterHole = true;
            offset += BlockLayout.ALIGNMENT;
        }
        int bytes = NativeMemory.getInt(block() + BlockLayout.BLOCK_BYTES_AT);
        whole = bytes <= limit - offset;
        nextOffset = whole ? offset + bytes : limit;
        intact = false;
        if (bodies && whole) {
            intact =
                    load(offset, bytes)
                            && BlockLayout.isBodyIntact(
                                    block(), view, Math.toIntExact(offset - windowStart));
        }
        return true;
    }

    private boolean isHeaderAt(long at) throws IOException {
        if (limit - at < BlockLayout.ALIGNMENT || !load(at, BlockLayout.ALIGNMENT)) {
            return false;
        }
        int inWindow = Math.toIntExact(at - windowStart);
        long block = window + inWindow;
        return BlockLayout.headerFault(block, view, inWindow) == null
                && NativeMemory.getLong(block + BlockLayout.ZONE_AT) == zone
                && NativeMemory.getInt(block + BlockLayout.SEGMENT_AT) == segment
                && (logId == 0 || NativeMemory.getLong(block + BlockLayout.LOG_ID_AT) == logId);
    }

    private boolean load(long at, int bytes) throws IOException {
        if (at >= windowStart && at + bytes <= windowStart + windowBytes) {
            return true;
        }
        if (bytes > windowCapacity) {
            NativeMemory.release(window, windowCapacity);
            windowCapacity = bytes;
            window = NativeMemory.reserve(windowCapacity);
            view = NativeMemory.segment(window, windowCapacity).asByteBuffer();
        }
        windowStart = at;
        windowBytes = file.read(at, window, (int) Math.min(windowCapacity, limit - at));
        return windowBytes >= bytes;
    }

    /** Address of the block, header first. */
    long block() {
        return window + (offset - windowStart);
    }

    /** Whether there were bytes that are no block before this one, or before the end. */
    boolean isAfterHole() {
        return afterHole;
    }

    /** Whether the body is as it was written. */
    boolean isIntact() {
        return intact;
    }

    /** Whether all of the body is in memory, intact or not. */
    boolean isWhole() {
        return whole;
    }

    /** Where the block begins in the file. */
    long offset() {
        return offset;
    }

    /** Where the next block would begin. */
    long nextOffset() {
        return nextOffset;
    }

    @Override
    public void close() throws IOException {
        NativeMemory.release(window, windowCapacity);
        file.close();
    }
}
