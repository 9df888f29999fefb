package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Heartbeats and silence, in milliseconds of a clock made by hand. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LossDetectorTest {
    private static final long MILLIS = 1_000_000;

    private final LossDetector detector = new LossDetector(1000 * MILLIS, 200 * MILLIS);

    @Test
    void declaresASilentNodeLostAfterTheTimeout() {
        detector.heard(1, 0);
        detector.heard(2, 0);
        ticksUntil(1000);
        assertThat(detector.overdue(1000 * MILLIS)).isEmpty();
        detector.heard(2, 1000 * MILLIS);

        assertThat(detector.overdue(1200 * MILLIS)).containsExactly(1);
        detector.forget(1);
        assertThat(detector.overdue(1400 * MILLIS)).isEmpty();
    }

    @Test
    void givesEveryoneMoreTimeWhenItWasPausedItself() {
        detector.heard(1, 0);
        ticksUntil(200);

        // A pause of three seconds: heartbeats wait unread, so nobody is to blame.
        assertThat(detector.overdue(3400 * MILLIS)).isEmpty();
        for (long millis = 3600; millis <= 4000; millis += 200) {
            assertThat(detector.overdue(millis * MILLIS)).isEmpty();
        }
        assertThat(detector.overdue(4200 * MILLIS)).containsExactly(1);
    }

    @Test
    void givesANodeTheTimeThatItWasPromisedAlsoWhenItWasPausedItself() {
        detector.heard(1, 5000 * MILLIS);
        ticksUntil(200);
        assertThat(detector.overdue(2000 * MILLIS)).isEmpty();
        for (long millis = 2200; millis <= 6000; millis += 200) {
            assertThat(detector.overdue(millis * MILLIS)).isEmpty();
        }

        assertThat(detector.overdue(6200 * MILLIS)).containsExactly(1);
    }

    private void ticksUntil(long millis) {
        for (long at = 0; at < millis; at += 200) {
            assertThat(detector.overdue(at * MILLIS)).isEmpty();
        }
    }
}
