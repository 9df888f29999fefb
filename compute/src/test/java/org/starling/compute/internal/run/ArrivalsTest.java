package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NodeLostException;

/** What is not counted may be missing, too. */
@Timeout(20)
final class ArrivalsTest {
    private final AtomicIntegerArray breaks = new AtomicIntegerArray(new int[] {0, 3, 0, 5});
    private final List<Integer> asked = new CopyOnWriteArrayList<>();
    private final Slaves slaves = new Slaves(new int[] {1, 2, 3}, 2);
    private final SlaveConnections connections =
            new SlaveConnections(breaks::get, asked::add, slaves);
    private final Arrivals arrivals = new Arrivals();
    private final StopSign stop = new StopSign();

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

    /** An end that this node has not heard of shows when it sends something. */
    @Test
    void areAskedAfterWhenTheyAreLate() throws Exception {
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> arrivals.await(1, 1, stop, connections));
        while (asked.size() < 2) {
            Thread.sleep(5);
        }
        arrivals.add(1, 1);

        waiting.get(10, TimeUnit.SECONDS);
        assertThat(asked).startsWith(1, 3).doesNotContain(2);
    }
}
