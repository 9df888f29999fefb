package org.starling.net.internal;

import org.starling.net.MalformedMessageException;

/**
 * Reads frames in place in the ring of a sender in the same process. Runs on the receiver's
 * receiving thread.
 */
final class RingReader {

    /** Bytes handled before their room in the ring is given back. */
    private static final int RUN_BYTES = 64 << 10;

    private RingReader() {}

    /** Handles what is committed; returns bytes. */
    static int receive(OutgoingLink link, IncomingLink incoming, Messenger receiver) {
        if (incoming.isClosed() || !link.tryLockDrain()) {
            return 0;
        }
        int bytes = 0;
        try {
            OutgoingRing ring = link.ring();
            bytes = ring.isReleased() ? 0 : ring.scan(RUN_BYTES);
            if (bytes > 0) {
                incoming.consume(ring.address() + ring.sendIndex(), bytes);
                ring.sent(bytes);
            }
        } catch (MalformedMessageException e) {
            receiver.malformed(incoming, e);
        } finally {
            link.unlockDrain();
        }
        if (link.state().isClosed()) {
            link.tryRelease(); // its node is gone and could not do it while this one was reading
        }
        if (incoming.isGoodbye()) {
            receiver.departed(incoming);
        }
        return bytes;
    }
}
