package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.starling.net.NativeMemory;
import org.starling.net.TestLimits;

/** How a link ends while others still use it. */
class OutgoingLinkTest {

    private static final int FRAME_BYTES = 16;
    private static final Messenger MESSENGER =
            TestLimits.defaults()
                    .withRingBytes(Limits.MIN_BUFFER_BYTES)
                    .withConnectTimeout(Duration.ofMillis(1))
                    .messenger(1, new DeafTransport(link -> {}));

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final OutgoingLink link = new OutgoingLink(2, MESSENGER);

    /** A reader sees the state of a link that is being closed before its ring is. */
    @Test
    void leavesARingThatIsStillOpenToWhoeverClosesIt() {
        assertThat(link.tryRelease()).isFalse();
        assertThat(link.ring().isReleased()).isFalse();

        link.close(LinkState.LOST, "over");

        assertThat(link.tryRelease()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void keepsTheRingUntilTheLastSenderHasCommitted() {
        long address = link.ring().claim(FRAME_BYTES);
        link.close(LinkState.LOST, "over");
        assertThat(link.tryRelease()).isFalse();

        link.ring().commit(address, FrameLayout.header(FrameLayout.RAW, 1, FRAME_BYTES));

        assertThat(link.tryRelease()).isTrue();
        assertThat(link.tryRelease()).isTrue();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    /** Another thread has taken it out of the table, as its time is over, but not closed it yet. */
    @Test
    void takesNoFramesWhenItsTimeIsOverWhoeverNoticesFirst() {
        link.awaitSettled();

        assertThat(link.state()).isEqualTo(LinkState.LOST);
        assertThat(link.claim(FRAME_BYTES, false)).isEqualTo(OutgoingRing.CLOSED);
        assertThat(link.tryRelease()).isTrue();
    }
}
