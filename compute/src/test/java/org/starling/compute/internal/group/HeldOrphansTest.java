package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.starling.compute.internal.protocol.Attempt;

/** What a slave keeps in mind for masters. */
final class HeldOrphansTest {
    private static final long JOB = 7;
    private static final long[] SOME = {100, 10, 3};
    private static final long[] OTHERS = {200, 20, 4};
    private static final long[] NONE = {};

    private final HeldOrphans held = new HeldOrphans();

    @Test
    void tellsTheLastWordOnly() {
        held.hold(word(1, 1), SOME);
        held.hold(word(1, 2), OTHERS);

        assertThat(held.of(JOB)).isEqualTo(OTHERS);
        assertThat(held.jobs()).containsExactly(JOB);
        assertThat(held.of(8)).isEmpty();
    }

    /** What was told late has been removed in between. */
    @Test
    void refusesOlderWordsAlsoBehindOneThatSaysNothing() {
        held.hold(word(1, 2), NONE);

        assertThatThrownBy(() -> held.hold(word(1, 1), SOME))
                .isInstanceOf(StaleMasterException.class);
        assertThat(held.of(JOB)).isEmpty();
        assertThat(held.jobs()).isEmpty();
        held.hold(word(2, 0), OTHERS);
        assertThatThrownBy(() -> held.hold(word(1, 3), NONE))
                .isInstanceOf(StaleMasterException.class);
        assertThat(held.of(JOB)).isEqualTo(OTHERS);
    }

    @Test
    void givesWhatIsLeftOfAJobThatEndedWithoutItsMasterToOneThatAsks() {
        held.hold(word(1, 1), SOME);
        held.end(JOB, OTHERS);

        assertThatThrownBy(() -> held.hold(word(1, 2), NONE))
                .isInstanceOf(StaleMasterException.class);
        assertThat(held.take(JOB)).containsExactly(100, 10, 3, 200, 20, 4);
        assertThat(held.take(JOB)).isEmpty();
        assertThatThrownBy(() -> held.hold(word(1, 2), SOME))
                .isInstanceOf(StaleMasterException.class);
    }

    @Test
    void forgetsTheEldestJobs() {
        held.hold(word(1, 1), SOME);
        for (long job = 1000; job < 1000 + 4096; job++) {
            held.end(job, NONE);
        }

        assertThat(held.jobs()).isEmpty();
    }

    private static long word(int attempt, int number) {
        return Attempt.of(Attempt.term(JOB, attempt), number);
    }
}
