package org.starling.benchmarks.net;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Round trips over plain sockets: one thread writes, reads the answers and writes the next messages
 * at once.
 */
final class NioTurns {
    private final NetPlan plan;
    private final Payload payload;
    private final Histogram histogram = Repetition.histogram();
    private long begin;
    private long end;
    private long timeNanos;
    private long number;

    NioTurns(NetPlan plan, Payload payload) {
        this.plan = plan;
        this.payload = payload;
    }

    /**
     * Lets messages go round; once.
     *
     * @param underWay messages under way on each connection at a time
     * @param time after which none leaves any more
     * @throws WrongContentException if one comes back changed
     */
    Repetition measure(Map<NioLink, Integer> underWay, Duration time) throws IOException {
        List<Turns> all = new ArrayList<>();
        underWay.forEach((link, turns) -> all.add(new Turns(link, turns)));
        timeNanos = time.toNanos();
        begin = System.nanoTime();
        for (Turns turns : all) {
            turns.begin();
        }
        NioPoll.serve(all, plan.waiting());
        return new Repetition(histogram.getTotalCount(), end - begin, 0, histogram);
    }

    /** The messages of one connection; they come back in the order in which they left. */
    private final class Turns implements NioEnd {
        private final NioLink link;
        private final long[] starts;
        private final long[] sums;
        private long received;
        private int underWay;

        Turns(NioLink link, int turns) {
            this.link = link;
            this.starts = new long[turns];
            this.sums = new long[turns];
            this.underWay = turns;
        }

        @Override
        public NioLink link() {
            return link;
        }

        void begin() throws IOException {
            for (int turn = 0; turn < starts.length; turn++) {
                send(turn, System.nanoTime());
            }
            link.flush();
        }

        @Override
        public boolean receive() throws IOException {
            if (link.read() < 0) {
                throw new EOFException("the other end has closed the connection");
            }
            while (link.next()) {
                long now = System.nanoTime();
                int turn = (int) (received++ % starts.length);
                Repetition.record(histogram, now - starts[turn]);
                if (link.length() != payload.bytes()
                        || payload.read(link.payload(), link.length()) != sums[turn]) {
                    throw new WrongContentException("a message came back changed");
                }
                if (now - begin < timeNanos) {
                    send(turn, now);
                } else {
                    underWay--;
                    end = now;
                }
            }
            link.flush();
            return underWay > 0;
        }

        private void send(int turn, long now) throws IOException {
            starts[turn] = now;
            sums[turn] = payload.write(link.put(NioFrame.PING, payload.bytes()), number++);
        }
    }
}
