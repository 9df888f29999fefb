package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node id that several nodes have one after the other. */
@Timeout(60)
class BearersTest {
    private static final int SERVER = 1;
    private static final int SHARED = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AtomicInteger asked = new AtomicInteger();

    /** What one node knows of the others and of itself. */
    private static final class Book implements AddressBook {
        private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
        private final Map<Integer, Integer> incarnations = new ConcurrentHashMap<>();

        @Override
        public @Nullable InetSocketAddress addressOf(int nodeId) {
            return addresses.get(nodeId);
        }

        @Override
        public int incarnationOf(int nodeId) {
            return incarnations.getOrDefault(nodeId, 0);
        }

        @Override
        public void called(int nodeId, int incarnation) {
            addresses.remove(nodeId);
            incarnations.put(nodeId, incarnation);
        }

        Book knows(int nodeId, Network at, int incarnation) {
            addresses.put(nodeId, Objects.requireNonNull(at.localAddress()));
            incarnations.put(nodeId, incarnation);
            return this;
        }

        Book is(int nodeId, int incarnation) {
            incarnations.put(nodeId, incarnation);
            return this;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "ETHERNET_TLS", "INFINIBAND_TCP"})
    void letsNobodyInWhoseIdWasHandedOutAgain(Pair.Kind kind) throws Exception {
        Book known = new Book().is(SHARED, 2);
        try (Network server = serve(kind, known);
                Network survivor = open(kind, SHARED, book(server, 1));
                Network bearer = open(kind, SHARED, book(server, 2))) {
            known.knows(SHARED, bearer, 2);

            assertThatThrownBy(() -> survivor.call(SERVER, new Ask(1), PATIENCE))
                    .isInstanceOf(NetException.class);
            assertThat(asked).hasValue(0);
            assertThat(server.statistics().refused()).isEqualTo(1);
            assertThat(bearer.call(SERVER, new Ask(2), PATIENCE).number()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_TCP"})
    void takesABearerThatItHasNotHeardOfYet(Pair.Kind kind) throws Exception {
        Book known = new Book().is(SHARED, 2);
        try (Network server = serve(kind, known);
                Network newcomer = open(kind, SHARED, book(server, 3))) {
            known.knows(SHARED, newcomer, 3);

            assertThat(newcomer.call(SERVER, new Ask(1), PATIENCE).number()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_TCP"})
    void holdsAnswersToABearerThatItHasNotHeardOfUntilItKnowsWhereThatIs(Pair.Kind kind)
            throws Exception {
        Book known = new Book();
        try (Network server = serve(kind, known);
                Network survivor = open(kind, SHARED, book(server, 0));
                Network newcomer = open(kind, SHARED, book(server, 1))) {
            known.knows(SHARED, survivor, 0);
            CompletableFuture<Text> answer = newcomer.request(SERVER, new Ask(1), PATIENCE);
            Await.that(() -> asked.get() == 1);
            assertThat(answer).isNotDone();

            known.knows(SHARED, newcomer, 1);

            assertThat(answer.get().number()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_TCP"})
    void asksNobodyWhoAnswersAsAnotherBearer(Pair.Kind kind) {
        Book mine = new Book().is(SHARED, 2);
        try (Network server = serve(kind, mine);
                Network caller = open(kind, 2, book(server, 0).is(SERVER, 1))) {
            assertThatThrownBy(() -> caller.call(SERVER, new Ask(1), PATIENCE))
                    .isInstanceOf(NetException.class)
                    .hasMessageContaining("node 1 (incarnation 0) answers at the address of node 1")
                    .hasMessageContaining("(incarnation 1)");
            assertThat(asked).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_TCP"})
    void takesNoFrameOfAnEarlierBearerOverAConnectionFromBefore(Pair.Kind kind) throws Exception {
        Book known = new Book();
        try (Network server = serve(kind, known);
                Network survivor = open(kind, SHARED, book(server, 0))) {
            known.knows(SHARED, survivor, 0);
            assertThat(survivor.call(SERVER, new Ask(1), PATIENCE).number()).isEqualTo(1);

            known.is(SHARED, 1);
            server.disconnect(SHARED);

            assertThatThrownBy(
                            () -> {
                                survivor.call(
                                        SERVER, new Ask(2), PATIENCE); // may meet the break itself
                                survivor.call(SERVER, new Ask(3), PATIENCE);
                            })
                    .isInstanceOf(NetException.class);
            assertThat(asked).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_TCP"})
    void givesNoAnswerThatWasMeantForAnEarlierBearerToTheNextOne(Pair.Kind kind) throws Exception {
        Book known = new Book();
        Queue<Responder<Text>> asking = new LinkedBlockingQueue<>();
        try (Network server = open(kind, SERVER, known)) {
            server.serveAsync(
                    Ask.TYPE, Execution.WORKER, (source, ask, responder) -> asking.add(responder));
            try (Network first = open(kind, SHARED, book(server, 0))) {
                CompletableFuture<Text> _ = first.request(SERVER, new Ask(1));
                Await.that(() -> asking.size() == 1);
            }
            try (Network next = open(kind, SHARED, book(server, 1))) {
                known.knows(SHARED, next, 1);
                CompletableFuture<Text> answer = next.request(SERVER, new Ask(2), PATIENCE);
                Await.that(() -> asking.size() == 2);

                asking.remove().respond(new Text(1, "late"));
                asking.remove().respond(new Text(2, ""));

                assertThat(answer.get().number()).isEqualTo(2);
            }
        }
    }

    private Network serve(Pair.Kind kind, Book book) {
        Network server = open(kind, SERVER, book);
        server.serve(
                Ask.TYPE,
                Execution.WORKER,
                (source, ask) -> {
                    asked.incrementAndGet();
                    return new Text(ask.number(), "");
                });
        return server;
    }

    private static Book book(Network server, int own) {
        return new Book().knows(SERVER, server, 0).is(SHARED, own);
    }

    private static Network open(Pair.Kind kind, int node, AddressBook book) {
        assumeTrue(kind.isAvailable(), "UCX is not installed (package libucx0): not tested");
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Network.open(
                node, kind.transport(bind, book, new LoopbackHub()), NetConfig.defaults());
    }
}
