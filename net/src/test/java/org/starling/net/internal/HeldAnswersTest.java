package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;

@Timeout(30)
class HeldAnswersTest {
    private final HeldAnswers answers = new HeldAnswers();

    @Test
    void countsAnAnswerWhoseAskerIsGone() {
        answers.send(() -> {
            throw new NodeLostException(3, "gone");
        });

        assertThat(answers.lost()).isEqualTo(1);
    }

    @Test
    void triesAgainUntilTheAskerIsKnown() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch sent = new CountDownLatch(1);

        answers.send(() -> {
            if (tries.incrementAndGet() < 3) {
                throw new NodeUnknownException(3, "unknown");
            }
            sent.countDown();
        });

        assertThat(sent.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(answers.lost()).isZero();
    }

    @Test
    void givesUpWhenItsNetworkIsClosed() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(2);
        answers.close();

        answers.send(() -> {
            tried.countDown();
            throw new NodeUnknownException(3, "unknown");
        });

        assertThat(tried.await(10, TimeUnit.SECONDS)).isTrue();
        while (answers.lost() == 0) {
            Thread.onSpinWait();
        }
        assertThat(answers.lost()).isEqualTo(1);
    }
}
