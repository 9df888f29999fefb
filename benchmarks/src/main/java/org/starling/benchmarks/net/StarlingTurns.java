package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.starling.net.Network;
import org.starling.net.RawSender;

/**
 * Round trips from handler to handler: whenever a message comes back, the next one leaves from the
 * handler that took it, so no thread works but the receiving ones. Several may be under way; they
 * come back in the order in which they left.
 *
 * <p>{@link #measure} is for the thread that wants to know; all else runs on the receiving thread,
 * which alone touches what is not final.
 */
final class StarlingTurns {
    private final Network network;
    private final int target;
    private final Payload payload;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Histogram histogram = Repetition.histogram();

    private long[] starts = new long[0];
    private long[] sums = new long[0];
    private long timeNanos;
    private long begin;
    private long end;
    private long received;
    private long number;
    private int underWay;
    private @Nullable RawSender sender;
    private @Nullable String wrong;

    StarlingTurns(Network network, int target, Payload payload) {
        this.network = network;
        this.target = target;
        this.payload = payload;
    }

    /**
     * Lets messages go round; once.
     *
     * @param turns under way at a time
     * @param time after which none leaves any more
     */
    Repetition measure(int turns, Duration time) throws InterruptedException {
        starts = new long[turns];
        sums = new long[turns];
        timeNanos = time.toNanos();
        RawSender kick = network.raw(target); // what it publishes, STARTED acquires
        payload.write(kick.claim(StarlingNode.START, payload.bytes()), 0);
        kick.commit();
        long patience = time.plus(StarlingHost.PATIENCE).toMillis();
        if (!done.await(patience, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("no answer came for " + StarlingHost.PATIENCE);
        }
        if (wrong != null) {
            throw new WrongContentException(wrong);
        }
        return new Repetition(
                received, end - begin, 0, histogram);
    }

    /** The other node knows this one: sends the first messages. */
    void begin() {
        sender = network.raw(target);
        underWay = starts.length;
        begin = System.nanoTime();
        for (int turn = 0; turn < starts.length; turn++) {
            send(sender, turn, System.nanoTime());
        }
    }

    /** A message came back. */
    void next(long address, int bytes) {
        long now = System.nanoTime();
        int turn = (int) (received++ % starts.length);
        Repetition.record(histogram, now - starts[turn]);
        if (bytes != payload.bytes() || payload.read(address, bytes) != sums[turn]) {
            wrong = "a message of node %d came back changed".formatted(network.nodeId());
        }
        if (now - begin < timeNanos && wrong == null && sender != null) {
            send(sender, turn, now);
        } else if (--underWay == 0) {
            end = now;
            done.countDown();
        }
    }

    private void send(RawSender to, int turn, long now) {
        starts[turn] = now;
        sums[turn] = payload.write(to.claim(StarlingNode.PING, payload.bytes()), number++);
        to.commit();
    }
}
