package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
}
