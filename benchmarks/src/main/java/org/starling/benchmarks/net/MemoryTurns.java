package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.starling.net.NativeMemory;
import org.starling.net.Waiting;

/**
 * Round trips between two threads through memory: a message, and a word that says whose turn it is.
 * Whoever waits spins, or sleeps until the other one wakes it.
 */
final class MemoryTurns {
    private static final int WORD_BYTES = 64;
    private static final long ASKS = 1;
    private static final long ANSWERS = 2;
    private static final long ENDS = 3;

    private final boolean spins;
    private final int bytes;
    private final long word;
    private final long question;
    private final long answer;

    private MemoryTurns(boolean spins, int bytes, long region) {
        this.spins = spins;
        this.bytes = bytes;
        this.word = region;
        this.question = region + WORD_BYTES;
        this.answer = question + bytes + WORD_BYTES;
    }

    /**
     * Hands messages back and forth; this thread asks, another one answers.
     *
     * @throws WrongContentException if one comes back changed
     */
    static Repetition measure(NetPlan plan, Payload payload, Duration time)
            throws InterruptedException {
        long size = 3L * WORD_BYTES + 2L * plan.bytes();
        long region = NativeMemory.reserve(size);
        try {
            MemoryTurns turns =
                    new MemoryTurns(plan.waiting() == Waiting.SPIN, plan.bytes(), region);
            return turns.ask(payload, time.toNanos());
        } finally {
            NativeMemory.release(region, size);
        }
    }

    private Repetition ask(Payload payload, long timeNanos) throws InterruptedException {
        Thread asking = Thread.currentThread();
        Thread answering =
                Thread.ofPlatform().daemon().name("answer").start(() -> answer(asking));
        Histogram histogram = Repetition.histogram();
        long begin = System.nanoTime();
        long now = begin;
        try {
            for (long number = 0; now - begin < timeNanos; number++) {
                long sum = payload.write(question, number);
                hand(ASKS, answering);
                await(ASKS);
                if (payload.read(answer, bytes) != sum) {
                    throw new WrongContentException("a message came back changed");
                }
                long then = System.nanoTime();
                Repetition.record(histogram, then - now);
                now = then;
            }
        } finally {
            hand(ENDS, answering);
            answering.join();
        }
        return new Repetition(histogram.getTotalCount(), now - begin, 0, histogram);
    }

    private void answer(Thread asking) {
        long turn = await(0, ANSWERS);
        while (turn == ASKS) {
            NativeMemory.copy(question, answer, bytes);
            hand(ANSWERS, asking);
            turn = await(0, ANSWERS);
        }
    }

    private void hand(long turn, Thread to) {
        NativeMemory.putLongVolatile(word, turn);
        if (!spins) {
            LockSupport.unpark(to);
        }
    }

    private void await(long mine) {
        await(mine, mine);
    }

    /** Waits until the word is neither of two; says what it is. */
    private long await(long one, long other) {
        long turn = NativeMemory.getLongVolatile(word);
        while (turn == one || turn == other) {
            if (spins) {
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
            }
            turn = NativeMemory.getLongVolatile(word);
        }
        return turn;
    }
}
