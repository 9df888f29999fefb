package org.starling.benchmarks.net;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Round trips of a thread that calls and waits. */
final class StarlingCalls {
    private final StarlingNode node;
    private final int target;
    private final SampleContent content;

    StarlingCalls(StarlingNode node, int target) {
        this.node = node;
        this.target = target;
        this.content = node.content().sample();
    }

    /**
     * Calls until the time is over.
     *
     * @throws WrongContentException if an answer is not what was sent
     */
    Repetition measure(Duration time) throws InterruptedException {
        Histogram histogram = Repetition.histogram();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        long now = begin;
        for (long number = 0; now - end < 0; number++) {
            SampleMessage answer =
                    node.network()
                            .call(target, content.request(number), StarlingHost.PATIENCE);
            long then = System.nanoTime();
            Repetition.record(histogram, then - now);
            now = then;
            if (content.sum(answer) != content.sum(content.message(number))) {
                throw new WrongContentException(
                        "message %d of node %d came back changed".formatted(number, node.id()));
            }
        }
        return new Repetition(histogram.getTotalCount(), now - begin, 0, histogram);
    }
}
