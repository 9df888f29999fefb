package org.starling.store.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes under kill -9, SIGSTOP and restarts; {@code -Dstarling.killLoop.seed} repeats a
 * run.
 */
@Tag("slow")
final class KillLoopTest {
    private static final Duration DURATION = Duration.ofSeconds(90);

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void losesNothingThatWasAcknowledged(int superpeers, @TempDir Path folder) {
        long seed = Long.getLong("starling.killLoop.seed", System.nanoTime());

        KillLoop.Outcome outcome = KillLoop.ofKills(folder, superpeers, DURATION, seed).run();

        System.out.println(outcome.line());
        assertThat(outcome.isGood())
                .as("seed %d: %s %s", seed, outcome.line(), outcome.faults())
                .isTrue();
        assertThat(outcome.struck()).isPositive();
    }
}
