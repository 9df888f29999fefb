package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a way that does not bring what was sent is noticed. */
final class OneWayTrialTest {
    private static final Duration SHORT = Duration.ofNanos(100_000);

    /** What goes wrong with the 40th message. */
    enum Fault {
        NONE(""),
        DOUBLED("messages"),
        CUT("bytes"),
        FALSIFIED("as sum of all marks");

        private final String complaint;

        Fault(String complaint) {
            this.complaint = complaint;
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptsOnlyWhatWasSent(Fault fault) throws Exception {
        OneWayTrial trial = OneWayTrial.of(new Faulty(fault), 1, 16);

        if (fault == Fault.NONE) {
            assertThat(trial.measure(SHORT).operations()).isPositive();
        } else {
            assertThatThrownBy(() -> trial.measure(SHORT))
                    .isInstanceOf(WrongResultException.class)
                    .hasMessageContaining(fault.complaint);
        }
    }

    /** Arrives at once, with one thread. */
    private record Faulty(Fault fault, Arrivals mine) implements OneWay {
        Faulty(Fault fault) {
            this(fault, new Arrivals());
        }

        @Override
        public Sender sender(int member) {
            return new Sender() {
                @Override
                public void send(long number, int bytes) {
                    boolean now = number == 40;
                    mine.take(
                            now && fault == Fault.FALSIFIED ? 7 : number,
                            now && fault == Fault.CUT ? bytes - 1 : bytes);
                    if (now && fault == Fault.DOUBLED) {
                        mine.take(number, bytes);
                    }
                }

                @Override
                public void flush() {
                    // nothing is kept back
                }
            };
        }

        @Override
        public List<Arrivals> arrivals() {
            return List.of(mine);
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
