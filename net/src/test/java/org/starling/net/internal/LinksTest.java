package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.TestLimits;

/** Who goes over all nodes, at the end, finds each that has a link. */
@Timeout(60)
class LinksTest {
    private static final int PEER = 2;
    private static final int ROUNDS = 3_000_000;

    @Test
    void namesANodeWhoseLinkIsJustBeingRetired() throws InterruptedException {
        Messenger messenger =
                TestLimits.defaults()
                        .withRingBytes(Limits.MIN_BUFFER_BYTES)
                        .messenger(1, new DeafTransport(link -> {}));
        OutgoingLink link = new OutgoingLink(PEER, messenger);
        Links links = new Links();
        AtomicLong stage = new AtomicLong(); // odd while the link is in the table
        AtomicLong missed = new AtomicLong();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread closing =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isOver.get()) {
                                long before = stage.get();
                                boolean isThere = links.nodes().anyMatch(node -> node == PEER);
                                if (!isThere && before % 2 == 1 && stage.get() == before) {
                                    missed.incrementAndGet();
                                }
                            }
                        });
        for (int i = 0; i < ROUNDS && missed.get() == 0; i++) {
            links.add(link);
            stage.incrementAndGet();
            links.retire(link); // the receiving thread does this
            stage.incrementAndGet();
            links.removeAllWith(link);
        }
        isOver.set(true);
        closing.join();
        link.close(LinkState.LOST, "over");
        link.tryRelease();

        assertThat(missed).hasValue(0);
    }
}
