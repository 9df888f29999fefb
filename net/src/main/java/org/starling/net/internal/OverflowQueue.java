package org.starling.net.internal;

import java.util.ArrayDeque;
import org.starling.net.NativeMemory;

/**
 * Frames that the receiving thread has sent while the ring was full: it must never wait, because it
 * is the thread that makes room. Confined to the receiving thread. While it holds more than a named
 * bound the network confirms no received bytes, so that what peers can still make it send is
 * bounded by their windows; past {@link #MAX_BYTES} the connection is given up.
 */
final class OverflowQueue {

    /** Past this many bytes no received bytes are confirmed. */
    static final long HIGH_WATER_BYTES = 1 << 20;

    /** Past this many bytes the connection is given up. */
    static final long MAX_BYTES = 256L << 20;

    private static final int MIN_CHUNK_BYTES = 256 << 10;

    private static final class Chunk {
        private final long address;
        private int written;
        private int read;

        private Chunk(long address) {
            this.address = address;
        }
    }

    private final int chunkBytes;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private long bytes;

    OverflowQueue(int maxFrameBytes) {
        chunkBytes = Math.max(MIN_CHUNK_BYTES, maxFrameBytes);
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    long bytes() {
        return bytes;
    }

    /**
     * Claims room for a frame; the caller commits it like a frame of the ring, before anything else
     * happens here.
     */
    long claim(int frameBytes) {
        Chunk last = chunks.peekLast();
        if (last == null || last.written + frameBytes > chunkBytes) {
            last = new Chunk(NativeMemory.reserve(chunkBytes));
            chunks.addLast(last);
        }
        long address = last.address + last.written;
        last.written += frameBytes;
        bytes += frameBytes;
        return address;
    }

    /** Moves frames to the ring while they fit; returns how many bytes were moved. */
    long moveTo(OutgoingRing ring) {
        long before = bytes;
        while (bytes > 0) {
            Chunk chunk = chunks.element();
            if (chunk.read == chunk.written) {
                NativeMemory.release(chunks.remove().address, chunkBytes);
                continue;
            }
            long from = chunk.address + chunk.read;
            long header = NativeMemory.getLong(from);
            int frameBytes = FrameLayout.aligned(FrameLayout.length(header));
            long to = ring.claim(frameBytes);
            if (to == OutgoingRing.FULL || to == OutgoingRing.CLOSED) {
                break;
            }
            NativeMemory.copy(
                    from + FrameLayout.HEADER_BYTES,
                    to + FrameLayout.HEADER_BYTES,
                    frameBytes - FrameLayout.HEADER_BYTES);
            ring.commit(to, header);
            chunk.read += frameBytes;
            bytes -= frameBytes;
        }
        if (bytes == 0) {
            release();
        }
        return before - bytes;
    }

    /** Drops everything. */
    void release() {
        for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
            NativeMemory.release(chunk.address, chunkBytes);
        }
        bytes = 0;
    }
}
