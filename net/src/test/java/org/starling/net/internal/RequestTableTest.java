package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Exporter;
import org.starling.net.MessageType;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;

/** Deadlines on a clock moved by hand. */
@Timeout(10)
class RequestTableTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private record Echo() implements Request<Echo> {
        private static final MessageType<Echo> TYPE =
                new MessageType<>(1, "echo", in -> new Echo());

        @Override
        public MessageType<Echo> type() {
            return TYPE;
        }

        @Override
        public MessageType<Echo> responseType() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            // it has no fields
        }
    }

    private final AtomicLong clock = new AtomicLong(1_000);
    private final RequestTable table = new RequestTable(clock::get, 3);

    @Test
    void endsOnlyTheRequestsWhoseTimeIsOverAndNamesTheNextDeadline() {
        CompletableFuture<Echo> early = new CompletableFuture<>();
        CompletableFuture<Echo> late = new CompletableFuture<>();
        table.add(5, new Echo(), SECOND, early);
        table.add(5, new Echo(), SECOND.multipliedBy(2), late);

        long next = table.expire(clock.addAndGet(SECOND.toNanos()));

        assertThat(early).isCompletedExceptionally();
        assertThat(early.exceptionNow()).isInstanceOf(RequestTimeoutException.class);
        assertThat(late).isNotDone();
        assertThat(next).isEqualTo(1_000 + SECOND.multipliedBy(2).toNanos());
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void givesARequestOutOnceAndOnlyToTheNodeItWasSentTo() {
        long correlation = table.add(5, new Echo(), SECOND, new CompletableFuture<>());

        assertThat(table.take(correlation, 6)).isNull();
        assertThat(table.take(correlation, 5)).isNotNull();
        assertThat(table.take(correlation, 5)).isNull();
        assertThat(table.size()).isZero();
    }

    @Test
    void endsTheRequestsOfALostNodeAndNoOthers() {
        CompletableFuture<Echo> lost = new CompletableFuture<>();
        CompletableFuture<Echo> other = new CompletableFuture<>();
        table.add(5, new Echo(), SECOND, lost);
        table.add(6, new Echo(), SECOND, other);

        table.failAll(5, node -> new NodeLostException(node, "gone"));

        assertThat(lost.exceptionNow()).isInstanceOf(NodeLostException.class);
        assertThat(other).isNotDone();
        assertThat(table.hasRequests(5)).isFalse();
        assertThat(table.hasRequests(6)).isTrue();
    }

    @Test
    void refusesRequestsPastItsBound() {
        for (int i = 0; i < 3; i++) {
            table.add(5, new Echo(), SECOND, new CompletableFuture<>());
        }

        assertThatThrownBy(() -> table.add(5, new Echo(), SECOND, new CompletableFuture<>()))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("3 requests");
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void takesRequestsAgainOnceOthersAreOver() {
        long first = table.add(5, new Echo(), SECOND, new CompletableFuture<>());
        table.add(5, new Echo(), SECOND, new CompletableFuture<>());
        table.add(5, new Echo(), SECOND, new CompletableFuture<>());
        table.take(first, 5);

        long fourth = table.add(6, new Echo(), SECOND, new CompletableFuture<>());

        assertThat(fourth).isNotEqualTo(first);
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void knowsNoLateAnswerOnceTheTimeIsOver() {
        long correlation = table.add(5, new Echo(), SECOND, new CompletableFuture<>());

        table.expire(clock.addAndGet(SECOND.toNanos()));

        assertThat(table.take(correlation, 5)).isNull();
        assertThat(table.hasRequests(5)).isFalse();
    }

    @Test
    void letsARequestLiveUntilItsVeryDeadline() {
        CompletableFuture<Echo> future = new CompletableFuture<>();
        table.add(5, new Echo(), SECOND, future);

        table.expire(clock.get() + SECOND.toNanos() - 1);
        assertThat(future).isNotDone();
        table.expire(clock.get() + SECOND.toNanos());
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void comparesDeadlinesRightlyWhenTheClockOverflows() {
        clock.set(Long.MAX_VALUE - 10);
        CompletableFuture<Echo> future = new CompletableFuture<>();
        table.add(5, new Echo(), SECOND, future);

        table.expire(clock.get() + 5);
        assertThat(future).isNotDone();
        table.expire(clock.get() + SECOND.toNanos());
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void endsAllRequestsWhenItIsClosedAndTakesNoMore() {
        CompletableFuture<Echo> one = new CompletableFuture<>();
        CompletableFuture<Echo> two = new CompletableFuture<>();
        table.add(5, new Echo(), SECOND, one);
        table.add(6, new Echo(), SECOND, two);

        table.close();

        assertThat(one.exceptionNow()).hasMessageContaining("closed");
        assertThat(two.exceptionNow()).hasMessageContaining("closed");
        assertThat(table.size()).isZero();
        assertThatThrownBy(() -> table.add(5, new Echo(), SECOND, new CompletableFuture<>()))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("closed");
    }
}
