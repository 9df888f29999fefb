package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Moments at which a node of a shuffled hub may read. */
class ReadDelaysTest {
    private final AtomicLong clock = new AtomicLong();

    @Test
    void comeAgainAndAgainAndNeverLaterThanTheBound() {
        ReadDelays delays = new ReadDelays(1, clock::get);
        ReadDelays.Delay link = new ReadDelays.Delay();

        for (int round = 0; round < 100; round++) {
            delays.isDue(link);
            clock.addAndGet(ReadDelays.MAX_DELAY_NANOS);
            assertThat(delays.isDue(link)).isTrue();
        }
    }

    @Test
    void letLinksOvertakeEachOther() {
        ReadDelays delays = new ReadDelays(1, clock::get);
        int firstIsSooner = 0;
        for (int round = 0; round < 1_000; round++) {
            ReadDelays.Delay first = new ReadDelays.Delay();
            ReadDelays.Delay second = new ReadDelays.Delay();
            boolean one = delays.isDue(first);
            boolean other = delays.isDue(second);
            while (!one && !other) {
                clock.addAndGet(1_000);
                one = delays.isDue(first);
                other = delays.isDue(second);
            }
            firstIsSooner += one && !other ? 1 : 0;
        }

        assertThat(firstIsSooner).isBetween(300, 700);
    }
}
