package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom to ask next. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LeaderGuessTest {
    private final LeaderGuess guess = new LeaderGuess(3, 1);

    @Test
    void followsTheNameItIsGiven() {
        assertThat(guess.redirect(1, 2)).isTrue();
        assertThat(guess.current()).isEqualTo(2);
    }

    @Test
    void asksTheNextInTurnWhenNobodyIsNamedOrAnswers() {
        assertThat(guess.redirect(1, -1)).isFalse();
        assertThat(guess.current()).isEqualTo(2);
        guess.failed(2);
        assertThat(guess.current()).isZero();
        assertThat(guess.redirect(0, 0)).as("it named itself and does not lead").isFalse();
        assertThat(guess.current()).isEqualTo(1);
        assertThat(guess.redirect(1, 77)).as("no superpeer").isFalse();
    }

    @Test
    void doesNotLeaveALeaderForTheLateFailureOfAnother() {
        guess.leads(2);
        guess.failed(1);
        guess.redirect(1, 0);

        assertThat(guess.current()).isEqualTo(2);
    }
}
