package org.starling.net.internal;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.NetConfig;

/**
 * A sender, the thread that reads the ring in its place, and one that ends the link, for Lincheck.
 * Nobody touches a ring that is released, and in the end it is released.
 */
public abstract class LinkEndScenario {

    private static final int FRAME_BYTES = 16;
    private static final Exchange EXCHANGE =
            new Exchange(
                    1,
                    new DeafTransport(link -> {}),
                    NetConfig.defaults().withRingBytes(NetConfig.MIN_BUFFER_BYTES));

    private final OutgoingLink link = new OutgoingLink(2, EXCHANGE);

    /** A frame is sent, unless the link has ended. */
    @Operation
    public void send() {
        long address = link.ring().claim(FRAME_BYTES);
        if (address != OutgoingRing.CLOSED && address != OutgoingRing.FULL) {
            link.commitQuietly(address, FrameLayout.header(FrameLayout.RAW, 1, FRAME_BYTES));
        }
    }

    /** As {@link RingReader} does it. */
    @Operation(nonParallelGroup = "receiving thread")
    public void receive() {
        if (link.tryLockDrain()) {
            OutgoingRing ring = link.ring();
            int bytes = ring.isReleased() ? 0 : ring.scan(ring.capacity());
            if (bytes > 0) {
                ring.sent(bytes);
            }
            link.unlockDrain();
        }
        if (link.isEnded()) {
            release(link);
        }
    }

    /** As {@link Connections} ends a link. */
    @Operation
    public void end() {
        link.close(OutgoingLink.State.LOST, "over");
        link.tryRelease();
    }

    /** Checks the promise. */
    @Validate
    public void theRingIsReleased() {
        end();
        if (!link.tryRelease() || !link.ring().isReleased()) {
            throw new IllegalStateException("the ring is still in use");
        }
    }

    abstract void release(OutgoingLink ended);

    /** The link itself. */
    public static final class Real extends LinkEndScenario {
        @Override
        void release(OutgoingLink ended) {
            ended.tryRelease();
        }
    }

    /** A reader that takes a link that is being closed for a closed one. */
    public static final class ReleasesTooEarly extends LinkEndScenario {
        @Override
        void release(OutgoingLink ended) {
            if (ended.tryLockDrain()) {
                ended.ring().releaseIfQuiet();
                ended.unlockDrain();
            }
        }
    }
}
