package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.starling.compute.CheckpointOptions;

/** When checkpoints are due. */
final class CheckpointPaceTest {
    private final AtomicLong clock = new AtomicLong(-5);

    private CheckpointPace pace(Duration interval, int supersteps) {
        return new CheckpointPace(new CheckpointOptions(interval, supersteps), clock::get);
    }

    private void passes(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void waitsForTheInterval() {
        CheckpointPace pace = pace(Duration.ofSeconds(5), 0);

        passes(Duration.ofMillis(4_999));
        assertThat(pace.isDue()).isFalse();
        assertThat(pace.isDue(1_000)).isFalse();
        passes(Duration.ofMillis(1));
        assertThat(pace.isDue()).isTrue();
        pace.made(pace.now());
        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void countsSuperstepsWhereThatIsAskedFor() {
        CheckpointPace pace = pace(Duration.ofDays(1), 3);

        assertThat(pace.isDue(2)).isFalse();
        assertThat(pace.isDue(3)).isTrue();
    }

    @Test
    void takesNoMoreThanATwentiethOfTheTime() {
        CheckpointPace pace = pace(Duration.ofSeconds(5), 0);

        long start = pace.now();
        passes(Duration.ofSeconds(1));
        pace.made(start);

        passes(Duration.ofSeconds(18));
        assertThat(pace.isDue()).isFalse();
        passes(Duration.ofSeconds(1));
        assertThat(pace.isDue()).isTrue();
    }
}
