package org.starling.benchmarks.studies.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;

/** Every technology brings every call and every answer. */
final class TechnologiesTest {
    private static final long[] ODD_NUMBERS = {
        0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53 | 1, 127, 128
    };

    private final long reservedBytes = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemory() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "starling",
                "starling-workers",
                "starling-sleep",
                "sockets",
                "netty",
                "http-json",
                "http-xml"
            })
    void bringsCallsAndAnswersUnchanged(String name) throws Exception {
        Technology technology = Technologies.named(name);
        AtomicReference<Call> last = new AtomicReference<>();
        Service mirror =
                call -> {
                    last.set(call);
                    return new Answer(call.second(), call.vector());
                };

        try (Server server = technology.serve(mirror);
                Caller caller = technology.connect(server, Route.DIRECT);
                Caller other = technology.connect(server, Route.DIRECT)) {
            for (CallPattern pattern : CallPattern.values()) {
                Call call = new Call(pattern, Long.MIN_VALUE, 1L << 62 | 1, ODD_NUMBERS);

                assertThat(caller.call(call)).isEqualTo(new Answer(1L << 62 | 1, ODD_NUMBERS));
                Call seen = Objects.requireNonNull(last.get());
                assertThat(seen.pattern()).isEqualTo(pattern);
                assertThat(seen.first()).isEqualTo(Long.MIN_VALUE);
            }
            assertThat(other.call(new Call(CallPattern.ECHO_NUMBER, 1, -7)))
                    .isEqualTo(Answer.of(-7));
        }
        assertThat(technology.name()).isEqualTo(name);
    }

    @Test
    void knowsNoOtherTechnology() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Technologies.named("pigeons"))
                .withMessageContaining("pigeons");
    }

    @Test
    void countsTheBytesOfBothDirections() throws Exception {
        Technology sockets = Technologies.named(Technologies.SOCKETS);

        try (CountingRelay relay = new CountingRelay();
                Server server = sockets.serve(CallPattern.MEASURE_LENGTH);
                Caller caller = sockets.connect(server, relay)) {
            Call call = CallPattern.MEASURE_LENGTH.call(100);
            for (int i = 0; i < 3; i++) {
                assertThat(caller.call(call)).isEqualTo(Answer.of(100));
            }

            int callBytes = 4 + 1 + 8 + 8 + 800;
            int answerBytes = 4 + 8;
            assertThat(relay.bytes()).isEqualTo(3L * (callBytes + answerBytes));
        }
    }

    @Test
    void relaysBothDirectionsOfOurConnections() throws Exception {
        Technology ours = Technologies.named(Technologies.STARLING);

        try (CountingRelay relay = new CountingRelay();
                Server server = ours.serve(CallPattern.ECHO_VECTOR);
                Caller caller = ours.connect(server, relay)) {
            Call call = CallPattern.ECHO_VECTOR.call(1000);
            assertThat(caller.call(call).vector()).isEqualTo(call.vector());

            assertThat(relay.bytes()).isBetween(2 * 8_000L, 2 * 8_000L + 1_000);
        }
    }

    @Test
    void servesInAJvmOfItsOwn() throws Exception {
        Technology ours = Technologies.named(Technologies.STARLING);

        try (Server server = ChildServer.start(ours, ServiceKind.PATTERNS);
                Caller caller = ours.connect(server, Route.DIRECT)) {
            Cost before = server.cost();

            assertThat(caller.call(CallPattern.COUNT_UP.call(3)).vector())
                    .isEqualTo(CallPattern.COUNT_UP.answer(CallPattern.COUNT_UP.call(3)).vector());
            assertThat(server.cost().since(before).allocatedBytes()).isPositive();
        }
    }

    @Test
    void mastersHandTasksOutAndAddResultsUp() {
        Service master = ServiceKind.MASTER.create();

        List<Answer> tasks =
                List.of(
                        master.answer(new Call(CallPattern.ECHO_NUMBER, 0, 0)),
                        master.answer(new Call(CallPattern.ECHO_NUMBER, 5, 0)));

        assertThat(tasks).containsExactly(Answer.of(1), Answer.of(2));
        assertThat(master.answer(new Call(CallPattern.ECHO_NUMBER, 6, 1))).isEqualTo(Answer.of(11));
        assertThat(master.answer(new Call(CallPattern.ECHO_NUMBER, 0, 1))).isEqualTo(Answer.of(0));
    }
}
