package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Handler;
import org.starling.net.Responder;
import org.starling.net.TestLimits;

/**
 * Handlers that wait for answers are made up for because they wait, not because they are slow:
 * nobody looks after slow handlers here.
 */
@Timeout(20)
class WaitingHandlersTest {

    private static final int WORKERS = 2;
    private static final int SERVER = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final TestLimits CONFIG = TestLimits.defaults().withWorkers(WORKERS, 16);
    private static final FrameSamples.Question QUESTION = new FrameSamples.Question(1);

    /** How a handler waits for an answer. */
    enum Way {
        GET,
        TIMED_GET,
        JOIN,
        JOIN_OF_WHAT_FOLLOWS;

        void await(CompletableFuture<FrameSamples.Note> answer) {
            try {
                switch (this) {
                    case GET -> answer.get();
                    case TIMED_GET -> answer.get(10, TimeUnit.SECONDS);
                    case JOIN -> answer.join();
                    case JOIN_OF_WHAT_FOLLOWS ->
                            answer.thenApply(FrameSamples.Note::number)
                                    .thenApply(n -> n + 1)
                                    .join();
                }
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void areMadeUpForAtOnceHoweverTheyWait(Way way) throws Exception {
        BlockingQueue<Responder<FrameSamples.Note>> asked = new LinkedBlockingQueue<>();
        CountDownLatch answered = new CountDownLatch(WORKERS);
        CountDownLatch next = new CountDownLatch(1);
        LoopbackRegistry hub = new LoopbackRegistry(null);
        Messenger server = open(SERVER, hub);
        Messenger self = open(1, hub);
        AsyncServer<FrameSamples.Question, FrameSamples.Note> late =
                (source, question, responder) -> asked.add(responder);
        server.serve(FrameSamples.Question.TYPE, Execution.INLINE, late);
        Handler<FrameSamples.Note> waiting =
                (source, note) -> {
                    if (note.number() == 0) {
                        next.countDown();
                    } else {
                        way.await(self.request(SERVER, QUESTION, TIMEOUT, true));
                        answered.countDown();
                    }
                };
        self.handle(FrameSamples.Note.TYPE, Execution.WORKER, waiting);

        try {
            for (int i = 0; i < WORKERS; i++) {
                server.send(1, new FrameSamples.Note(1));
            }
            List<Responder<FrameSamples.Note>> all = List.of(asked.take(), asked.take());
            server.send(1, new FrameSamples.Note(0));

            assertThat(next.await(5, TimeUnit.SECONDS)).as("there is a worker for it").isTrue();
            all.forEach(responder -> responder.respond(new FrameSamples.Note(2)));
            assertThat(answered.await(5, TimeUnit.SECONDS)).isTrue();
        } finally {
            self.close();
            server.close();
        }
    }

    private static Messenger open(int node, LoopbackRegistry hub) {
        Workers workers = new Workers(node, CONFIG.limits(), look -> {});
        LoopbackTransport transport = new LoopbackTransport(hub);
        Messenger messenger =
                new Messenger(
                        node,
                        transport,
                        CONFIG.config(),
                        CONFIG.limits(),
                        workers,
                        System::nanoTime);
        messenger.open(() -> transport.start(messenger));
        return messenger;
    }
}
