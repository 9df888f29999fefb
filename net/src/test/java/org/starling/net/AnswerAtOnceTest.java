package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server on workers that answers some requests without one. */
@Timeout(30)
class AnswerAtOnceTest {
    private static final int SERVER = 1;
    private static final int ASKER = 2;

    private final CountDownLatch release = new CountDownLatch(1);

    /** Answers even numbers at once, refuses 13, and makes the rest wait. */
    private final class Halves implements AsyncServer<Ask, Text> {
        @Override
        public void serve(int source, Ask ask, Responder<Text> responder)
                throws InterruptedException {
            release.await();
            responder.respond(new Text(ask.number(), Thread.currentThread().getName()));
        }

        @Override
        public @Nullable Text answerAtOnce(int source, Ask ask) {
            if (ask.number() == 13) {
                throw new IllegalStateException("unlucky");
            }
            return ask.number() % 2 == 0
                    ? new Text(ask.number(), Thread.currentThread().getName())
                    : null;
        }
    }

    @Test
    void isTheReceivingThreadsWhileWorkersWait() throws Exception {
        LoopbackHub hub = new LoopbackHub();
        try (Network server = Network.open(SERVER, Transports.loopback(hub), NetConfig.defaults());
                Network asker =
                        Network.open(ASKER, Transports.loopback(hub), NetConfig.defaults())) {
            server.serveAsync(Ask.TYPE, Execution.WORKER, new Halves());

            CompletableFuture<Text> slow = asker.request(SERVER, new Ask(1));
            Text quick = asker.request(SERVER, new Ask(2)).get(10, TimeUnit.SECONDS);

            assertThat(quick.text()).doesNotContain("worker");
            assertThat(slow).isNotDone();
            release.countDown();
            assertThat(slow.get(10, TimeUnit.SECONDS).text()).contains("worker");
            assertThatThrownBy(() -> asker.call(SERVER, new Ask(13)))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("unlucky");
        }
    }

    @Test
    void isLeftToWorkersWhileThereIsNoRoomForMore() throws Exception {
        int questions = 1_000;
        String longText = "x".repeat(64 << 10);
        AtomicInteger atOnce = new AtomicInteger();
        CountDownLatch allHaveCome = new CountDownLatch(1);
        try (Pair pair = new Pair(Pair.Kind.LOOPBACK)) {
            Network server = pair.node(SERVER);
            server.handle(Text.TYPE, Execution.INLINE, (source, end) -> allHaveCome.countDown());
            server.serveAsync(
                    Ask.TYPE,
                    Execution.WORKER,
                    new AsyncServer<Ask, Text>() {
                        @Override
                        public void serve(int source, Ask ask, Responder<Text> responder) {
                            responder.respond(new Text(ask.number(), longText));
                        }

                        @Override
                        public Text answerAtOnce(int source, Ask ask) {
                            atOnce.incrementAndGet();
                            return new Text(ask.number(), longText);
                        }
                    });
            Network asker = pair.node(ASKER);
            CountDownLatch takesNothing = new CountDownLatch(1);
            asker.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> {
                        takesNothing.countDown();
                        awaitRelease();
                    });
            server.send(ASKER, new Text(0, "wait"));
            assertThat(takesNothing.await(10, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < questions; i++) {
                answers.add(asker.request(SERVER, new Ask(i)).thenApply(Text::number));
            }
            asker.send(SERVER, new Text(0, "that was all"));

            assertThat(allHaveCome.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(atOnce).hasValueLessThan(questions / 2);
            release.countDown();
            for (int i = 0; i < questions; i++) {
                assertThat(answers.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(i);
            }
        }
    }

    private void awaitRelease() {
        try {
            assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
