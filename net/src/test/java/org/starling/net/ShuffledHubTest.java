package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a shuffled hub does to messages of two senders. */
@Timeout(60)
class ShuffledHubTest {
    private static final int READER = 3;

    @Test
    void deliversThoseOfTwoSendersInEitherOrderAndThoseOfOneInTheirs() throws Exception {
        LoopbackHub hub = LoopbackHub.shuffled(5);
        BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        try (Network one = Network.open(1, Transports.loopback(hub), NetConfig.defaults());
                Network two = Network.open(2, Transports.loopback(hub), NetConfig.defaults());
                Network reader =
                        Network.open(READER, Transports.loopback(hub), NetConfig.defaults())) {
            reader.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> arrived.add(source + text.text()));
            Set<List<String>> orders = new HashSet<>();
            for (int round = 0; round < 200; round++) {
                for (String text : List.of("a", "b")) {
                    one.send(READER, new Text(0, text));
                    two.send(READER, new Text(0, text));
                }
                orders.add(List.of(next(arrived), next(arrived), next(arrived), next(arrived)));
            }

            assertThat(orders)
                    .hasSizeGreaterThan(1)
                    .allSatisfy(order -> {
                        assertThat(order).containsSubsequence("1a", "1b");
                        assertThat(order).containsSubsequence("2a", "2b");
                    });
            assertThat(orders).anyMatch(order -> order.getFirst().equals("2a"));
        }
    }

    private static String next(BlockingQueue<String> arrived) throws InterruptedException {
        return String.valueOf(arrived.poll(10, TimeUnit.SECONDS));
    }
}
