package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose receiving thread ends of an error is lost to all, and knows it. */
@Timeout(30)
class ReceivingThreadFailureTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);

    /** A message that can't be read. */
    private record Poison(boolean isNested) implements Message {

        private static final MessageType<Poison> TYPE =
                new MessageType<>(200, "poison", Poison::read);

        private static Poison read(Importer in) {
            if (in.readBoolean()) {
                return read(nested(in, 1));
            }
            throw new AssertionError("on purpose");
        }

        /** As a reader does that follows how deep a peer says that objects are nested. */
        private static Importer nested(Importer in, int depth) {
            return depth < 0 ? in : nested(in, depth + 1);
        }

        @Override
        public MessageType<Poison> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeBoolean(isNested);
        }
    }

    /** Node 2 has connections of all kinds: with who sends to it, and with who is to answer it. */
    @ParameterizedTest
    @EnumSource
    void losesAllNodesTellsEverybodyAndCloses(Pair.Kind kind) throws Exception {
        Set<Integer> lost = ConcurrentHashMap.newKeySet();
        CompletableFuture<Integer> lostByOne = new CompletableFuture<>();
        CompletableFuture<Integer> lostByThree = new CompletableFuture<>();
        try (Pair pair = new Pair(kind)) {
            Network failing = pair.node(2);
            failing.handle(Poison.TYPE, Execution.WORKER, (source, poison) -> {});
            failing.onNodeLost(lost::add);
            pair.node(1).onNodeLost(lostByOne::complete);
            pair.node(3).onNodeLost(lostByThree::complete);
            CompletableFuture<?> _ = pair.serveLate(3);
            CompletableFuture<?> _ = pair.serveLate(1);
            CompletableFuture<Text> unanswered =
                    failing.request(3, new Ask(1), SECONDS_5.multipliedBy(4));
            failing.call(3, new Ask(2), SECONDS_5);

            pair.node(1).send(2, new Poison(false));

            assertThatThrownBy(() -> unanswered.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining(
                            "node 3 is lost: the receiving thread of node 2 has failed")
                    .hasMessageContaining("on purpose");
            Await.that(() -> lost.equals(Set.of(1, 3)), () -> lost);
            assertThat(lostByOne.get(5, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(lostByThree.get(5, TimeUnit.SECONDS)).isEqualTo(2);
            assertThatThrownBy(() -> failing.send(1, new Text(1, "")))
                    .isInstanceOf(NetException.class)
                    .hasMessageContaining("node 2 reaches nobody: the receiving thread");
            assertThatThrownBy(() -> pair.node(3).send(2, new Text(1, "")))
                    .isInstanceOf(NetException.class);
            assertThat(failing.statistics().receivingFailures()).isEqualTo(1);
            assertThat(failing.statistics().handlerFailures()).isZero();
            assertThat(failing.statistics().connections()).isEmpty();
            assertThat(pair.node(1).call(3, new Ask(5), SECONDS_5).number()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void survivesAReaderThatNestsTooDeep(Pair.Kind kind) throws Exception {
        CompletableFuture<Integer> lost = new CompletableFuture<>();
        try (Pair pair = new Pair(kind)) {
            CompletableFuture<?> _ = pair.serveLate(2);
            pair.node(2).handle(Poison.TYPE, Execution.INLINE, (source, poison) -> {});
            pair.node(2).onNodeLost(lost::complete);
            pair.node(3).call(2, new Ask(3), SECONDS_5);

            pair.node(1).send(2, new Poison(true));

            assertThat(lost.get(5, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(pair.node(2).statistics().malformed()).isEqualTo(1);
            assertThat(pair.node(3).call(2, new Ask(4), SECONDS_5).number()).isEqualTo(4);
        }
    }
}
