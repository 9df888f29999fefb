package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that know a secret, and nodes that know another one or none. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SecretTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);
    private static final NetConfig KNOWING = NetConfig.defaults().withSecret(ClusterSecret.fresh());

    @ParameterizedTest
    @EnumSource(names = "LOOPBACK", mode = EnumSource.Mode.EXCLUDE)
    void carriesCallsBothWaysBetweenNodesThatKnowTheSecret(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind, KNOWING)) {
            var _ = pair.serveLate(1);
            var _ = pair.serveLate(2);

            assertThat(pair.node(1).call(2, new Ask(3), SECONDS_5).number()).isEqualTo(3);
            assertThat(pair.node(2).call(1, new Ask(4), SECONDS_5).number()).isEqualTo(4);
            assertThat(pair.node(1).statistics().refused()).isZero();
        }
    }

    /** The old cluster's node 2 has survived, and reaches for the new cluster's node 1. */
    @ParameterizedTest
    @EnumSource(names = "LOOPBACK", mode = EnumSource.Mode.EXCLUDE)
    void nodesOfTwoClustersRefuseEachOtherWhateverTheirIds(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind, KNOWING)) {
            var _ = pair.serveLate(1);
            refuses(kind, pair, NetConfig.defaults().withSecret(ClusterSecret.fresh()));
            refuses(kind, pair, NetConfig.defaults());

            assertThat(pair.node(1).statistics().refused()).isEqualTo(2);
            assertThat(pair.node(2).call(1, new Ask(5), SECONDS_5).number()).isEqualTo(5);
        }
    }

    private static void refuses(Pair.Kind kind, Pair pair, NetConfig others) {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Transport transport = kind.transport(bind, id -> pair.address(1), new LoopbackHub());
        try (Network other = Network.open(2, transport, others)) {
            assertThatThrownBy(() -> other.call(1, new Ask(2), SECONDS_5))
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("refused the handshake; its log says why");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_POSIX"})
    void saysNothingMoreToAnImpostorAtTheAddressOfANode(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind, KNOWING);
                ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            pair.swap(2, (InetSocketAddress) impostor.getLocalSocketAddress());
            CompletableFuture<Integer> heard =
                    CompletableFuture.supplyAsync(() -> heardByDeceit(impostor));

            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), SECONDS_5))
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("does not know the secret of this cluster");
            assertThat(pair.node(1).statistics().refused()).isEqualTo(1);
            assertThat(heard.get()).isZero();
        }
    }

    /** Bytes that a caller says after it has heard a proof that is none. */
    private static int heardByDeceit(ServerSocket impostor) {
        try (Socket socket = impostor.accept()) {
            int first = socket.getInputStream().read(new byte[64 << 10]);
            assertThat(first).isPositive();
            socket.getOutputStream().write(new byte[64]);
            byte[] rest = socket.getInputStream().readAllBytes();
            return rest.length < 64 ? 0 : rest.length; // a nonce may come late
        } catch (IOException e) {
            return 0; // hung up at once
        }
    }
}
