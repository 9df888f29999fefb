package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are given up, that are too many, and that handlers make. */
@Timeout(30)
class RequestsTest {

    private static final Duration SECONDS_20 = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void freesThePlaceOfACancelledRequestAndDropsItsAnswer(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withMaxPendingRequests(1);

        try (Pair pair = new Pair(kind, config)) {
            CompletableFuture<Responder<Text>> late = pair.serveLate(2);
            Network one = pair.node(1);
            CompletableFuture<Text> first = one.request(2, new Ask(1), SECONDS_20);
            Responder<Text> responder = late.get(10, TimeUnit.SECONDS);

            assertThatThrownBy(() -> one.request(2, new Ask(2), SECONDS_20).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TooManyRequestsException.class)
                    .hasMessageContaining("are waiting for answers already");
            assertThat(first.cancel(true)).isTrue();
            assertThat(one.statistics().queues().pendingRequests()).isZero();
            responder.respond(new Text(1, "too late"));

            assertThat(one.call(2, new Ask(3), SECONDS_20).number()).isEqualTo(3);
            assertThat(one.statistics().malformed()).isZero();
            assertThat(one.statistics().roundTrips().count()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsHandlersCallEachOtherInRingsDeeperThanTheWorkersAre(Pair.Kind kind) throws Exception {
        int nodes = 3;
        int depth = 20;
        TestLimits config = TestLimits.defaults().withWorkers(1, 512);

        try (Pair pair = new Pair(kind, config)) {
            pair.serveInRing(nodes, SECONDS_20);
            List<CompletableFuture<Text>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(pair.node(i % nodes).request((i + 1) % nodes, new Ask(depth)));
            }

            for (CompletableFuture<Text> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS).number()).isEqualTo(depth);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesInlineHandlersThatWaitForAnAnswer(Pair.Kind kind) throws Exception {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();

        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(2);
            pair.node(1).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            node.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, m) -> {
                        CompletableFuture<Text> answer = node.request(1, new Ask(1), SECONDS_20);
                        try {
                            answer.join();
                        } catch (IllegalStateException e) {
                            refusal.complete(e);
                        }
                    });
            pair.node(1).send(2, new Text(1, ""));

            assertThat(refusal.get(10, TimeUnit.SECONDS)).hasMessageContaining("INLINE");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAllRequestsToALostNodeAtOnceAndNoOthers(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            for (int node = 2; node <= 3; node++) {
                pair.node(node).serveAsync(Ask.TYPE, Execution.WORKER, (source, q, r) -> {});
            }
            List<CompletableFuture<Text>> lost = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                lost.add(pair.node(1).request(2, new Ask(i), SECONDS_20));
            }
            CompletableFuture<Text> other = pair.node(1).request(3, new Ask(1), SECONDS_20);
            pair.closeNode(2);

            for (CompletableFuture<Text> future : lost) {
                assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(NodeLostException.class);
            }
            assertThat(other).isNotDone();
            assertThat(pair.node(1).statistics().queues().pendingRequests()).isEqualTo(1);
        }
    }
}
