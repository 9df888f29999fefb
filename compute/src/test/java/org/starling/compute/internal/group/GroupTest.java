package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.JobFailedException;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;
import org.starling.net.Responder;
import org.starling.store.StoreNode;

@Timeout(60)
final class GroupTest {
    private TestGroup peers;
    private Group group;

    /** Asks how it has gone. */
    @TypeId(32_001)
    private record Ask() implements RecordMessage, RecordRequest<Gone> {}

    @TypeId(32_003)
    private record Stop() implements RecordMessage, RecordRequest<Gone> {}

    @TypeId(32_002)
    private record Gone(boolean well) implements RecordMessage {}

    @BeforeEach
    void open() {
        peers = new TestGroup(3);
        StoreNode store = peers.node(-1);
        group = new Group(store.network(), store.membership(), peers.members().get());
    }

    @AfterEach
    void close() {
        peers.close();
    }

    /** It may wait for the one that has failed, which knows no way to tell it so. */
    @Test
    void tellsASlaveToWaitNoLongerWhenAnotherOneTellsOfAFailure() {
        CompletableFuture<Responder<Gone>> waiting = new CompletableFuture<>();
        answer(0, to -> to.respond(new Gone(true)));
        answer(1, to -> to.respond(new Gone(false)));
        answer(2, waiting::complete);
        peers.node(2)
                .network()
                .serveAsync(
                        RecordMessage.type(Stop.class),
                        Execution.WORKER,
                        (_, _, to) -> {
                            waiting.join().respond(new Gone(true));
                            to.respond(new Gone(true));
                        });

        assertThatThrownBy(() -> group.each(_ -> new Ask(), GroupTest::failure, new Stop()))
                .hasMessage("1 of 3");
    }

    /** Its work does not stop, and others have failed: that is what the job is to hear. */
    @Test
    void waitsForNoSlaveThatGoesOnForLongAfterItWasToldToStop() {
        StoreNode store = peers.node(-1);
        Group impatient =
                new Group(
                        store.network(),
                        store.membership(),
                        peers.members().get(),
                        Duration.ofMillis(100));
        CompletableFuture<Void> told = new CompletableFuture<>();
        answer(0, to -> to.respond(new Gone(true)));
        answer(1, to -> to.respond(new Gone(false)));
        answer(2, _ -> {});
        peers.node(2)
                .network()
                .serve(
                        RecordMessage.type(Stop.class),
                        Execution.WORKER,
                        (_, _) -> {
                            told.complete(null);
                            return new Gone(true);
                        });

        assertThatThrownBy(() -> impatient.each(_ -> new Ask(), GroupTest::failure, new Stop()))
                .hasMessage("1 of 2");
        assertThat(told).isCompleted();
    }

    private static Optional<RuntimeException> failure(List<Gone> answers) {
        long failed = answers.stream().filter(answer -> !answer.well()).count();
        return failed == 0
                ? Optional.empty()
                : Optional.of(new JobFailedException(failed + " of " + answers.size()));
    }

    private void answer(int peer, Consumer<Responder<Gone>> answer) {
        peers.node(peer)
                .network()
                .serveAsync(
                        RecordMessage.type(Ask.class),
                        Execution.WORKER,
                        (_, _, to) -> answer.accept(to));
    }
}
