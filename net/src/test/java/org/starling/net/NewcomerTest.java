package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that has just joined asks before others have heard of it. */
@Timeout(30)
class NewcomerTest {
    private static final int SERVER = 1;
    private static final int NEWCOMER = 2;
    private static final Duration SECONDS_10 = Duration.ofSeconds(10);

    /** What the server knows. */
    private final Map<Integer, InetSocketAddress> known = new ConcurrentHashMap<>();

    private static Network open(int node, AddressBook book) {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Network.open(node, Transports.ethernet(bind, book), NetConfig.defaults());
    }

    @Test
    void isAnsweredAsSoonAsItIsKnown() throws Exception {
        CountDownLatch served = new CountDownLatch(1);
        try (Network server = open(SERVER, known::get)) {
            InetSocketAddress address = Objects.requireNonNull(server.localAddress());
            try (Network newcomer = open(NEWCOMER, node -> address)) {
                server.serve(
                        Ask.TYPE,
                        Execution.WORKER,
                        (source, ask) -> {
                            served.countDown();
                            return new Text(ask.number(), "welcome");
                        });

                CompletableFuture<Text> answer = newcomer.request(SERVER, new Ask(7), SECONDS_10);
                assertThat(served.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(answer).isNotDone();
                known.put(NEWCOMER, Objects.requireNonNull(newcomer.localAddress()));

                assertThat(answer.get(2, TimeUnit.SECONDS).number()).isEqualTo(7);
                assertThat(server.statistics().unanswered()).isZero();
            }
        }
    }
}
