package org.starling.net.internal;

import org.jspecify.annotations.Nullable;
import org.starling.net.MessageType;
import org.starling.net.RawSender;

/** The raw path of one sending thread to one node. Confined to that thread. */
final class RingSender implements RawSender {

    private final Messenger messenger;
    private final int node;
    private final int maxBytes;

    private @Nullable OutgoingLink link;

    /**
     * The link's, at hand: to look it up there would be one more cache line in each claim. Null on
     * the receiving thread, which always tells the transport, and whose frames may have to wait in
     * the overflow.
     */
    private @Nullable OutgoingRing ring;

    /** Address of the claimed frame, 0 when there is none. */
    private long frame;

    /** Of the claimed frame, if all of it is used. */
    private long header;

    /** The ring's tail after the last claim of this thread, if nobody claimed meanwhile. */
    private long claimedPosition;

    RingSender(Messenger messenger, int node) {
        this.messenger = messenger;
        this.node = node;
        this.maxBytes = messenger.limits().maxFrameBytes() - FrameLayout.HEADER_BYTES;
    }

    @Override
    public long claim(int rawType, int bytes) {
        if (Integer.compareUnsigned(bytes - 1, maxBytes) >= 0
                || Integer.compareUnsigned(rawType - 1, MessageType.MAX_ID) >= 0
                || frame != 0) {
            throw refused(rawType, bytes);
        }
        int length = FrameLayout.HEADER_BYTES + bytes;
        int frameBytes = FrameLayout.aligned(length);
        OutgoingRing presentRing = ring;
        long address = presentRing == null ? OutgoingRing.FULL : tryClaim(presentRing, frameBytes);
        if (address == OutgoingRing.FULL) {
            address = claimOfLink(frameBytes);
        }
        frame = address;
        header = FrameLayout.header(FrameLayout.RAW, rawType, length);
        return address + FrameLayout.HEADER_BYTES;
    }

    @Override
    public void commit() {
        finish(header);
    }

    @Override
    public void commit(int bytes) {
        int claimedBytes = FrameLayout.length(header) - FrameLayout.HEADER_BYTES;
        if (bytes < 1 || bytes > claimedBytes) {
            throw new IllegalArgumentException(
                    "claimed " + claimedBytes + " bytes, committed " + bytes);
        }
        int usedBytes = FrameLayout.aligned(FrameLayout.HEADER_BYTES + bytes);
        int rest = FrameLayout.aligned(FrameLayout.length(header)) - usedBytes;
        if (rest > 0 && frame != 0) {
            commitRest(frame + usedBytes, FrameLayout.header(FrameLayout.SKIP, 0, rest));
        }
        finish(
                FrameLayout.header(
                        FrameLayout.RAW,
                        FrameLayout.type(header),
                        FrameLayout.HEADER_BYTES + bytes));
    }

    @Override
    public void abort() {
        finish(
                FrameLayout.header(
                        FrameLayout.SKIP, 0, FrameLayout.aligned(FrameLayout.length(header))));
    }

    @Override
    public void flush() {
        if (link != null) {
            messenger.transport().flush(link);
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
     * Overflow is not asked for: it has its turn when the ring must be asked for room.
     */
    @SuppressWarnings("ThreadPriorityCheck") // where nobody else runs it is a short pause
    private long tryClaim(OutgoingRing presentRing, int frameBytes) {
        long tail = presentRing.tail();
        if (tail != claimedPosition && presentRing.isDeferred()) {
            Thread.yield();
            tail = presentRing.tail();
        }
        claimedPosition = tail + frameBytes; // but for the ring's end, once in a lap
        return presentRing.tryClaim(tail, frameBytes);
    }

    /** Waits for room; looks for another link when this one is closed. */
    private long claimOfLink(int frameBytes) {
        OutgoingLink presentLink = link; // once closed it gives nothing any more
        long address =
                presentLink == null ? OutgoingRing.CLOSED : presentLink.claim(frameBytes, false);
        return address != OutgoingRing.CLOSED ? address : claimOnNewLink(frameBytes);
    }

    private long claimOnNewLink(int frameBytes) {
        long began = System.nanoTime();
        OutgoingLink next = messenger.connections().link(node);
        long address = next.claim(frameBytes, false);
        while (address == OutgoingRing.CLOSED) {
            next = messenger.connections().linkAfter(next, began);
            address = next.claim(frameBytes, false);
        }
        link = next;
        ring = messenger.isReceivingThread() ? null : next.ring();
        return address;
    }

    /** Nobody sees it before the frame in front of it is committed. */
    private void commitRest(long address, long rest) {
        if (link != null) {
            link.ring().commit(address, rest);
        }
    }

    /** In the middle of a burst this needs nothing of the link, so no cache line of it either. */
    private void finish(long committed) {
        OutgoingRing presentRing = ring;
        long address = frame;
        frame = 0;
        if (presentRing != null
                && presentRing.isDeferred()
                && !OutgoingLink.isTelling(address, committed)
                && address != 0) {
            presentRing.commit(address, committed);
        } else {
            finishOnLink(address, committed);
        }
    }

    private void finishOnLink(long address, long committed) {
        OutgoingLink presentLink = link;
        if (address == 0 || presentLink == null) {
            throw new IllegalStateException("nothing is claimed");
        }
        presentLink.commit(address, committed);
    }

    private RuntimeException refused(int rawType, int bytes) {
        if (frame != 0) {
            return new IllegalStateException("the last claim is neither committed nor aborted");
        }
        return new IllegalArgumentException(
                "raw block of type %s and %s bytes; types are 1..%s, bytes 1..%s"
                        .formatted(rawType, bytes, MessageType.MAX_ID, maxBytes));
    }
}
