package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.net.Transports;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.node.NodeMessage.Answer;

/** A node asks the directory, and the superpeer is not at its best. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryClientTest {
    private final LoopbackHub hub = new LoopbackHub();
    private final Network superpeer = network(0);
    private final Network node = network(1);
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final Queue<Responder<Answer>> unanswered = new ConcurrentLinkedQueue<>();
    private final DirectoryClient client =
            new DirectoryClient(
                    node,
                    new LeaderGuess(1, 0),
                    Duration.ofSeconds(20),
                    System::nanoTime,
                    isStopped::get);

    @AfterEach
    void close() {
        node.close();
        superpeer.close();
    }

    @Test
    void asksTheOnlySuperpeerAgainWhenAQuestionHasBeenLost() {
        superpeer.serveAsync(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask, to) -> {
                    if (unanswered.isEmpty()) {
                        unanswered.add(to); // for ever
                    } else {
                        to.respond(new Answer(0, new DirectoryReply.Chosen(7)));
                    }
                });

        assertThat(client.chooseBackup(1, List.of()))
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(7);
    }

    @Test
    void asksAgainWhileASuperpeerIsStartingAndServesNothingYet() throws InterruptedException {
        CompletableFuture<Integer> chosen = client.chooseBackup(1, List.of());
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (superpeer.statistics().unhandled() == 0 && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }

        superpeer.serveAsync(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask, to) -> to.respond(new Answer(0, new DirectoryReply.Chosen(7))));

        assertThat(chosen).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(7);
    }

    @Test
    void saysThatASuperpeerMayBeStarting() {
        DirectoryClient impatient =
                new DirectoryClient(
                        node,
                        new LeaderGuess(1, 0),
                        Duration.ofMillis(50),
                        System::nanoTime,
                        isStopped::get);

        assertThatThrownBy(() -> impatient.require(registerName("a", 1)))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("superpeer 0 is starting, or can't answer")
                .hasMessageContaining("it serves no requests of this type (yet)")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void asksNobodyOnceTheNodeIsClosed() {
        superpeer.serveAsync(
                NodeMessage.ASK, Execution.WORKER, (source, ask, to) -> unanswered.add(to));
        isStopped.set(true);

        assertThat(client.chooseBackup(1, List.of()))
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .withMessageContaining("this node has been closed");
        assertThat(unanswered).isEmpty();
    }

    @Test
    void doesNotCallRefusedWhatAnEarlierAttemptMayHaveDone() {
        superpeer.serveAsync(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask, to) -> {
                    if (unanswered.isEmpty()) {
                        unanswered.add(to); // carried out, perhaps, and the answer is lost
                    } else {
                        to.respond(new Answer(0, new DirectoryReply.NoMember(source)));
                    }
                });

        assertThatThrownBy(() -> client.require(registerName("a", 1)))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("node 1 is no member of the cluster (any more)");
    }

    @Test
    void takesNoJobOfANodeThatIsNoMemberForOneTooMany() {
        answerThatItIsNoMember();
        DirectoryJobs jobs = new DirectoryJobs(1, client, Runnable::run);

        assertThatThrownBy(() -> jobs.submit(1, "a", new byte[0]))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("node 1 is no member of the cluster (any more)");
    }

    @Test
    void doesNotSayThatThereWasNothingToCancelWhereTheNodeIsNoMember() {
        answerThatItIsNoMember();
        DirectoryJobs jobs = new DirectoryJobs(1, client, Runnable::run);

        assertThatThrownBy(() -> jobs.cancel(1))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("node 1 is no member of the cluster (any more)");
    }

    @Test
    void callsRefusedWhatWasSentOnceByANodeThatIsNoMember() {
        answerThatItIsNoMember();

        assertThatThrownBy(() -> client.require(registerName("a", 1)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("the directory refused: node 1 is no member of the cluster (any more)");
    }

    private void answerThatItIsNoMember() {
        superpeer.serveAsync(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask, to) ->
                        to.respond(new Answer(0, new DirectoryReply.NoMember(source))));
    }

    @Test
    void doesNotCallClosedWhatAnEarlierAttemptMayHaveDone() {
        superpeer.serveAsync(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask, to) -> {
                    unanswered.add(to);
                    isStopped.set(true);
                });

        assertThatThrownBy(() -> client.require(registerName("a", 1)))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("this node has been closed");
    }

    private Network network(int id) {
        return Network.open(id, Transports.loopback(hub), NetConfig.defaults());
    }
}
