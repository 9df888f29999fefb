package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NodeLostException;

/** What is not counted may be missing, too. */
@Timeout(20)
final class ArrivalsTest {
    private final AtomicIntegerArray breaks = new AtomicIntegerArray(new int[] {0, 3, 0, 5});
    private final List<Integer> asked = new CopyOnWriteArrayList<>();
    private boolean isBeginning = true;
    private int silent;
    private final Slaves slaves = new Slaves(new int[] {1, 2, 3}, 2);
    private final SlaveConnections connections =
            new SlaveConnections(breaks::get, this::ask, slaves);
    private final Arrivals arrivals = new Arrivals();
    private final StopSign stop = new StopSign();

    @BeforeEach
    void begin() {
        isBeginning = false;
    }

    private CompletableFuture<?> ask(int node, Duration timeout) {
        asked.add(node);
        breaks.getAndAdd(node, isBeginning ? 1 : 0); // it connects anew
        return node == silent
                ? CompletableFuture.failedFuture(new NodeLostException(node, "on purpose"))
                : CompletableFuture.completedFuture(null);
    }

    /** It hears then that this end is closed, and what that adds is of before, too. */
    @Test
    void beginWhenWhoseConnectionHasBrokenBeforeHasAnswered() {
        assertThat(asked).containsExactly(1, 3);
        assertThatCode(() -> arrivals.take(1, 0, stop, connections)).doesNotThrowAnyException();
        silent = 3;

        assertThatThrownBy(() -> new SlaveConnections(breaks::get, this::ask, slaves))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("node 3 does not answer node 2");
    }

    @Test
    void sayNothingOfBreaksOfBefore() {
        arrivals.add(1, 2);

        assertThatCode(() -> arrivals.take(1, 2, stop, connections)).doesNotThrowAnyException();
    }

    @Test
    void areNotBelievedWhenAConnectionHasBroken() {
        arrivals.add(1, 2);
        breaks.incrementAndGet(3);

        assertThatThrownBy(() -> arrivals.take(1, 2, stop, connections))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("the connection between the nodes 2 and 3 broke");
    }

    @Test
    void areNotWaitedForWhenAConnectionBreaks() throws Exception {
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> arrivals.await(1, 2, stop, connections));
        arrivals.add(1, 1);
        breaks.incrementAndGet(1);

        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NodeLostException.class);
    }

    /** It was refused once, and what it had to send has come. */
    @Test
    void areBelievedOfWhoCouldNotBeReachedMeanwhile() throws Exception {
        silent = 3;
        connections.probe();
        while (asked.size() < 4) { // two when it began
            Thread.sleep(5);
        }
        arrivals.add(1, 1);

        assertThatCode(() -> arrivals.take(1, 1, stop, connections)).doesNotThrowAnyException();
    }

    /** Somebody could not be reached while another wait was under way, or not until it was over. */
    @Test
    void areWaitedForWhateverAnEarlierWaitHasFound() throws Exception {
        silent = 3;
        connections.beginWait();
        connections.probe();
        while (asked.size() < 4) {
            Thread.sleep(5);
        }
        silent = 0;
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> arrivals.await(1, 1, stop, connections));
        Thread.sleep(60);
        arrivals.add(1, 1);

        waiting.get(10, TimeUnit.SECONDS);
    }

    /** What an earlier wait has found comes in the moment in which the next one begins. */
    @Test
    void areWaitedForThoughAnEarlierWaitFindsSomethingAsTheNextOneBegins() {
        AtomicReference<CompletableFuture<?>> question = new AtomicReference<>();
        SlaveConnections late =
                new SlaveConnections(
                        _ -> 0,
                        (_, _) -> {
                            CompletableFuture<?> answer = new CompletableFuture<>();
                            question.set(answer);
                            return answer;
                        },
                        new Slaves(new int[] {1, 2}, 2));
        for (int round = 0; round < 5_000; round++) {
            late.beginWait();
            question.set(null);
            while (question.get() == null) {
                late.probe();
                Thread.onSpinWait();
            }
            CompletableFuture<?> asked = question.get();
            CompletableFuture<?> found =
                    CompletableFuture.runAsync(
                            () -> asked.completeExceptionally(new NodeLostException(1, "late")));
            for (int i = round % 400; i > 0; i--) {
                Thread.onSpinWait();
            }
            late.beginWait();
            found.join();

            assertThatCode(late::checkWait).doesNotThrowAnyException();
        }
    }

    /** Without a connection none breaks. */
    @Test
    void areNotWaitedForFromWhoCannotBeReached() {
        silent = 3;
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> arrivals.await(1, 1, stop, connections));

        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NodeLostException.class)
                .hasMessageContaining("node 2 can't reach node 3");
    }

    /** An end that this node has not heard of shows when it sends something. */
    @Test
    void areAskedAfterWhenTheyAreLate() throws Exception {
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> arrivals.await(1, 1, stop, connections));
        asked.clear();
        while (asked.size() < 2) {
            Thread.sleep(5);
        }
        arrivals.add(1, 1);

        waiting.get(10, TimeUnit.SECONDS);
        assertThat(asked).contains(1, 3).doesNotContain(2);
    }
}
