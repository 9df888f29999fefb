package org.starling.benchmarks.net;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * What comes out of a connection at one of its ends: counts and sums up messages, sends back what
 * asks for that, says what came when it is asked, and hands over what was said or sent back. Frames
 * are for the receiving thread alone; it is asked by any.
 */
final class Inlet {
    /** Counted and summed up. */
    static final int DATA = 1;

    /** Sent back as {@link #PONG}. */
    static final int PING = 2;

    /** A {@link #PING} that has come back. */
    static final int PONG = 3;

    /** Answered with a {@link #TALLY}; its byte says nothing, but no ring takes empty blocks. */
    static final int END = 4;

    static final int END_BYTES = 1;

    /** Two words: messages and sum since the last one. */
    static final int TALLY = 5;

    static final int TALLY_BYTES = 2 * Long.BYTES;

    /** Longest wait for what is under way. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Payload payload;
    private final BlockingQueue<Tally> tallies = new ArrayBlockingQueue<>(1);
    private volatile @Nullable Turns turns;

    /** Confined to the receiving thread. */
    private long messages;

    /** Confined to the receiving thread. */
    private long sum;

    Inlet(Payload payload) {
        this.payload = payload;
    }

    /** Whom messages are handed to that come back. */
    void handTo(Turns whom) {
        turns = whom;
    }

    /** Waits until the other end has said what came. */
    Tally awaitTally() throws InterruptedException {
        Tally tally = tallies.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (tally == null) {
            throw new IllegalStateException("no answer came for " + PATIENCE);
        }
        return tally;
    }

    /**
     * Takes a frame.
     *
     * @param back to the other end; flushed by the caller
     */
    void take(int kind, long address, int bytes, Outlet back) throws IOException {
        if (kind == DATA) {
            count(payload.read(address, bytes));
        } else {
            answer(kind, address, bytes, back);
        }
    }

    /** Takes a message whose sum is known. */
    void count(long messageSum) {
        messages++;
        sum += messageSum;
    }

    private void answer(int kind, long address, int bytes, Outlet back) throws IOException {
        switch (kind) {
            case PING -> {
                NativeMemory.copy(address, back.claim(PONG, bytes), bytes);
                back.commit();
            }
            case PONG -> {
                Turns going = turns;
                if (going != null) {
                    going.next(address, bytes, back);
                }
            }
            case END -> {
                long to = back.claim(TALLY, TALLY_BYTES);
                NativeMemory.putLong(to, messages);
                NativeMemory.putLong(to + Long.BYTES, sum);
                back.commit();
                messages = 0;
                sum = 0;
            }
            case TALLY ->
                    tallies.add(
                            new Tally(
                                    NativeMemory.getLong(address),
                                    NativeMemory.getLong(address + Long.BYTES)));
            default -> throw new IOException("no frame is of kind " + kind);
        }
    }
}
