package org.starling.benchmarks.studies.calls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.MalformedMessageException;

/** Every technology brings every call and every answer, and nothing that is none. */
final class TechnologyTest {
    private static final long[] ODD_NUMBERS = {
        0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53 | 1, 127, 128
    };

    static Stream<String> names() {
        return Technology.ALL.stream().map(Technology::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void bringsCallsAndAnswersUnchanged(String name) throws Exception {
        Technology technology = Technology.named(name);
        try (Technology.Server server =
                        technology.serve(
                                call ->
                                        new Answer(
                                                call.first() + call.pattern().ordinal(),
                                                call.vector()));
                Technology.Caller caller = technology.connect(server);
                Technology.Caller other = technology.connect(server)) {
            for (CallPattern pattern : CallPattern.values()) {
                Call call = new Call(pattern, Long.MIN_VALUE, 1L << 62 | 1, ODD_NUMBERS);
                assertThat(caller.call(call))
                        .isEqualTo(new Answer(Long.MIN_VALUE + pattern.ordinal(), ODD_NUMBERS));
            }
            Call last = new Call(CallPattern.ECHO_NUMBER, -7, 1, new long[0]);
            assertThat(other.call(last)).isEqualTo(Answer.of(-7));
        }
    }

    @Test
    void knowsNoOtherTechnology() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Technology.named("pigeons"))
                .withMessageContaining("pigeons");
    }

    @Tag("slow")
    @Test
    void servesInAJvmOfItsOwn() throws Exception {
        Technology ours = Technology.named("starling");
        Call call = CallPattern.COUNT_UP.call(3);
        try (Technology.Server server = ChildServer.start(ours);
                Technology.Caller caller = ours.connect(server)) {
            Cost before = server.cost();

            assertThat(caller.call(call)).isEqualTo(CallPattern.answer(call));

            assertThat(server.cost().since(before).allocatedBytes()).isPositive();
        }
    }

    @Test
    void failsWhenAServerAnswersWronglyNowAndThen() {
        AtomicInteger calls = new AtomicInteger();
        PatternsStudy study =
                new PatternsStudy(technology ->
                        technology.serve(call -> {
                            Answer answer = CallPattern.answer(call);
                            return calls.incrementAndGet() % 20 == 0
                                    ? new Answer(answer.number() + 1, answer.vector())
                                    : answer;
                        }));
        Scale tiny = new Scale(Duration.ofMillis(1), 2, 1, 8);

        assertThatThrownBy(() -> study.run(new Contest(tiny, cell -> {})))
                .isInstanceOf(WrongResultException.class);
    }

    @Test
    void answersEveryPatternAsItsNameSays() {
        assertThat(answer(CallPattern.ECHO_NUMBER, 0)).isEqualTo(Answer.of(23416728348467685L));
        assertThat(answer(CallPattern.COUNT_UP, 3))
                .isEqualTo(Answer.of(new long[] {100_000, 100_001, 100_002}));
        assertThat(answer(CallPattern.MEASURE_LENGTH, 9)).isEqualTo(Answer.of(9));
        assertThat(answer(CallPattern.ECHO_VECTOR, 3))
                .isEqualTo(Answer.of(new long[] {0, 40_503, 15_469}));
        assertThat(answer(CallPattern.GREATEST_COMMON_DIVISOR, 0)).isEqualTo(Answer.of(1));
        assertThat(answer(CallPattern.FACTORS, 4))
                .isEqualTo(Answer.of(new long[] {2, 11, 2, 100_003}));
        assertThat(answer(CallPattern.PICK_ELEMENT, 3)).isEqualTo(Answer.of(15_469));
        assertThat(answer(CallPattern.REVERSE, 3))
                .isEqualTo(Answer.of(new long[] {15_469, 40_503, 0}));
    }

    @Test
    void writesTheBytesThatItsLayoutDraws() {
        Call call = new Call(CallPattern.FACTORS, 258, -1, new long[] {7});
        Answer answer = new Answer(3, new long[] {4});

        assertThat(HexFormat.of().formatHex(SocketCalls.bytes(call)))
                .isEqualTo(
                        "00000019"
                                + "05"
                                + "0000000000000102"
                                + "ffffffffffffffff"
                                + "0000000000000007");
        assertThat(HexFormat.of().formatHex(SocketCalls.bytes(answer)))
                .isEqualTo("00000010" + "0000000000000003" + "0000000000000004");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "05",
                "090000000000000000000000000000000a",
                "05000000000000000000000000000000000001"
            })
    void refusesBytesThatAreNoCall(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));

        assertThatThrownBy(() -> SocketCalls.call(bytes))
                .isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "{\"first\":1.5}", "{\"vector\":[x]}"})
    void refusesJsonThatIsNoCall(String text) {
        assertThatThrownBy(() -> new JsonForm().call(text.getBytes(UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<answer number='1'/>",
                "<call pattern='1' first='0'/>",
                "<call pattern='1' first='0' second='0'><e>x</e></call>",
                "<!DOCTYPE call [<!ENTITY e '1'>]>"
                        + "<call pattern='1' first='0' second='0'><e>&e;</e></call>"
            })
    void refusesXmlThatIsNoCall(String text) {
        assertThatThrownBy(() -> new XmlForm().call(text.getBytes(UTF_8)))
                .isInstanceOf(IOException.class);
    }

    private static Answer answer(CallPattern pattern, int size) {
        return CallPattern.answer(pattern.call(size));
    }
}
