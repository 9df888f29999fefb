package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** How much of a ring leaves in one go while senders add to it. */
@Timeout(10)
class RingWriterTest {

    private static final int FRAME_BYTES = 24;
    private static final int RING_BYTES = 256;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final OutgoingRing ring = new OutgoingRing(RING_BYTES);
    private final RingWriter writer = new RingWriter(ring);
    private final List<Integer> writes = new ArrayList<>();

    /** Frames that a sender adds, one during each write. */
    private int meanwhile;

    /** What the wire takes of each write. */
    private int room = Integer.MAX_VALUE;

    private final WritableByteChannel wire =
            new WritableByteChannel() {
                @Override
                public int write(ByteBuffer from) {
                    int bytes = Math.min(room, from.remaining());
                    from.position(from.position() + bytes);
                    writes.add(bytes);
                    if (meanwhile > 0) {
                        meanwhile--;
                        commitFrame();
                    }
                    return bytes;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            };

    @AfterEach
    void releaseRing() {
        ring.close();
        assertThat(ring.releaseIfQuiet()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void writesInOneGoWhatIsThere() throws IOException {
        commitFrame();
        commitFrame();

        assertThat(writer.write(wire, false)).isEqualTo(2 * FRAME_BYTES);
        assertThat(writer.write(wire, false)).isZero();

        assertThat(writes).containsExactly(2 * FRAME_BYTES);
        assertThat(writer.isCut()).isFalse();
    }

    @Test
    void leavesWhatComesMeanwhileToGather() throws IOException {
        commitFrame();
        commitFrame();
        meanwhile = 3;

        assertThat(writer.write(wire, false)).isEqualTo(2 * FRAME_BYTES);

        assertThat(writes).containsExactly(2 * FRAME_BYTES);
        assertThat(ring.claimedPosition() - ring.sentPosition()).isEqualTo(FRAME_BYTES);
    }

    @Test
    void followsTheOtherSendersUntilTheRingIsEmpty() throws IOException {
        commitFrame();
        meanwhile = 3;

        assertThat(writer.write(wire, true)).isEqualTo(4 * FRAME_BYTES);

        assertThat(writes).hasSize(4);
    }

    @Test
    void goesOnBehindTheEndOfTheRing() throws IOException {
        int frames = RING_BYTES / FRAME_BYTES;
        for (int i = 0; i < frames - 2; i++) {
            commitFrame();
        }
        writer.write(wire, false);
        writes.clear();
        for (int i = 0; i < 4; i++) {
            commitFrame();
        }

        writer.write(wire, false);

        assertThat(writes)
                .containsExactly(2 * FRAME_BYTES + FrameLayout.HEADER_BYTES, 2 * FRAME_BYTES);
    }

    @Test
    void stopsAtAFrameThatIsNotCommitted() throws IOException {
        long slow = ring.claim(FRAME_BYTES);
        commitFrame();

        assertThat(writer.write(wire, false)).isZero();
        assertThat(writer.write(wire, true)).isZero();

        commit(slow);
        assertThat(writer.write(wire, false)).isEqualTo(2 * FRAME_BYTES);
    }

    @Test
    void tellsWhenTheWireIsFullAndBeginsThereTheNextTime() throws IOException {
        commitFrame();
        commitFrame();
        room = 30;

        assertThat(writer.write(wire, false)).isEqualTo(30);
        assertThat(writer.isCut()).isTrue();

        room = Integer.MAX_VALUE;
        assertThat(writer.write(wire, false)).isEqualTo(2 * FRAME_BYTES - 30);
        assertThat(writer.isCut()).isFalse();
        assertThat(writes).containsExactly(30, 2 * FRAME_BYTES - 30);
    }

    private void commitFrame() {
        commit(ring.claim(FRAME_BYTES));
    }

    private void commit(long address) {
        ring.commit(address, FrameLayout.header(FrameLayout.RAW, 1, FRAME_BYTES));
    }
}
