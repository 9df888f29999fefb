package org.starling.benchmarks.net;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.WrongResultException;

/**
 * Round trips on one connection: whenever a message comes back, the next one leaves from the
 * receiving thread that took it, so no other thread works. Several may be under way; they come back
 * in the order in which they left. Used once.
 *
 * <p>{@link #measure} is for the thread that wants to know; all else is for the receiving thread,
 * to which what is not final is confined until all is done.
 */
final class Turns {
    private final Payload payload;
    private final Duration time;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Histogram histogram = Repetition.histogram();
    private final long[] starts;
    private final long[] sums;
    private boolean begun;
    private long begin;
    private long end;
    private long received;
    private long number;
    private int underWay;
    private @Nullable String wrong;

    /**
     * Nothing is sent yet.
     *
     * @param count messages under way at a time
     * @param time after which none leaves any more
     */
    Turns(Payload payload, int count, Duration time) {
        this.payload = payload;
        this.time = time;
        this.starts = new long[count];
        this.sums = new long[count];
        this.underWay = count;
    }

    /**
     * Lets messages go round, after one that calls the receiving thread.
     *
     * @throws WrongResultException if one came back changed
     */
    Repetition measure(Outlet to) throws IOException, InterruptedException {
        payload.write(to.claim(Inlet.PING, payload.bytes()), 0);
        to.commit();
        to.flush();
        long patience = time.plus(Inlet.PATIENCE).toMillis();
        if (!done.await(patience, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("no answer came for " + Inlet.PATIENCE);
        }
        if (wrong != null) {
            throw new WrongResultException(wrong);
        }
        return new Repetition(received, end - begin, 0, Cost.NONE, histogram);
    }

    /** Takes a message that came back. */
    void next(long address, int bytes, Outlet back) throws IOException {
        long now = System.nanoTime();
        if (!begun) {
            begun = true;
            begin = now;
            for (int turn = 0; turn < starts.length; turn++) {
                send(back, turn, System.nanoTime());
            }
            return;
        }
        int turn = (int) (received++ % starts.length);
        Repetition.record(histogram, now - starts[turn]);
        if (bytes != payload.bytes() || payload.read(address, bytes) != sums[turn]) {
            wrong = "message %d came back changed".formatted(received);
        }
        if (now - begin < time.toNanos() && wrong == null) {
            send(back, turn, now);
        } else if (--underWay == 0) {
            end = now;
            done.countDown();
        }
    }

    private void send(Outlet to, int turn, long now) throws IOException {
        starts[turn] = now;
        sums[turn] = payload.write(to.claim(Inlet.PING, payload.bytes()), number++);
        to.commit();
    }
}
