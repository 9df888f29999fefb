package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.starling.net.NativeMemory;

/**
 * Writes the ring of an outgoing link to its wire. Under the link's drain lock.
 *
 * <p>A sender that writes goes on until the ring is empty, which leaves the claims to the others
 * meanwhile. The receiving thread writes what was there when it came: senders that go on add a few
 * frames during each write, and to follow them made four writes of ten KiB out of one of forty.
 */
final class RingWriter {

    private final OutgoingRing ring;
    private final ByteBuffer view;
    private boolean isCut;

    RingWriter(OutgoingRing ring) {
        this.ring = ring;
        this.view = NativeMemory.segment(ring.address(), ring.capacity()).asByteBuffer();
    }

    /**
     * Writes what is committed, as far as the wire takes it.
     *
     * @param isFollowing whether to go on with what is committed meanwhile
     * @return bytes written
     */
    int write(WritableByteChannel wire, boolean isFollowing) throws IOException {
        long goal = isFollowing ? Long.MAX_VALUE : ring.claimedPosition();
        int bytes = 0;
        isCut = false;
        while (!isCut && !ring.isReleased() && ring.sentPosition() < goal) {
            int run = ring.scan(DrainSchedule.WRITE_BYTES);
            if (run == 0) {
                break;
            }
            int index = ring.sendIndex();
            view.limit(index + run).position(index);
            int written = wire.write(view);
            ring.sent(written);
            bytes += written;
            isCut = written < run;
        }
        return bytes;
    }

    /** Whether the wire did not take all that the last {@link #write} gave it. */
    boolean isCut() {
        return isCut;
    }
}
