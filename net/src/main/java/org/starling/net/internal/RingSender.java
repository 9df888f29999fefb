package org.starling.net.internal;

import org.jspecify.annotations.Nullable;
import org.starling.net.MessageType;
import org.starling.net.RawSender;

/** The raw path of one sending thread to one node. Confined to that thread. */
final class RingSender implements RawSender {

    private final Exchange exchange;
    private final int node;
    private final int maxBytes;

    private @Nullable OutgoingLink link;

    /** The link's, at hand: to look it up there would be one more cache line in each claim. */
    private @Nullable OutgoingRing ring;

    /** Whether this is the receiving thread, which always tells the transport. */
    private boolean isReceivingThread;

    private long frame;
    private int type;
    private int claimedBytes;

    /** The ring's tail after the last claim of this thread, if nobody claimed meanwhile. */
    private long claimedPosition;

    RingSender(Exchange exchange, int node) {
        this.exchange = exchange;
        this.node = node;
        this.maxBytes = exchange.config().maxFrameBytes() - FrameLayout.HEADER_BYTES;
    }

    @Override
    public long claim(int rawType, int bytes) {
        if (bytes < 1
                || bytes > maxBytes
                || rawType < 1
                || rawType > MessageType.MAX_ID
                || frame != 0) {
            throw refused(rawType, bytes);
        }
        int frameBytes = FrameLayout.aligned(FrameLayout.HEADER_BYTES + bytes);
        OutgoingLink presentLink = link; // once closed it gives nothing any more
        OutgoingRing presentRing = ring;
        long address =
                presentLink == null || presentRing == null
                        ? OutgoingRing.CLOSED
                        : claim(presentLink, presentRing, frameBytes);
        if (address == OutgoingRing.CLOSED) {
            address = claimOnNewLink(frameBytes);
        }
        frame = address;
        type = rawType;
        claimedBytes = bytes;
        return address + FrameLayout.HEADER_BYTES;
    }

    @Override
    public void commit() {
        finish(FrameLayout.header(FrameLayout.RAW, type, FrameLayout.HEADER_BYTES + claimedBytes));
    }

    @Override
    public void commit(int bytes) {
        if (bytes < 1 || bytes > claimedBytes) {
            throw new IllegalArgumentException(
                    "claimed " + claimedBytes + " bytes, committed " + bytes);
        }
        int usedBytes = FrameLayout.aligned(FrameLayout.HEADER_BYTES + bytes);
        int rest = FrameLayout.aligned(FrameLayout.HEADER_BYTES + claimedBytes) - usedBytes;
        if (rest > 0 && frame != 0) {
            commitRest(frame + usedBytes, FrameLayout.header(FrameLayout.SKIP, 0, rest));
        }
        finish(FrameLayout.header(FrameLayout.RAW, type, FrameLayout.HEADER_BYTES + bytes));
    }

    @Override
    public void abort() {
        finish(
                FrameLayout.header(
                        FrameLayout.SKIP,
                        0,
                        FrameLayout.aligned(FrameLayout.HEADER_BYTES + claimedBytes)));
    }

    @Override
    public void flush() {
        if (link != null) {
            exchange.transport().flush(link);
        }
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    /**
     * Claims, but lets others go on for a moment if they have claimed since this thread did, in the
     * middle of a burst: frames of several threads side by side share cache lines, which then go
     * from core to core with each frame, while those that one thread writes in a row cost a third.
     */
    @SuppressWarnings("ThreadPriorityCheck") // where nobody else runs it is a short pause
    private long claim(OutgoingLink presentLink, OutgoingRing presentRing, int frameBytes) {
        long tail = presentRing.tail();
        if (tail != claimedPosition && presentRing.isDeferred()) {
            Thread.yield();
            tail = presentRing.tail();
        }
        claimedPosition = tail + frameBytes; // but for the ring's end, once in a lap
        long address =
                presentRing.isOverflowing()
                        ? OutgoingRing.FULL
                        : presentRing.tryClaim(tail, frameBytes);
        return address != OutgoingRing.FULL ? address : presentLink.claim(frameBytes, false);
    }

    private long claimOnNewLink(int frameBytes) {
        long began = System.nanoTime();
        OutgoingLink next = exchange.connections().link(node);
        long address = next.claim(frameBytes, false);
        while (address == OutgoingRing.CLOSED) {
            next = exchange.connections().linkAfter(next, began);
            address = next.claim(frameBytes, false);
        }
        link = next;
        ring = next.ring();
        isReceivingThread = exchange.isReceivingThread();
        return address;
    }

    /** Nobody sees it before the frame in front of it is committed. */
    private void commitRest(long address, long header) {
        if (link != null) {
            link.commitQuietly(address, header);
        }
    }

    /** In the middle of a burst this needs nothing of the link, so no cache line of it either. */
    private void finish(long header) {
        OutgoingLink target = link;
        OutgoingRing targetRing = ring;
        long address = frame;
        if (address == 0 || target == null || targetRing == null) {
            throw new IllegalStateException("nothing is claimed");
        }
        frame = 0;
        if (targetRing.isDeferred()
                && !OutgoingLink.isTelling(address, header)
                && !isReceivingThread) {
            targetRing.commit(address, header);
        } else {
            target.commit(address, header);
        }
    }

    private RuntimeException refused(int rawType, int bytes) {
        if (frame != 0) {
            return new IllegalStateException("the last claim is neither committed nor aborted");
        }
        return new IllegalArgumentException(
                "raw block of type "
                        + rawType
                        + " and "
                        + bytes
                        + " bytes; types are 1.."
                        + MessageType.MAX_ID
                        + ", bytes 1.."
                        + maxBytes);
    }
}
