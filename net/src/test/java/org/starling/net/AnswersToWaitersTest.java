package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers that a waiting thread takes in itself: as if the receiving thread had. Where the machine
 * is so busy that no thread does, there is nothing to be seen, which is said.
 */
@Timeout(60)
final class AnswersToWaitersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MANY = 20_000;
    private static final int LEVELS = 8_000;

    /** Who has read the last answer. */
    private static final AtomicReference<@Nullable Thread> READER = new AtomicReference<>();

    private static final int GOOD = 0;
    private static final int MALFORMED = 1;

    /** Its reader ends whoever reads it. */
    private static final int FATAL = 2;

    /** Its reader needs some stack. */
    private static final int DEEP = 3;

    private record Answer(int kind) implements Message {
        static final MessageType<Answer> TYPE = new MessageType<>(210, "answer", Answer::read);

        private static Answer read(Importer in) {
            READER.set(Thread.currentThread());
            int kind = in.readInt();
            return switch (kind) {
                case MALFORMED -> throw new MalformedMessageException("on purpose");
                case FATAL -> throw new AssertionError("on purpose");
                case DEEP -> new Answer(kind + nest(LEVELS) - LEVELS);
                default -> new Answer(kind);
            };
        }

        private static int nest(int depth) {
            return depth == 0 ? 0 : 1 + nest(depth - 1);
        }

        @Override
        public MessageType<Answer> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(kind);
        }
    }

    private record Question(int kind) implements Request<Answer> {
        static final MessageType<Question> TYPE =
                new MessageType<>(211, "question", in -> new Question(in.readInt()));

        @Override
        public MessageType<Question> type() {
            return TYPE;
        }

        @Override
        public MessageType<Answer> responseType() {
            return Answer.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(kind);
        }
    }

    private static Pair pair() throws Exception {
        Pair pair = new Pair(Pair.Kind.ETHERNET);
        pair.spins(2);
        pair.node(2)
                .serveAsync(
                        Question.TYPE,
                        Execution.INLINE,
                        (source, question, to) -> to.respond(new Answer(question.kind())));
        Answer _ = pair.node(1).call(2, new Question(GOOD), PATIENCE);
        return pair;
    }

    private static CompletableFuture<Answer> ask(Network network, int kind) {
        return network.request(2, new Question(kind), PATIENCE);
    }

    /** Asks until the calling thread has taken in an answer. */
    private static boolean borrows(Network network) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        for (int i = 0; i < MANY && System.nanoTime() - end < 0; i++) {
            Answer _ = ask(network, GOOD).join();
            if (isReader()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReader() {
        return Thread.currentThread().equals(READER.get());
    }

    private static void assume(boolean wasBorrowed) {
        Assumptions.assumeTrue(wasBorrowed, "the machine is busy: no thread received itself");
    }

    @Test
    void loseTheNodeThatHasSentWhatCannotBeRead() throws Exception {
        boolean hasRead = false;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
        while (!hasRead && System.nanoTime() - end < 0) {
            try (Pair pair = pair()) {
                Network network = pair.node(1);
                Set<Integer> lost = ConcurrentHashMap.newKeySet();
                network.onNodeLost(lost::add);
                assume(borrows(network));

                READER.set(null);
                CompletableFuture<Answer> answer = ask(network, MALFORMED);
                hasRead = triesToJoin(answer);

                Await.that(() -> lost.contains(2));
                assertThat(network.statistics().malformed()).isOne();
            }
        }
    }

    /** Whether this thread was the first to read it. */
    private static boolean triesToJoin(CompletableFuture<Answer> answer) {
        AtomicReference<@Nullable Thread> last = new AtomicReference<>();
        assertThatThrownBy(
                        () -> {
                            try {
                                Answer _ = answer.join();
                            } finally {
                                last.set(READER.get());
                            }
                        })
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NodeLostException.class);
        return Thread.currentThread().equals(last.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endTheirRequestThoughTheyEndTheReceivingThread(boolean isBorrowed) throws Exception {
        try (Pair pair = pair()) {
            Network network = pair.node(1);
            if (isBorrowed) {
                assume(borrows(network));
            }
            CompletableFuture<Answer> answer = ask(network, FATAL);

            assertThatThrownBy(() -> answer.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NodeLostException.class)
                    .hasMessageContaining("the receiving thread of node 1 has failed");
        }
    }

    /** What does not fit on the stack of who waits is for the receiving thread. */
    @Tag("thorough")
    @Test
    void areReadThoughWhoWaitsHasLittleStackLeft() throws Exception {
        try (Pair pair = pair()) {
            Network network = pair.node(1);
            AtomicBoolean wasBorrowed = new AtomicBoolean();
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            Thread small =
                    new Thread(
                            null,
                            () -> {
                                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
                                try { // a busy machine lends nothing
                                    for (int i = 0; i < 200 && System.nanoTime() < end; i++) {
                                        wasBorrowed.compareAndSet(false, borrows(network));
                                        Answer _ = ask(network, DEEP).join();
                                    }
                                } catch (RuntimeException e) {
                                    failure.set(e);
                                }
                            },
                            "small",
                            256 << 10);
            small.start();
            small.join();

            assertThat(failure.get()).isNull();
            assertThat(network.statistics().malformed()).isZero();
            assume(wasBorrowed.get());
        }
    }

    /** The last frame is one that a waiting thread has left in the buffer; nothing follows it. */
    @Tag("thorough")
    @Test
    void leaveWhatComesWithThemToTheReceivingThread() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        AtomicReference<@Nullable Thread> wrong = new AtomicReference<>();
        try (Pair pair = new Pair(Pair.Kind.ETHERNET)) {
            pair.spins(2);
            Network network = pair.node(1);
            Network other = pair.node(2);
            network.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> {
                        if (!Thread.currentThread().getName().startsWith("net-receive")) {
                            wrong.set(Thread.currentThread());
                        }
                        taken.incrementAndGet();
                    });
            other.serveAsync(
                    Question.TYPE,
                    Execution.INLINE,
                    (source, question, to) -> {
                        boolean isCrowded = question.kind() == DEEP;
                        if (isCrowded) {
                            other.send(1, new Text(1, ""));
                        }
                        to.respond(new Answer(GOOD));
                        if (isCrowded) {
                            other.send(1, new Text(2, ""));
                        }
                    });
            boolean isBorrowed = true;
            for (int i = 1; i <= 100 && isBorrowed; i++) {
                isBorrowed = borrows(network);
                Answer _ = ask(network, DEEP).join();
                int all = 2 * i;
                Await.that(() -> taken.get() == all);
            }
            assertThat(wrong.get()).isNull();
            assume(isBorrowed);
        }
    }

    /** A thread waits for something else while the only request under way is another one's. */
    @Tag("thorough")
    @Test
    void runNothingOfOthersThatAreWaitedForNowhere() throws Exception {
        try (Pair pair = pair()) {
            Network network = pair.node(1);
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicReference<@Nullable CompletableFuture<Integer>> awaited = new AtomicReference<>();
            Set<Thread> runners = ConcurrentHashMap.newKeySet();
            Thread asking =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!isOver.get()) {
                                    AtomicBoolean isDone = new AtomicBoolean();
                                    var _ =
                                            ask(network, GOOD)
                                                    .whenComplete((answer, e) -> {
                                                        runners.add(Thread.currentThread());
                                                        isDone.set(true);
                                                        var next = awaited.getAndSet(null);
                                                        if (next != null) {
                                                            var _ = next.completeAsync(() -> 1);
                                                        }
                                                    });
                                    while (!isDone.get()) {
                                        Thread.onSpinWait();
                                    }
                                }
                            });
            for (int i = 0; i < MANY / 4; i++) {
                CompletableFuture<Integer> other = network.newAnswer(() -> {});
                awaited.set(other);
                int _ = other.join();
            }
            isOver.set(true);
            asking.join();

            assertThat(runners).doesNotContain(Thread.currentThread());
        }
    }

    /** And at once, whoever else is at work. */
    @Test
    void endThoseOfOthersInTheirOrder() throws Exception {
        try (Pair pair = pair()) {
            Network network = pair.node(1);
            boolean isBorrowed = borrows(network);
            assume(isBorrowed);
            for (int i = 0; i < 20 && isBorrowed; i++) {
                List<CompletableFuture<Integer>> others =
                        CompletableFuture.supplyAsync(() -> newAnswers(network)).join();
                List<CompletableFuture<Integer>> ended = new CopyOnWriteArrayList<>();
                for (CompletableFuture<Integer> each : others) {
                    var _ = each.thenAccept(_ -> ended.add(each));
                }
                CompletableFuture<Integer> mine = network.newAnswer(() -> {});
                var _ =
                        ask(network, GOOD)
                                .whenComplete((answer, failure) -> {
                                    others.forEach(each -> each.complete(1));
                                    mine.complete(1);
                                });
                mine.join();

                Await.that(() -> ended.size() == others.size());
                assertThat(ended).isEqualTo(others);
                isBorrowed = borrows(network);
            }
        }
    }

    private static List<CompletableFuture<Integer>> newAnswers(Network network) {
        return Stream.generate(() -> network.<Integer>newAnswer(() -> {})).limit(64).toList();
    }

    /** Questions of several threads have gone together in the request of one of them. */
    @Tag("thorough")
    @Test
    void runNothingOfOthersThatHaveAskedTogether() throws Exception {
        try (Pair pair = pair()) {
            Network network = pair.node(1);
            SynchronousQueue<CompletableFuture<Integer>> others = new SynchronousQueue<>();
            Thread waiting = Thread.currentThread();
            AtomicBoolean isWaiting = new AtomicBoolean();
            AtomicInteger inside = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicInteger failed = new AtomicInteger();
            Thread asking =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!isOver.get()) {
                                    CompletableFuture<Integer> its = network.newAnswer(() -> {});
                                    var _ =
                                            its.handle((value, failure) -> {
                                                failed.addAndGet(failure == null ? 1 : 0);
                                                boolean isInside =
                                                        Thread.currentThread().equals(waiting)
                                                                && isWaiting.get();
                                                return inside.addAndGet(isInside ? 1 : 0);
                                            });
                                    offer(others, its);
                                }
                            });
            boolean wasBorrowed = false;
            for (int i = 0; i < MANY; i++) {
                CompletableFuture<Integer> its = others.poll();
                CompletableFuture<Integer> mine = network.newAnswer(() -> {});
                var _ =
                        ask(network, GOOD)
                                .whenComplete((answer, failure) -> {
                                    if (its != null) { // the first end counts
                                        its.completeExceptionally(new NetException("on purpose"));
                                        its.complete(1);
                                    }
                                    mine.complete(1);
                                });
                isWaiting.set(true);
                int _ = mine.join();
                isWaiting.set(false);
                wasBorrowed |= isReader();
            }
            isOver.set(true);
            asking.join();

            assertThat(inside).hasValue(0);
            assertThat(failed).hasValue(0);
            assume(wasBorrowed);
        }
    }

    private static <T> void offer(SynchronousQueue<T> queue, T what) {
        try {
            boolean _ = queue.offer(what, 10, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
