package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long until the directory is asked again. */
final class SearchPausesTest {
    private static final long ZONE = 7;
    private static final long OTHER = 8;

    private final SearchPauses pauses = new SearchPauses();

    @Test
    void asksAtOnceAndThenAgainAfterTheLeastPauseWhenThereWasNoAnswer() {
        assertThat(pauses.isOver(ZONE, 0)).isTrue();

        pauses.begin(ZONE, 0);

        assertThat(pauses.isOver(ZONE, SearchPauses.LEAST_NANOS - 1)).isFalse();
        assertThat(pauses.isOver(ZONE, SearchPauses.LEAST_NANOS)).isTrue();
        assertThat(pauses.isOver(OTHER, 0)).isTrue();
    }

    @Test
    void waitsLongerAndLongerWhileThereIsNoneButNotForEver() {
        checkLengthens(false, SearchPauses.MOST_NANOS);
    }

    @Test
    void asksEverySecondWhileThereMayBeOneThatIsAvoided() {
        checkLengthens(true, SearchPauses.AVOIDING_NANOS);
    }

    private void checkLengthens(boolean isAvoiding, long most) {
        long now = 0;
        long before = SearchPauses.LEAST_NANOS;
        for (int i = 0; i < 20; i++) {
            pauses.begin(ZONE, now);
            pauses.lengthen(ZONE, isAvoiding);
            long pause = Math.min(2 * before, most);

            assertThat(pauses.isOver(ZONE, now + pause - 1)).isFalse();
            assertThat(pauses.isOver(ZONE, now + pause)).isTrue();

            now += pause;
            before = pause;
        }
        assertThat(before).isEqualTo(most);
    }

    @Test
    void newsEndThePauseOfAZoneOrOfAll() {
        for (long zone : new long[] {ZONE, OTHER}) {
            pauses.begin(zone, 0);
            pauses.lengthen(zone, false);
        }

        pauses.end(ZONE);

        assertThat(pauses.isOver(ZONE, 1)).isTrue();
        assertThat(pauses.isOver(OTHER, 1)).isFalse();

        pauses.endAll();

        assertThat(pauses.isOver(OTHER, 1)).isTrue();
    }

    @Test
    void anAnswerThatComesAfterTheNewsLengthensNothing() {
        pauses.begin(ZONE, 0);
        pauses.end(ZONE);

        pauses.lengthen(ZONE, false);

        assertThat(pauses.isOver(ZONE, 1)).isTrue();
    }
}
