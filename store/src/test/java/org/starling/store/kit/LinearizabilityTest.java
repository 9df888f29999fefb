package org.starling.store.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.kit.Operation.ABSENT;
import static org.starling.store.kit.Operation.NEVER;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starling.store.kit.Operation.Kind;

/** Good histories pass, and histories with each kind of fault of the store do not. */
final class LinearizabilityTest {
    private static Operation write(long value, long begin, long end) {
        return new Operation(7, Kind.WRITE, value, begin, end);
    }

    private static Operation read(long value, long begin, long end) {
        return new Operation(7, Kind.READ, value, begin, end);
    }

    private static Operation remove(long begin, long end) {
        return new Operation(7, Kind.REMOVE, ABSENT, begin, end);
    }

    private static boolean isLinearizable(Operation... operations) {
        return Linearizability.violation(new ArrayList<>(List.of(operations))).isEmpty();
    }

    @Test
    void passesOneAfterTheOther() {
        assertThat(isLinearizable(write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7)))
                .isTrue();
    }

    @Test
    void passesReadsOnBothSidesOfAWriteThatOverlapsThem() {
        assertThat(isLinearizable(write(1, 0, 1), write(2, 2, 9), read(1, 3, 4), read(2, 5, 6)))
                .isTrue();
    }

    @Test
    void passesAnOpenWriteThatTakesEffectLate() {
        assertThat(
                        isLinearizable(
                                write(1, 0, 1),
                                write(2, 2, NEVER),
                                read(1, 3, 4),
                                write(3, 5, 6),
                                read(3, 7, 8),
                                read(2, 9, 10)))
                .isTrue();
    }

    @Test
    void passesAnOpenWriteThatNeverTakesEffect() {
        assertThat(isLinearizable(write(1, 0, 1), write(2, 2, NEVER), read(1, 30, 40))).isTrue();
    }

    @Test
    void passesAnOpenRemoveEitherWay() {
        assertThat(isLinearizable(write(1, 0, 1), remove(2, NEVER), read(1, 3, 4))).isTrue();
        assertThat(isLinearizable(write(1, 0, 1), remove(2, NEVER), read(ABSENT, 3, 4))).isTrue();
    }

    @Test
    void refusesAStaleRead() {
        assertThat(isLinearizable(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).isFalse();
    }

    @Test
    void refusesAnAcknowledgedWriteThatIsLost() {
        assertThat(isLinearizable(write(1, 0, 1), write(2, 2, 3), read(2, 4, 5), read(1, 6, 7)))
                .isFalse();
        assertThat(isLinearizable(write(1, 0, 1), read(ABSENT, 2, 3))).isFalse();
    }

    @Test
    void refusesAChunkThatReappears() {
        assertThat(isLinearizable(write(1, 0, 1), remove(2, 3), read(1, 4, 5))).isFalse();
        assertThat(
                        isLinearizable(
                                write(1, 0, 1),
                                remove(2, NEVER),
                                read(ABSENT, 3, 4),
                                read(1, 5, 6)))
                .isFalse();
    }

    @Test
    void refusesAnOpenWriteThatIsSeenAndThenGone() {
        assertThat(isLinearizable(write(1, 0, 1), write(2, 2, NEVER), read(2, 3, 4), read(1, 5, 6)))
                .isFalse();
    }

    @Test
    void refusesAWriteThatTakesEffectTwice() {
        assertThat(
                        isLinearizable(
                                write(1, 0, NEVER),
                                read(1, 1, 2),
                                write(2, 3, 4),
                                read(2, 5, 6),
                                read(1, 7, 8)))
                .isFalse();
    }

    @Test
    void refusesAValueFromNowhere() {
        assertThat(isLinearizable(write(1, 0, 1), read(5, 2, 3))).isFalse();
    }

    @Test
    void refusesHistoriesInWhichAValueIsWrittenTwice() {
        assertThatThrownBy(() -> isLinearizable(write(1, 0, 1), write(1, 2, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("written twice");
    }

    @Test
    void passesWhatARealRegisterDoesAndRefusesItWithOneReadChanged() {
        for (long seed = 1; seed <= 200; seed++) {
            List<Operation> history = simulated(new Random(seed));

            assertThat(Linearizability.violation(history)).as("seed %d", seed).isEmpty();

            List<Operation> mutated = withAnOldRead(history);
            assertThat(Linearizability.violation(mutated)).as("seed %d", seed).isPresent();
        }
    }

    /**
     * Four clients on one register; each operation takes effect at a random moment inside of it.
     */
    private static List<Operation> simulated(Random random) {
        List<Operation> history = new ArrayList<>();
        List<long[]> moments = new ArrayList<>(); // moment, client's operation number
        long[] free = new long[4];
        List<Operation> planned = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            int client = random.nextInt(free.length);
            long begin = free[client] + 1 + random.nextInt(5);
            long end = begin + 2 + random.nextInt(20);
            free[client] = end;
            boolean isWrite = i == 0 || random.nextInt(3) == 0;
            planned.add(new Operation(7, isWrite ? Kind.WRITE : Kind.READ, i + 1, begin, end));
            moments.add(new long[] {begin + 1 + random.nextInt((int) (end - begin - 1)), i});
        }
        moments.sort((a, b) -> Long.compare(a[0], b[0]));
        long value = ABSENT;
        for (long[] moment : moments) {
            Operation operation = planned.get((int) moment[1]);
            if (operation.changes()) {
                value = operation.value();
                boolean isOpen = random.nextInt(8) == 0;
                history.add(isOpen ? operation.endingAt(NEVER) : operation);
            } else {
                history.add(new Operation(7, Kind.READ, value, operation.begin(), operation.end()));
            }
        }
        return history;
    }

    /** A late read sees again what had been overwritten, and seen to be, long before. */
    private static List<Operation> withAnOldRead(List<Operation> history) {
        List<Operation> mutated = new ArrayList<>(history);
        long last =
                history.stream()
                        .filter(each -> !each.isOpen())
                        .mapToLong(Operation::end)
                        .max()
                        .orElseThrow();
        mutated.add(write(1_000, last + 1, last + 2));
        mutated.add(read(1_000, last + 3, last + 4));
        long old =
                history.stream()
                        .filter(each -> each.changes() && !each.isOpen())
                        .findFirst()
                        .orElseThrow()
                        .value();
        mutated.add(read(old, last + 5, last + 6));
        return mutated;
    }
}
