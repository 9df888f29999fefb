package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.ChunkId;
import org.starling.store.NodeInfo;
import org.starling.store.NodeLoss;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.node.NodeMessage.Answer;
import org.starling.store.internal.node.NodeMessage.Ask;
import org.starling.store.internal.node.NodeMessage.Members;

/** What happens while a superpeer takes over the lead. */
final class TakingOverTest {
    private static final int PEER = 1;

    /** A replica that carries a command out right behind one of its first looks. */
    private static final class Interposed extends InterposedDirectory {
        private final Command command;
        private int looks;

        Interposed(int looks, Command command) {
            this.looks = looks;
            this.command = command;
            var _ = directory.apply(new Command.FoundCluster(7, 1));
        }

        /** A peer registers and opens a zone. */
        void own(int peer) {
            var _ = directory.apply(new Command.RegisterSuperpeer(0, "127.0.0.1", 9));
            var _ =
                    directory.apply(
                            new Command.RegisterNode(
                                    Role.PEER,
                                    "127.0.0.1",
                                    10,
                                    1,
                                    NodeOptions.STORES,
                                    7,
                                    Command.RegisterNode.NO_PREVIOUS,
                                    0,
                                    0,
                                    Place.UNKNOWN));
            var _ = directory.apply(new Command.OpenZone(ChunkId.zoneOf(peer, 0), peer, 2));
            var _ = directory.apply(new Command.ConfirmZone(ChunkId.zoneOf(peer, 0), 1, peer));
        }

        @Override
        public <T> T read(Function<Directory, T> query) {
            T answer = directory.read(query);
            if (--looks == 0) {
                var _ = directory.apply(command);
            }
            return answer;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void showsTheSuperpeerWhateverItHasLookedAtBefore(int looks) {
        AtomicReference<Members> told = new AtomicReference<>();
        try (Interposed replica =
                        new Interposed(looks, new Command.RegisterSuperpeer(0, "127.0.0.1", 9));
                Network network =
                        Network.open(
                                0, Transports.loopback(new LoopbackHub()), NetConfig.defaults());
                Superpeer superpeer =
                        new Superpeer(
                                network,
                                replica,
                                new AddressTable(),
                                StoreConfig.defaults(),
                                told::set,
                                () -> {},
                                System::nanoTime)) {
            for (int i = 0; i < looks; i++) {
                replica.read(Directory::nodes); // until it has registered
            }

            superpeer.doWork();

            assertThat(Objects.requireNonNull(told.get()).view().nodes())
                    .extracting(NodeInfo::id)
                    .containsExactly(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void remembersALossOfTheMomentInWhichItTakesOver(int looks) throws Exception {
        LoopbackHub hub = new LoopbackHub();
        try (Interposed replica = new Interposed(looks, new Command.RemoveNode(PEER));
                Network network = Network.open(0, Transports.loopback(hub), NetConfig.defaults());
                Network asker =
                        Network.open(PEER + 1, Transports.loopback(hub), NetConfig.defaults())) {
            replica.own(PEER);
            try (Superpeer superpeer =
                    new Superpeer(
                            network,
                            replica,
                            new AddressTable(),
                            StoreConfig.defaults(),
                            news -> {},
                            () -> {},
                            System::nanoTime)) {
                superpeer.start();
                for (int i = 0; i < looks; i++) {
                    replica.read(Directory::nodes); // until it has been removed
                }

                Answer answer = asker.call(0, new Ask(new DirectoryQuery.RecoveriesOf()));

                assertThat(answer.reply())
                        .isInstanceOfSatisfying(
                                DirectoryReply.RecoveriesAre.class,
                                told ->
                                        assertThat(told.recoveries().losses())
                                                .extracting(NodeLoss::node)
                                                .containsExactly(PEER));
            }
        }
    }
}
