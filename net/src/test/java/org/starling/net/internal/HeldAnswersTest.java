package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;

@Timeout(30)
class HeldAnswersTest {
    private static final int NEWCOMER = 3;
    private static final int OTHER = 4;

    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<Integer> known = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private long now;
    private int attempts;
    private final HeldAnswers answers = new HeldAnswers(() -> now, later::add);

    private void send(int asker, String text) {
        answers.send(
                asker,
                () -> {
                    attempts++;
                    if (!known.contains(asker)) {
                        throw new NodeUnknownException(asker, "unknown");
                    }
                    sent.add(text);
                });
    }

    /** The pause is over. */
    private void look() {
        List<Runnable> due = new ArrayList<>(later);
        later.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void countsAnAnswerWhoseAskerIsGone() {
        answers.send(
                NEWCOMER,
                () -> {
                    throw new NodeLostException(NEWCOMER, "gone");
                });

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(later).isEmpty();
    }

    @Test
    void countsAnAnswerForWhichTheNetworkIsClosedAlreadyAndLetsItsThreadGoOn() {
        answers.send(
                NEWCOMER,
                () -> {
                    throw new NetException("the network of node 0 is closed");
                });

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(later).isEmpty();
    }

    @Test
    void sendsAllInTheirOrderOnceTheAskerIsKnown() {
        send(NEWCOMER, "one");
        send(NEWCOMER, "two");
        send(OTHER, "of another");
        look();
        assertThat(sent).isEmpty();

        known.add(NEWCOMER);
        look();

        assertThat(sent).containsExactly("one", "two");
        assertThat(answers.held()).isEqualTo(1);
        assertThat(answers.lost()).isZero();
    }

    @Test
    void triesOneAnswerAtATimeHoweverManyAnUnknownAskerHas() {
        for (int i = 0; i < HeldAnswers.MAX_HELD; i++) {
            send(NEWCOMER, "answer");
        }
        attempts = 0;

        look();

        assertThat(attempts).isEqualTo(1);
        assertThat(later).hasSize(1);
    }

    @Test
    void holdsABoundedNumberForABoundedTime() {
        for (int i = 0; i < HeldAnswers.MAX_HELD + 5; i++) {
            send(NEWCOMER, "answer");
        }
        assertThat(answers.lost()).isEqualTo(5);

        now += TimeUnit.SECONDS.toNanos(2);
        look();

        assertThat(answers.lost()).isEqualTo(HeldAnswers.MAX_HELD + 5);
        assertThat(answers.held()).isZero();
        assertThat(later).as("nothing is left to look at").isEmpty();
    }

    @Test
    void losesAnAnswerThatCannotBeSentAndGoesOnWithTheNext() {
        boolean[] isKnown = new boolean[1];
        answers.send(
                NEWCOMER,
                () -> {
                    if (!isKnown[0]) {
                        throw new NodeUnknownException(NEWCOMER, "unknown");
                    }
                    throw new IllegalStateException("can't be written");
                });
        send(NEWCOMER, "next");
        isKnown[0] = true;
        known.add(NEWCOMER);

        look();

        assertThat(sent).containsExactly("next");
        assertThat(answers.lost()).isEqualTo(1);
        assertThat(answers.held()).isZero();
    }

    @Test
    void givesUpWhenItsNetworkIsClosed() {
        send(NEWCOMER, "answer");
        answers.close();

        look();

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(later).isEmpty();
    }
}
