package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.RequestTimeoutException;
import org.starling.net.Transports;
import org.starling.store.internal.node.NodeMessage.Answer;
import org.starling.store.internal.node.NodeMessage.Ping;
import org.starling.store.internal.node.NodeMessage.Pong;

/**
 * Questions to a node that is cut off: its port takes the connection and nothing comes back, so
 * that connecting takes its whole time.
 */
@Timeout(30)
final class AskerTest {
    private static final int CUT_OFF = 0;
    private static final int LEADER = 1;
    private static final int ASKER = 7;

    private final AddressTable addresses = new AddressTable();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Network asker;

    @BeforeEach
    void open() throws Exception {
        InetAddress local = InetAddress.getLoopbackAddress();
        ServerSocket silent = new ServerSocket(0, 50, local);
        open.add(silent);
        addresses.put(CUT_OFF, 0, local.getHostAddress(), silent.getLocalPort());
        Network leader = network(LEADER);
        leader.serve(NodeMessage.PING, Execution.INLINE, (source, ping) -> new Pong());
        leader.serve(
                NodeMessage.ASK,
                Execution.WORKER,
                (source, ask) -> new Answer(LEADER, new DirectoryReply.LookedUp(42)));
        asker = network(ASKER);
        asker.serve(NodeMessage.PING, Execution.INLINE, (source, ping) -> new Pong());
        asker.serve(NodeMessage.ASK, Execution.WORKER, (source, ask) -> new Answer(-1, null));
    }

    private Network network(int node) throws Exception {
        InetAddress local = InetAddress.getLoopbackAddress();
        int port;
        try (ServerSocket probe = new ServerSocket(0, 1, local)) {
            port = probe.getLocalPort();
        }
        addresses.put(node, 0, local.getHostAddress(), port);
        Network network =
                Network.open(
                        node,
                        Transports.ethernet(new InetSocketAddress(local, port), addresses),
                        NetConfig.defaults());
        open.add(network);
        return network;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void neverWaitsAndKeepsToTheTimeOfTheQuestion() throws Exception {
        Asker questions = new Asker(asker);
        long begun = System.nanoTime();

        CompletableFuture<Pong> cutOff = questions.ask(CUT_OFF, new Ping(), Duration.ofMillis(300));
        CompletableFuture<Pong> reached = questions.ask(LEADER, new Ping(), Duration.ofSeconds(5));

        assertThat(sinceMillis(begun)).as("asking took no time").isLessThan(250);
        reached.get(5, TimeUnit.SECONDS);
        assertThatThrownBy(() -> cutOff.get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RequestTimeoutException.class);
        assertThat(sinceMillis(begun)).isLessThan(2_500);
    }

    @Test
    void manyQuestionsToTheDirectoryFindTheNextSuperpeerTogether() throws Exception {
        LeaderGuess guess = new LeaderGuess(2, CUT_OFF);
        DirectoryClient client =
                new DirectoryClient(
                        asker, guess, Duration.ofSeconds(10), System::nanoTime, () -> false);
        long begun = System.nanoTime();

        List<CompletableFuture<DirectoryReply.LookedUp>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(
                    client.askAsync(new DirectoryQuery.Lookup("n"), DirectoryReply.LookedUp.class));
        }
        for (CompletableFuture<DirectoryReply.LookedUp> answer : answers) {
            assertThat(answer.get(10, TimeUnit.SECONDS).id()).isEqualTo(42);
        }

        assertThat(sinceMillis(begun)).as("one attempt was in vain").isLessThan(3_500);
    }

    private static long sinceMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
