package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.CallPattern;
import org.starling.benchmarks.studies.calls.Service;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.net.NativeMemory;

/** Every study, with tiny sizes and servers in this JVM. */
final class StudiesTest {
    private static final Scale TINY = new Scale(Duration.ofNanos(100_000), 2, 2, 8);

    /** As the studies themselves, but no other JVM. */
    private static final CallRig.Host HERE =
            (technology, service) -> technology.serve(service.create());

    static Stream<Expected> studies() {
        return Stream.of(
                new Expected(new SendersStudy(4), 2 * 2 * 4, "messages"),
                new Expected(new WaitingStudy(HERE), 3 * 2, "waiting"),
                new Expected(new PayloadStudy(1, 300_000), 3 + 2, "bytes"),
                new Expected(new AllToAllStudy(), 2 * 2 * 3, "nodes"),
                new Expected(new PatternsStudy(HERE, 5, 50), (2 + 6 * 2) * 5, "pattern"),
                new Expected(new MasterWorkerStudy(HERE), 2 * 3, "workers"),
                new Expected(new ConversionStudy(), 3 * 2 * (4 + 3), "elements"),
                new Expected(new NettyStudy(HERE, 16, 1024), (1 + 3 * 2) * 2 * 2, "pattern"),
                new Expected(new AdjacencyStudy(), 3 * 4, "pass"),
                new Expected(new SearchStudy(), 2, "program"));
    }

    /** A study, how many rows it has at the ends of all ranges, and its first column. */
    record Expected(Study study, int rows, String firstColumn) {
        @Override
        public String toString() {
            return study.name();
        }
    }

    @ParameterizedTest
    @MethodSource("studies")
    void givesAFullTableAndLeavesNoMemory(Expected expected) throws Exception {
        long reservedBytes = NativeMemory.reservedBytes();
        List<String> cells = new ArrayList<>();

        Table table = expected.study().run(new Contest(TINY, cells::add));

        assertThat(table.rows()).hasSize(expected.rows());
        assertThat(table.columns().getFirst()).isEqualTo(expected.firstColumn());
        assertThat(table.columns()).doesNotHaveDuplicates();
        assertThat(cells).doesNotHaveDuplicates().isNotEmpty();
        assertThat(table.csv().lines()).hasSize(expected.rows() + 1);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBytes);
    }

    @Test
    void namesEveryStudyOnceAndTestsAll() {
        Set<String> tested = new HashSet<>();
        studies().forEach(expected -> tested.add(expected.study().name()));

        assertThat(Studies.all())
                .extracting(Study::name)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(tested);
    }

    @ParameterizedTest
    @MethodSource("studiesOfCalls")
    void failsWhenAServerAnswersWrongly(Study study) {
        assertThatThrownBy(() -> study.run(new Contest(TINY, cell -> {})))
                .isInstanceOf(WrongResultException.class);
    }

    static Stream<Study> studiesOfCalls() {
        CallRig.Host liar =
                (technology, service) -> technology.serve(wrongNowAndThen(service.create()));
        return Stream.of(
                new WaitingStudy(liar),
                new PatternsStudy(liar, 5),
                new MasterWorkerStudy(liar),
                new NettyStudy(liar, 16));
    }

    /** Right for the first calls, so that a check of the first answer alone would not see it. */
    private static Service wrongNowAndThen(Service service) {
        int[] calls = {0};
        return call -> {
            Answer answer = service.answer(call);
            synchronized (calls) {
                return ++calls[0] % 20 == 0
                        ? new Answer(answer.number() + 1, answer.vector())
                        : answer;
            }
        };
    }

    @Test
    void failsWhenATaskIsHandedOutTwice() {
        CallRig.Host forgetful =
                (technology, service) -> {
                    Service master = ServiceKind.MASTER.create();
                    return technology.serve(call -> {
                        Answer answer = master.answer(call);
                        boolean again = call.second() == 0 && answer.number() == 7;
                        return again ? Answer.of(6) : answer;
                    });
                };

        assertThatThrownBy(
                        () -> new MasterWorkerStudy(forgetful).run(new Contest(TINY, cell -> {})))
                .isInstanceOf(WrongResultException.class)
                .hasMessageContaining("the sum of all tasks");
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

    private static Answer answer(CallPattern pattern, int size) {
        return pattern.answer(pattern.call(size));
    }
}
