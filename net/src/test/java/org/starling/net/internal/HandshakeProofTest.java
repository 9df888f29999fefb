package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.ClusterSecret;
import org.starling.net.NativeMemory;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;

/** A node with a secret, and callers who speak the handshake by hand. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class HandshakeProofTest {

    private static final int NODE = 1;
    private static final int CALLER = 2;
    private static final ClusterSecret SECRET = ClusterSecret.fresh();
    private static final byte[] OLD_NONCE = HandshakeProof.freshNonce();

    private final Network node =
            Network.open(
                    NODE,
                    Transports.ethernet(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), id -> null),
                    NetConfig.defaults().withSecret(SECRET));

    @AfterEach
    void close() {
        node.close();
    }

    /** What a caller says when it has to prove itself. */
    @SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
    enum Said {
        THE_PROOF(call -> call.proof(SECRET, call.nodesNonce, NODE).ofCaller()),
        WHAT_IT_HAS_HEARD(call -> call.nodesProof),
        WHAT_IT_HAS_HEARD_FROM_ANOTHER_CALLER(
                call -> call.proof(SECRET, OLD_NONCE, NODE).ofCaller()),
        WHAT_ANOTHER_NODE_WANTS_TO_HEAR(call -> call.proof(SECRET, call.nodesNonce, 3).ofCaller()),
        THE_PROOF_OF_ANOTHER_CLUSTER(
                call -> call.proof(ClusterSecret.fresh(), call.nodesNonce, NODE).ofCaller()),
        NOTHING(call -> new byte[HandshakeProof.BYTES]);

        private final Function<Call, byte[]> bytes;

        Said(Function<Call, byte[]> bytes) {
            this.bytes = bytes;
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsInWhoProvesTheSecretAndNobodyElse(Said said) throws IOException {
        boolean isRight = said == Said.THE_PROOF;
        try (Call call = new Call(address(), SECRET.clusterId())) {
            call.hearProof();
            call.say(said.bytes.apply(call));

            assertThat(call.hear(HandshakeLayout.BYTES))
                    .hasSize(isRight ? HandshakeLayout.BYTES : 0);
        }

        assertThat(node.statistics().refused()).isEqualTo(isRight ? 0 : 1);
    }

    @Test
    void provesNothingToACallerOfAnotherCluster() throws IOException {
        try (Call call = new Call(address(), ClusterSecret.fresh().clusterId())) {
            assertThat(call.hear(1)).isEmpty();
        }

        assertThat(node.statistics().refused()).isEqualTo(1);
    }

    private InetSocketAddress address() {
        return Objects.requireNonNull(node.localAddress());
    }

    /** A connection made by hand, which has said hello. */
    private static final class Call implements AutoCloseable {

        private final Socket socket;
        private final byte[] hello;
        private final byte[] nonce = HandshakeProof.freshNonce();
        private byte[] nodesNonce = new byte[0];
        private byte[] nodesProof = new byte[0];

        Call(InetSocketAddress address, long clusterId) throws IOException {
            socket = new Socket(address.getAddress(), address.getPort());
            hello = hello(clusterId);
            say(hello);
            say(nonce);
        }

        HandshakeProof proof(ClusterSecret secret, byte[] answererNonce, int answerer) {
            return new HandshakeProof(secret, hello, nonce, answererNonce, answerer);
        }

        void hearProof() throws IOException {
            nodesNonce = hear(HandshakeProof.NONCE_BYTES);
            nodesProof = hear(HandshakeProof.BYTES);
            assertThat(nodesProof).isEqualTo(proof(SECRET, nodesNonce, NODE).ofAnswerer());
        }

        byte[] hear(int bytes) throws IOException {
            return socket.getInputStream().readNBytes(bytes);
        }

        void say(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private static byte[] hello(long clusterId) {
            long address = NativeMemory.reserve(HandshakeLayout.BYTES);
            try {
                HandshakeLayout.write(address, clusterId, CALLER, 0, 128 << 10);
                byte[] bytes = new byte[HandshakeLayout.BYTES];
                NativeMemory.segment(address, bytes.length).asByteBuffer().get(bytes);
                return bytes;
            } finally {
                NativeMemory.release(address, HandshakeLayout.BYTES);
            }
        }
    }
}
