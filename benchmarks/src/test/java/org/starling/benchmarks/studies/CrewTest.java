package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Threads that make load. */
final class CrewTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void countsWhatAllThreadsDid() throws Exception {
        AtomicInteger steps = new AtomicInteger();

        Tally tally = Crew.run(3, 10, SHORT, member -> steps::incrementAndGet);

        assertThat(tally.operations()).isEqualTo(10L * steps.get());
        assertThat(tally.latency().getTotalCount()).isEqualTo(steps.get());
        assertThat(steps.get()).isGreaterThanOrEqualTo(3);
        assertThat(tally.nanos()).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void endsAllThreadsWhenOneFails() {
        Duration forever = Duration.ofHours(1);

        assertThatThrownBy(() ->
                        Crew.run(
                                3,
                                1,
                                forever,
                                member ->
                                        () -> {
                                            if (member == 1) {
                                                throw new IOException("broken");
                                            }
                                        }))
                .isInstanceOf(IOException.class)
                .hasMessage("broken");
    }

    @Test
    void failsWhenAThreadHasNoStep() {
        assertThatThrownBy(() ->
                        Crew.run(
                                2,
                                1,
                                SHORT,
                                member -> {
                                    throw new IOException("no connection");
                                }))
                .hasMessage("no connection");
    }
}
