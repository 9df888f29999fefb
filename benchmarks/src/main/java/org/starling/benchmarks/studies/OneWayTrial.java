package org.starling.benchmarks.studies;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Sends messages one way for a while and waits until the last has arrived; all must have come, with
 * the content that was sent. Confined to one thread.
 */
final class OneWayTrial implements Trial<Tally> {

    private static final int STEP_BYTES = 64 << 10;
    private static final int MAX_STEP_MESSAGES = 256;
    private static final long ARRIVAL_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final OneWay way;
    private final int threads;
    private final LongToIntFunction bytesOf;
    private final int stepMessages;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong sentMarks = new AtomicLong();
    private final AtomicLong sentMessages = new AtomicLong();

    private OneWayTrial(OneWay way, int threads, LongToIntFunction bytesOf, int stepMessages) {
        this.way = way;
        this.threads = threads;
        this.bytesOf = bytesOf;
        this.stepMessages = stepMessages;
    }

    /** Messages of one length. */
    static OneWayTrial of(OneWay way, int threads, int bytes) {
        int stepMessages = Math.clamp(STEP_BYTES / bytes, 1, MAX_STEP_MESSAGES);
        return new OneWayTrial(way, threads, number -> bytes, stepMessages);
    }

    /** Messages whose lengths depend on their numbers. */
    static OneWayTrial mixed(OneWay way, int threads, LongToIntFunction bytesOf) {
        return new OneWayTrial(way, threads, bytesOf, MAX_STEP_MESSAGES);
    }

    @Override
    public Tally measure(Duration time) throws Exception {
        long messagesBefore = sum(Arrivals::messages);
        long bytesBefore = sum(Arrivals::bytes);
        long marksBefore = sum(Arrivals::marks);
        sentBytes.set(0);
        sentMarks.set(0);
        sentMessages.set(0);
        long start = System.nanoTime();
        Tally sent = Crew.run(threads, stepMessages, time, this::step);
        awaitMessages(messagesBefore + sentMessages.get());
        long nanos = System.nanoTime() - start;
        require("bytes", sentBytes.get(), sum(Arrivals::bytes) - bytesBefore);
        require("as sum of all marks", sentMarks.get(), sum(Arrivals::marks) - marksBefore);
        return sent.lasting(nanos);
    }

    private Crew.Step step(int member) throws Exception {
        OneWay.Sender sender = way.sender(member);
        long[] number = {(long) member << 32};
        return () -> {
            long bytes = 0;
            long marks = 0;
            for (int i = 0; i < stepMessages; i++) {
                long next = number[0]++;
                int length = bytesOf.applyAsInt(next);
                sender.send(next, length);
                bytes += length;
                marks += Arrivals.mark(next, length);
            }
            sender.flush();
            sentBytes.addAndGet(bytes);
            sentMarks.addAndGet(marks);
            sentMessages.addAndGet(stepMessages);
        };
    }

    private void awaitMessages(long expected) {
        long start = System.nanoTime();
        long arrived = sum(Arrivals::messages);
        while (arrived < expected && System.nanoTime() - start < ARRIVAL_PATIENCE_NANOS) {
            LockSupport.parkNanos(POLL_NANOS);
            arrived = sum(Arrivals::messages);
        }
        require("messages", expected, arrived);
    }

    private long sum(ToLongFunction<Arrivals> quantity) {
        return way.arrivals().stream().mapToLong(quantity).sum();
    }

    private static void require(String what, long sent, long arrived) {
        if (sent != arrived) {
            throw new WrongResultException(
                    "%d %s were sent, %d arrived".formatted(sent, what, arrived));
        }
    }
}
