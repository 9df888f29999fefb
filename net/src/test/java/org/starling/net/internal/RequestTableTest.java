package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Exporter;
import org.starling.net.MessageType;
import org.starling.net.NetException;
import org.starling.net.NetStatistics;
import org.starling.net.NodeLostException;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;
import org.starling.net.TooManyRequestsException;

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

    private boolean isReceivingThread;
    private final AtomicLong clock = new AtomicLong(1_000);
    private final RequestTable table = new RequestTable(clock::get, 3, () -> isReceivingThread);

    @Test
    void endsOnlyTheRequestsWhoseTimeIsOverAndNamesTheNextDeadline() {
        CompletableFuture<Echo> early = table.add(5, new Echo(), SECOND);
        CompletableFuture<Echo> late = table.add(5, new Echo(), SECOND.multipliedBy(2));

        long next = table.expire(clock.addAndGet(SECOND.toNanos()));

        assertThat(early).isCompletedExceptionally();
        assertThat(early.exceptionNow()).isInstanceOf(RequestTimeoutException.class);
        assertThat(late).isNotDone();
        assertThat(next).isEqualTo(1_000 + SECOND.multipliedBy(2).toNanos());
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void givesARequestOutOnceAndOnlyToTheNodeItWasSentTo() {
        long correlation = table.add(5, new Echo(), SECOND).correlation();

        assertThat(table.take(correlation, 6)).isNull();
        assertThat(table.take(correlation, 5)).isNotNull();
        assertThat(table.take(correlation, 5)).isNull();
        assertThat(table.size()).isZero();
    }

    @Test
    void endsTheRequestsOfALostNodeAndNoOthers() {
        CompletableFuture<Echo> lost = table.add(5, new Echo(), SECOND);
        CompletableFuture<Echo> other = table.add(6, new Echo(), SECOND);

        table.failAll(5, node -> new NodeLostException(node, "gone"));

        assertThat(lost.exceptionNow()).isInstanceOf(NodeLostException.class);
        assertThat(other).isNotDone();
        assertThat(table.hasRequests(5)).isFalse();
        assertThat(table.hasRequests(6)).isTrue();
    }

    @Test
    void refusesRequestsPastItsBound() {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<?> _ = table.add(5, new Echo(), SECOND);
        }

        assertThatThrownBy(() -> table.add(5, new Echo(), SECOND))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessageContaining("3 requests")
                .hasMessageContaining("are waiting for answers already");
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void takesRequestsAgainOnceOthersAreOver() {
        long first = table.add(5, new Echo(), SECOND).correlation();
        CompletableFuture<?> _ = table.add(5, new Echo(), SECOND);
        CompletableFuture<?> _ = table.add(5, new Echo(), SECOND);
        CompletableFuture<?> _ = table.take(first, 5);

        long fourth = table.add(6, new Echo(), SECOND).correlation();

        assertThat(fourth).isNotEqualTo(first);
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void knowsNoLateAnswerOnceTheTimeIsOver() {
        long correlation = table.add(5, new Echo(), SECOND).correlation();

        table.expire(clock.addAndGet(SECOND.toNanos()));

        assertThat(table.take(correlation, 5)).isNull();
        assertThat(table.hasRequests(5)).isFalse();
    }

    @Test
    void letsARequestLiveUntilItsVeryDeadline() {
        CompletableFuture<Echo> future = table.add(5, new Echo(), SECOND);

        table.expire(clock.get() + SECOND.toNanos() - 1);
        assertThat(future).isNotDone();
        table.expire(clock.get() + SECOND.toNanos());
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void comparesDeadlinesRightlyWhenTheClockOverflows() {
        clock.set(Long.MAX_VALUE - 10);
        CompletableFuture<Echo> future = table.add(5, new Echo(), SECOND);

        table.expire(clock.get() + 5);
        assertThat(future).isNotDone();
        table.expire(clock.get() + SECOND.toNanos());
        assertThat(future).isCompletedExceptionally();
    }

    @Test
    void endsAllRequestsWhenItIsClosedAndTakesNoMore() {
        CompletableFuture<Echo> one = table.add(5, new Echo(), SECOND);
        CompletableFuture<Echo> two = table.add(6, new Echo(), SECOND);

        table.close();

        assertThat(one.exceptionNow()).hasMessageContaining("closed");
        assertThat(two.exceptionNow()).hasMessageContaining("closed");
        assertThat(table.size()).isZero();
        assertThatThrownBy(() -> table.add(5, new Echo(), SECOND))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void forgetsWhatItsCallerCancelsOrCompletes() {
        CompletableFuture<Echo> cancelled = table.add(5, new Echo(), SECOND);
        CompletableFuture<Echo> completed = table.add(5, new Echo(), SECOND);
        CompletableFuture<Echo> failed = table.add(5, new Echo(), SECOND);

        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(completed.complete(new Echo())).isTrue();
        assertThat(failed.completeExceptionally(new IllegalStateException("given up"))).isTrue();

        assertThat(table.size()).isZero();
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(completed.complete(new Echo())).isFalse();
        assertThat(table.size()).isZero();
    }

    @Test
    void countsRoundTripsOfAnsweredRequestsOnly() {
        PendingRequest<Echo> answered = table.add(5, new Echo(), SECOND);
        PendingRequest<Echo> late = table.add(5, new Echo(), SECOND);
        clock.addAndGet(250_000);

        assertThat(table.answered(answered.correlation(), 5)).isSameAs(answered);
        table.expire(clock.addAndGet(SECOND.toNanos()));
        assertThat(table.answered(late.correlation(), 5)).isNull();

        NetStatistics.RoundTrips figures = table.roundTrips().figures();
        assertThat(figures.count()).isEqualTo(1);
        assertThat(figures.p50Micros()).isBetween(247.0, 253.0);
        assertThat(figures.maxMicros()).isEqualTo(figures.p999Micros());
        assertThat(table.roundTrips().figures()).isEqualTo(figures);
    }

    @Test
    void refusesToBeWaitedForOnTheReceivingThread() {
        isReceivingThread = true;
        CompletableFuture<Echo> future = table.add(5, new Echo(), SECOND);
        CompletableFuture<String> next = future.thenApply(Object::toString);

        for (CompletableFuture<?> waited : List.of(future, next)) {
            assertThatThrownBy(waited::get).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(waited::join)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("INLINE");
            assertThatThrownBy(() -> waited.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalStateException.class);
        }
        future.complete(new Echo());
        assertThat(future.join()).isEqualTo(new Echo());
    }
}
