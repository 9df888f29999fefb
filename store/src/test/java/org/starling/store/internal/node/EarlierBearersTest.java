package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.HeartbeatReply;
import org.starling.store.internal.node.NodeMessage.Join;
import org.starling.store.internal.node.NodeMessage.Joined;
import org.starling.store.internal.node.NodeMessage.Standing;

/** A superpeer, a node id that several nodes have one after the other, and a clock of the test. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EarlierBearersTest {
    private static final int SHARED = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final StoreConfig config = StoreConfig.defaults();
    private final AtomicLong now = new AtomicLong();
    private final InMemoryDirectory directory = new InMemoryDirectory();
    private final AddressTable addresses = new AddressTable();
    private final Network network =
            Network.open(0, Transports.ethernet(anyPort(), addresses), NetConfig.defaults());

    /** Made by {@link #lead}. */
    @SuppressWarnings("NullAway.Init")
    private Superpeer superpeer;

    @BeforeEach
    void found() {
        var _ = directory.apply(new Command.FoundCluster(7, 1));
        addresses.onNewBearer(network::disconnect);
    }

    @AfterEach
    void stop() {
        superpeer.close();
        network.close();
        directory.close();
    }

    @Test
    void aRemovalOfAnEarlierBearerThatComesLateTakesNothingFromThePresentOne() throws Exception {
        handOutAllIdsOnce();
        lead();
        try (Network bearer = node(SHARED, 1)) {
            register(bearer);
            assertThat(beat(bearer, 1).newer()).isNotNull();

            var _ = directory.apply(new Command.RemoveNode(SHARED, 0));

            assertThat(shown()).as("the others are told of it still").isTrue();
        }
        for (int i = 0; i < 2 * ticksToLoss(); i++) {
            now.addAndGet(config.heartbeatInterval().toNanos());
            superpeer.doWork();
        }
        assertThat(isMember()).as("it is missed when it falls silent").isFalse();
    }

    @Test
    void aRegistrationThatIsRepeatedAfterItsNodeIsGoneDoesNotCutTheRestOfItsIdShort()
            throws Exception {
        lead();
        now.addAndGet(10 * config.requestTimeout().toNanos());
        try (Network joining = node(Directory.MAX_MEMBER + 1, 0)) {
            assertThat(join(joining).node()).isEqualTo(SHARED);
            var _ = directory.apply(new Command.RemoveNode(SHARED, 0));

            assertThat(join(joining).node()).isEqualTo(SHARED);
            superpeer.doWork();

            assertThat(directory.read(Directory::resting)).containsExactly(SHARED);
            now.addAndGet(3 * config.requestTimeout().toNanos());
            superpeer.doWork();
            assertThat(directory.read(Directory::resting)).isEmpty();
        }
    }

    @Test
    void aNodeThatIsGoneHearsOfItFromASuperpeerThatNeverHeardWhichBearerOfItsIdItIs()
            throws Exception {
        handOutAllIdsOnce();
        try (Network gone = node(SHARED, 1)) {
            register(gone);
            var _ = directory.apply(new Command.RemoveNode(SHARED, 1));
            lead(); // started since

            assertThat(beat(gone, 1).standing()).isEqualTo(Standing.STRANGER);
        }
    }

    @Test
    void aHeartbeatOfAnEarlierBearerIsNoneOfThePresentOne() throws Exception {
        handOutAllIdsOnce();
        lead();
        try (Network bearer = node(SHARED, 1)) {
            register(bearer);

            assertThat(beat(bearer, 0).standing()).isEqualTo(Standing.STRANGER);

            assertThat(shown()).isFalse();
            assertThat(beat(bearer, 1).standing()).isEqualTo(Standing.MEMBER);
        }
    }

    // what the tests share

    private void lead() {
        superpeer =
                new Superpeer(
                        network, directory, addresses, config, news -> {}, () -> {}, now::get);
        superpeer.start();
    }

    private void handOutAllIdsOnce() {
        directory.read(state -> {
            for (int id = SHARED; id <= Directory.MAX_MEMBER; id++) {
                state.apply(registerNode(Role.PEER, "", 0, 1, 0));
                state.apply(new Command.RemoveNode(id));
                state.apply(new Command.ReleaseNode(id, 0));
            }
            return true;
        });
    }

    private void register(Network node) {
        var _ = directory.apply(registerNode(Role.PEER, "127.0.0.1", port(node), 1, 0));
        int incarnation = directory.read(state -> state.incarnation(SHARED));
        assertThat(incarnation).isEqualTo(1);
    }

    private static HeartbeatReply beat(Network node, int incarnation) throws InterruptedException {
        return node.call(0, new Heartbeat(0, "127.0.0.1", port(node), incarnation, 0), PATIENCE);
    }

    private Joined join(Network node) throws InterruptedException {
        Command registration = registerNode(Role.PEER, "127.0.0.1", 9, 1, 0, 0, -1, 0, 77);
        byte[] command = CommandLayout.write(registration);
        return node.call(0, new Join(77, "127.0.0.1", port(node), command), PATIENCE);
    }

    private boolean isMember() {
        return directory.read(state -> state.isMember(SHARED));
    }

    private boolean shown() throws InterruptedException {
        try (Network asking = node(2, 0)) {
            var answer = asking.call(0, new NodeMessage.Ask(new DirectoryQuery.Status()), PATIENCE);
            var reply = (DirectoryReply.StatusIs) Objects.requireNonNull(answer.reply());
            return reply.status().nodes().stream().anyMatch(node -> node.id() == SHARED);
        }
    }

    private int ticksToLoss() {
        return (int) (config.lossTimeout().toNanos() / config.heartbeatInterval().toNanos()) + 2;
    }

    /** A network that knows the superpeer, and which bearer of its id it is. */
    private Network node(int id, int incarnation) {
        AddressTable book = new AddressTable();
        book.put(0, 0, "127.0.0.1", port(network));
        book.put(id, incarnation, "", 0);
        Network node = Network.open(id, Transports.ethernet(anyPort(), book), NetConfig.defaults());
        if (id != SHARED) {
            addresses.put(id, incarnation, "127.0.0.1", port(node));
        }
        return node;
    }

    private static int port(Network network) {
        return Objects.requireNonNull(network.localAddress()).getPort();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
