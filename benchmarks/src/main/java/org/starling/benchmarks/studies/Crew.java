package org.starling.benchmarks.studies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.studies.calls.Cost;

/**
 * Threads that do the same for a while, beginning together. The first failure of one of them ends
 * the work of all. Used once, by the thread that made it.
 */
final class Crew {

    /** What a thread does again and again. */
    @FunctionalInterface
    interface Step {
        /** Does it once. */
        void run() throws Exception;
    }

    /** Gives each thread its step. */
    @FunctionalInterface
    interface Work {
        /**
         * The step of a thread, called by that thread before the clock starts.
         *
         * @param member 0 for the first thread
         */
        Step of(int member) throws Exception;
    }

    private static final long MAX_STEP_NANOS = Duration.ofSeconds(60).toNanos();
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final int operationsPerStep;
    private final long nanos;
    private final CountDownLatch ready;
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    private Crew(int threads, int operationsPerStep, Duration time) {
        this.operationsPerStep = operationsPerStep;
        this.nanos = time.toNanos();
        this.ready = new CountDownLatch(threads);
    }

    /**
     * Lets threads work for a time. Every thread makes at least one step, and ends the one it is
     * at.
     *
     * @param threads how many
     * @param operationsPerStep what the tally counts for a step
     * @param time how long
     * @throws Exception what a step threw first
     */
    static Tally run(int threads, int operationsPerStep, Duration time, Work work)
            throws Exception {
        return new Crew(threads, operationsPerStep, time).run(threads, work);
    }

    static Histogram histogram() {
        return new Histogram(MAX_STEP_NANOS, 2);
    }

    private Tally run(int threads, Work work) throws Exception {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            members.add(new Member(i, work));
        }
        members.forEach(member -> member.thread.start());
        ready.await();
        Cost before = Cost.soFar();
        long start = System.nanoTime();
        go.countDown();
        for (Member member : members) {
            if (!member.thread.join(Duration.ofNanos(nanos).plus(GRACE))) {
                throw new WrongResultException(
                        "%s did not end its last step within %s"
                                .formatted(member.thread.getName(), GRACE));
            }
        }
        long end = System.nanoTime();
        Cost cost = Cost.soFar().since(before);
        rethrow(failure);
        Histogram latency = histogram();
        long operations = 0;
        for (Member member : members) {
            latency.add(member.latency);
            operations += member.steps * operationsPerStep;
        }
        return new Tally(operations, end - start, latency, cost);
    }

    private static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Exception exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    /** One thread; its fields are its own until it has ended. */
    private final class Member {
        private final Thread thread;
        private final Histogram latency = histogram();
        private long steps;

        Member(int index, Work work) {
            thread =
                    Thread.ofPlatform()
                            .name("study-" + index)
                            .daemon()
                            .unstarted(() -> work(index, work));
        }

        private void work(int index, Work work) {
            try {
                Step step;
                try {
                    step = work.of(index);
                } finally {
                    ready.countDown();
                }
                go.await();
                repeat(step);
            } catch (Exception | Error broken) {
                if (failure == null) {
                    failure = broken;
                }
            }
        }

        private void repeat(Step step) throws Exception {
            long now = System.nanoTime();
            long end = now + nanos;
            do {
                step.run();
                long after = System.nanoTime();
                latency.recordValue(Math.min(after - now, MAX_STEP_NANOS));
                steps++;
                now = after;
            } while (now - end < 0 && failure == null);
        }
    }
}
