package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class InterruptionTest {
    private final Interruption interruption = new Interruption();
    private final AtomicInteger cancels = new AtomicInteger();

    @Test
    void cancelsAndWaitsForTheCommandToEnd() {
        interruption.onRequest(
                () -> {
                    cancels.incrementAndGet();
                    Thread.ofPlatform().start(() -> interruption.finish(ExitCode.JOB_FAILED));
                },
                Duration.ofSeconds(30));

        assertThat(interruption.request()).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(cancels).hasValue(1);
    }

    @Test
    void keepsTheCodeOfACommandThatEndedByItself() {
        interruption.onRequest(() -> interruption.finish(ExitCode.DONE), Duration.ofSeconds(30));

        assertThat(interruption.request()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void givesUpOnACommandThatDoesNotEnd() {
        interruption.onRequest(cancels::incrementAndGet, Duration.ofMillis(1));

        assertThat(interruption.request()).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(cancels).hasValue(1);
    }

    @Test
    void cancelsAtOnceWhatBeginsAfterTheRequest() {
        interruption.onRequest(() -> {}, Duration.ofMillis(1));
        interruption.request();

        interruption.onRequest(cancels::incrementAndGet, Duration.ofMillis(1));

        assertThat(cancels).hasValue(1);
    }

    @Test
    void leavesAFinishedCommandAlone() {
        interruption.onRequest(cancels::incrementAndGet, Duration.ofSeconds(30));
        interruption.finish(ExitCode.BAD_INPUT);

        assertThat(interruption.request()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cancels).hasValue(0);
    }
}
