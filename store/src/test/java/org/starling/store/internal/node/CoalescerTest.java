package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.internal.node.Coalescer.Asked;

/** Which questions leave together, and that none is left behind. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class CoalescerTest {
    /** What has left, in order, and when it is answered. Answers are the questions. */
    private static final class Requests
            implements Coalescer.Line<String, Integer, Integer, List<Integer>> {
        private record Sent(List<Integer> questions, CompletableFuture<List<Integer>> response) {}

        private final Queue<Sent> underWay = new ConcurrentLinkedQueue<>();
        private volatile boolean areLong;

        @Override
        public CompletableFuture<List<Integer>> send(
                String target, List<Asked<Integer, Integer>> together) {
            Sent sent =
                    new Sent(
                            together.stream().map(Asked::question).toList(),
                            new CompletableFuture<>());
            underWay.add(sent);
            return sent.response;
        }

        @Override
        public void deliver(
                String target,
                List<Asked<Integer, Integer>> together,
                @Nullable List<Integer> response,
                @Nullable Throwable failure) {
            for (int i = 0; i < together.size(); i++) {
                if (response != null) {
                    together.get(i).answer().complete(response.get(i));
                } else if (failure != null) {
                    together.get(i).answer().completeExceptionally(failure);
                }
            }
        }

        @Override
        public boolean isLong(List<Integer> response, int answers) {
            return areLong;
        }

        List<List<Integer>> sent() {
            return underWay.stream().map(Sent::questions).toList();
        }

        boolean answer() {
            Sent next = underWay.poll();
            return next != null && next.response.complete(next.questions);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final Requests requests = new Requests();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final Queue<Runnable> muchLater = new ArrayDeque<>();
    private final Coalescer<String, Integer, Integer, List<Integer>> coalescer =
            new Coalescer<>(
                    _ -> new CompletableFuture<>(),
                    requests,
                    later::add,
                    muchLater::add,
                    Runnable::run,
                    new ConcurrentHashMap<>());

    @Test
    void sendsAtOnceWhenNothingIsUnderWay() {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Integer> answer = coalescer.ask("owner", i);
            assertThat(requests.sent()).containsExactly(List.of(i));
            requests.answer();
            assertThat(answer).isCompletedWithValue(i);
        }
        assertThat(later).as("nothing ever waited").isEmpty();
    }

    @Test
    void letsNobodyWaitForThreadsThatOthersHaveTaken() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        int threads = ForkJoinPool.commonPool().getParallelism();
        CountDownLatch taken = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) { // as a task does that waits for a connection
            ForkJoinPool.commonPool()
                    .execute(() -> {
                        taken.countDown();
                        waitFor(done);
                    });
        }
        taken.await();
        try {
            Coalescer<String, Integer, Integer, List<Integer>> usual =
                    new Coalescer<>(_ -> new CompletableFuture<>(), requests);
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Integer> _ = usual.ask("owner", i);
            }
            long start = System.nanoTime();
            while (requests.sent().size() < 3
                    && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5)) {
                Thread.sleep(1);
            }

            assertThat(requests.sent()).containsExactly(List.of(0), List.of(1), List.of(2));
        } finally {
            done.countDown();
        }
    }

    @Test
    void letsAsManyWaitAsAreUnderWay() {
        for (int i = 0; i < 8; i++) {
            CompletableFuture<Integer> _ = coalescer.ask("owner", i);
        }

        assertThat(requests.sent())
                .containsExactly(List.of(0), List.of(1), List.of(2, 3), List.of(4, 5, 6, 7));
    }

    @Test
    void keepsHalfOfTheWindowUnderWayInTurns() {
        int window = 16;
        Queue<CompletableFuture<Integer>> asked = new ArrayDeque<>();
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            while (asked.size() == window) {
                if (asked.peek().isDone()) {
                    asked.remove();
                } else {
                    sizes.add(requests.sent().getFirst().size());
                    requests.answer();
                }
            }
            asked.add(coalescer.ask("owner", i));
        }

        assertThat(sizes.subList(20, sizes.size())).containsOnly(window / 2);
    }

    /** What waits leaves, once it is seen that this is when the last question has been asked. */
    @Test
    void holdsAWindowOfQuestionsUntilTheirAskerWaits() {
        Windows windows = new Windows();
        for (int round = 0; round < 1_000; round++) {
            windows.ask(16);
        }

        assertThat(windows.sizes).containsExactly(16);
        assertThat(muchLater).as("one look for all of them").hasSize(1);
    }

    @Test
    void holdsNothingAnyMoreForAThreadThatGoesOnWithoutWaiting() {
        Windows windows = new Windows();
        windows.ask(16, 100);

        CompletableFuture<Integer> _ = windows.told.ask("owner", 1);
        muchLater.remove().run();
        assertThat(requests.sent()).as("may have been asked a moment ago").isEmpty();
        muchLater.remove().run();
        assertThat(requests.sent()).as("nobody waits for it").containsExactly(List.of(1));
        requests.answer();

        CompletableFuture<Integer> _ = windows.told.ask("owner", 2);
        assertThat(requests.sent()).as("leaves at once again").containsExactly(List.of(2));
    }

    @Test
    void holdsNothingForAThreadThatNeverWaits() throws InterruptedException {
        Windows windows = new Windows();
        windows.ask(16, 100);

        Thread.ofPlatform()
                .start(() -> {
                    CompletableFuture<Integer> _ = windows.told.ask("owner", 1);
                })
                .join();

        assertThat(requests.sent()).containsExactly(List.of(1));
    }

    @Test
    void letsGoWhatIsHeldForAThreadWhicheverAnswerItWaitsFor() {
        Windows windows = new Windows();
        windows.ask(16, 100);
        windows.beforeWaiting.clear();

        for (String owner : List.of("one", "other", "third")) {
            CompletableFuture<Integer> _ = windows.told.ask(owner, owner.length());
        }
        assertThat(requests.sent()).isEmpty();
        windows.beforeWaiting.getFirst().run();

        assertThat(requests.sent()).containsExactlyInAnyOrder(List.of(3), List.of(5), List.of(5));
    }

    /** They are several together, but each of them waits for the one that it has asked. */
    @Test
    void holdsNothingForThreadsThatAskOneEach() throws InterruptedException {
        Windows windows = new Windows();
        for (int round = 0; round < 100; round++) {
            Thread.ofPlatform()
                    .start(() -> {
                        CompletableFuture<Integer> _ = windows.told.ask("owner", 1);
                    })
                    .join();
            windows.ask(1);
        }

        CompletableFuture<Integer> _ = windows.told.ask("owner", 2);
        assertThat(requests.sent()).containsExactly(List.of(2));
    }

    @Test
    void looksSoonAtWhatIsNotHeldThoughOtherThingsAre() throws InterruptedException {
        Windows windows = new Windows();
        windows.ask(16, 100);
        Thread.ofPlatform()
                .start(() -> {
                    for (int i = 0; i < 3; i++) { // the third waits for an answer
                        CompletableFuture<Integer> _ = windows.told.ask("owner", i);
                    }
                })
                .join();
        assertThat(requests.sent()).containsExactly(List.of(0), List.of(1));
        CompletableFuture<Integer> _ = windows.told.ask("other", 3);

        later.remove().run();
        later.remove().run();

        assertThat(requests.sent()).last().isEqualTo(List.of(2));
        assertThat(requests.sent()).as("held").doesNotContain(List.of(3));
    }

    /** Asks in windows, and waits for the first answer of each. */
    private final class Windows {
        private final List<Runnable> beforeWaiting = new ArrayList<>();
        private final List<Integer> sizes = new ArrayList<>();
        private final Coalescer<String, Integer, Integer, List<Integer>> told =
                new Coalescer<>(
                        before -> {
                            beforeWaiting.add(before);
                            return new CompletableFuture<>();
                        },
                        requests,
                        later::add,
                        muchLater::add,
                        Runnable::run,
                        new ConcurrentHashMap<>());

        private void ask(int width, int rounds) {
            for (int round = 0; round < rounds; round++) {
                ask(width);
            }
        }

        private void ask(int width) {
            beforeWaiting.clear();
            for (int i = 0; i < width; i++) {
                CompletableFuture<Integer> _ = told.ask("owner", i);
            }
            beforeWaiting.removeFirst().run();
            sizes.clear();
            requests.sent().forEach(together -> sizes.add(together.size()));
            sizes.forEach(_ -> requests.answer());
        }
    }

    @Test
    void sendsWhatWaitsWhenTheLastAnswerHasCome() {
        for (int i = 0; i < 6; i++) {
            CompletableFuture<Integer> _ = coalescer.ask("owner", i);
        }
        assertThat(requests.sent()).hasSize(3).last().isEqualTo(List.of(2, 3));

        requests.answer();
        assertThat(requests.sent()).as("three under way, two wait").hasSize(2);
        requests.answer();

        assertThat(requests.sent()).containsExactly(List.of(2, 3), List.of(4, 5));
    }

    @Test
    void letsNobodyWaitLongForAnAnswerThatDoesNotCome() {
        for (int i = 0; i < 6; i++) {
            CompletableFuture<Integer> _ = coalescer.ask("owner", i);
        }
        assertThat(later).hasSize(1);

        later.remove().run();
        assertThat(requests.sent()).as("others have left since the last look").hasSize(3);
        later.remove().run();

        assertThat(requests.sent()).last().isEqualTo(List.of(4, 5));
        CompletableFuture<Integer> _ = coalescer.ask("owner", 6);
        assertThat(later).as("the next one to wait has a look of its own").hasSize(1);
    }

    @Test
    void asksOneTargetWhateverIsUnderWayToAnother() {
        CompletableFuture<Integer> _ = coalescer.ask("one", 1);
        CompletableFuture<Integer> _ = coalescer.ask("other", 2);
        CompletableFuture<Integer> _ = coalescer.ask("other", 3);

        assertThat(requests.sent()).containsExactly(List.of(1), List.of(2), List.of(3));
    }

    @Test
    void asksAloneWhereAnswersAreLong() {
        requests.areLong = true;
        for (int i = 0; i < 6; i++) {
            CompletableFuture<Integer> _ = coalescer.ask("owner", i);
        }

        requests.answer();
        CompletableFuture<Integer> _ = coalescer.ask("owner", 6);

        assertThat(requests.sent())
                .containsExactly(List.of(1), List.of(2, 3), List.of(4, 5), List.of(6));
    }

    @Test
    void boundsWhatLeavesTogether() {
        for (int i = 0; i < 4 * Coalescer.MAX_TOGETHER; i++) {
            CompletableFuture<Integer> _ = coalescer.ask("owner", i);
        }

        assertThat(requests.sent())
                .allSatisfy(together ->
                        assertThat(together).hasSizeLessThanOrEqualTo(Coalescer.MAX_TOGETHER))
                .last()
                .satisfies(together -> assertThat(together).hasSize(Coalescer.MAX_TOGETHER));
    }

    @Test
    void tellsAllOfThemWhenTheirRequestFails() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answers.add(coalescer.ask("owner", i));
        }
        IllegalStateException failure = new IllegalStateException("lost");
        while (!requests.underWay.isEmpty()) {
            requests.underWay.remove().response.completeExceptionally(failure);
        }

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.handle((value, cause) -> cause))
                                .isCompletedWithValueMatching(
                                        cause -> RemoteChunks.unwrapped(cause).equals(failure)));
    }

    @Test
    void leavesNobodyBehindWhateverThreadsDoMeanwhile() throws Exception {
        long seed = new Random().nextLong();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger missing = new AtomicInteger();
        Thread owner =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isOver.get() || !requests.underWay.isEmpty()) {
                                if (!requests.answer()) {
                                    Thread.onSpinWait();
                                }
                            }
                        });
        List<Thread> askers = new ArrayList<>();
        // No look is ever taken: whatever waits has to leave by itself.
        Coalescer<String, Integer, Integer, List<Integer>> unaided =
                new Coalescer<>(
                        _ -> new CompletableFuture<>(),
                        requests,
                        look -> {},
                        look -> {},
                        Runnable::run,
                        new ConcurrentHashMap<>());
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed + t);
            askers.add(
                    Thread.ofPlatform().start(() -> missing.addAndGet(askMany(unaided, random))));
        }
        for (Thread asker : askers) {
            asker.join();
        }
        isOver.set(true);
        owner.join();

        assertThat(missing)
                .as("answers that are not those to the question, seed %d", seed)
                .hasValue(0);
    }

    /** Whose third request to a target waits for a connection. */
    private static final class Stuck
            implements Coalescer.Line<String, Integer, Integer, List<Integer>> {
        private final CountDownLatch connected = new CountDownLatch(1);
        private final Queue<CompletableFuture<List<Integer>>> firsts =
                new ConcurrentLinkedQueue<>();
        private final CountDownLatch reached;

        private Stuck(int targets) {
            reached = new CountDownLatch(targets);
        }

        @Override
        public CompletableFuture<List<Integer>> send(
                String target, List<Asked<Integer, Integer>> together) {
            CompletableFuture<List<Integer>> response = new CompletableFuture<>();
            if (together.getFirst().question() < 2) {
                firsts.add(response);
                return response;
            }
            reached.countDown();
            try {
                connected.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return response;
        }

        @Override
        public void deliver(
                String target,
                List<Asked<Integer, Integer>> together,
                @Nullable List<Integer> response,
                @Nullable Throwable failure) {
            together.forEach(asked -> asked.answer().cancel(false));
        }

        @Override
        public boolean isLong(List<Integer> response, int answers) {
            return false;
        }
    }

    @Test
    void asksAllTargetsSoonThoughEachWaitsForAConnection() throws Exception {
        List<String> targets = List.of("a", "b", "c", "d");
        Stuck stuck = new Stuck(targets.size());
        Coalescer<String, Integer, Integer, List<Integer>> real =
                new Coalescer<>(_ -> new CompletableFuture<>(), stuck);
        for (int question = 0; question < 3; question++) {
            for (String target : targets) {
                CompletableFuture<Integer> _ = real.ask(target, question);
            }
        }

        assertThat(stuck.reached.await(10, TimeUnit.SECONDS)).isTrue();
        stuck.connected.countDown();
    }

    @Test
    void letsNoTimerWaitForAConnection() throws Exception {
        Stuck stuck = new Stuck(1);
        Coalescer<String, Integer, Integer, List<Integer>> unaided =
                new Coalescer<>(
                        _ -> new CompletableFuture<>(),
                        stuck,
                        look -> {},
                        look -> {},
                        Asker.THREADS,
                        new ConcurrentHashMap<>());
        CompletableFuture<Integer> first = unaided.ask("owner", 0);
        CompletableFuture<Integer> _ = unaided.ask("owner", 1);
        CompletableFuture<Integer> _ = unaided.ask("owner", 2);
        Thread timer =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                stuck.firsts
                                        .remove()
                                        .completeExceptionally(new IllegalStateException("late")));

        assertThat(timer.join(Duration.ofSeconds(10))).isTrue();
        assertThat(first).isDone();
        stuck.connected.countDown();
    }

    /** Asks in windows of random width; returns how many answers were wrong or late. */
    private static int askMany(
            Coalescer<String, Integer, Integer, List<Integer>> coalescer, Random random) {
        int wrong = 0;
        for (int i = 0; i < 2_000; i++) {
            int width = 1 + random.nextInt(12);
            List<CompletableFuture<Integer>> asked = new ArrayList<>();
            List<Integer> questions = new ArrayList<>();
            for (int j = 0; j < width; j++) {
                int question = random.nextInt();
                questions.add(question);
                asked.add(coalescer.ask("owner" + (question & 1), question));
            }
            for (int j = 0; j < width; j++) {
                Integer answer = asked.get(j).completeOnTimeout(null, 5, TimeUnit.SECONDS).join();
                wrong += questions.get(j).equals(answer) ? 0 : 1;
            }
        }
        return wrong;
    }
}
