package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.internal.Limits;

/** Who may talk under TLS, and who is turned away and why. */
@Timeout(60)
class TlsTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);

    @RegisterExtension private final TlsNodes nodes = new TlsNodes();

    // ---- who may talk

    @Test
    void carriesCallsBothWaysBetweenNodesThatProveWhoTheyAre() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        Network two =
                nodes.node(2, nodes.keys().issue("two", "www.example.org", "nodes-2-9.starling"));

        assertThat(one.call(2, new Ask(1), SECONDS_5).number()).isEqualTo(1);
        assertThat(two.call(1, new Ask(2), SECONDS_5).number()).isEqualTo(2);

        long rings = Limits.DEFAULT_RING_BYTES;
        assertThat(one.statistics().nativeBytes()).isGreaterThan(rings + (300 << 10));
        one.disconnect(2);
        TlsNodes.await(() -> nativeBytesOfConnections(one) == 0);
    }

    @Test
    void refusesANodeWhoseAuthorityItDoesNotKnow(@TempDir Path elsewhere) throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        Network two = nodes.node(2, new Keys(elsewhere).node(2));

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("not signed by an authority that this node knows");
        assertThat(one.statistics().refused()).isEqualTo(1);
        TlsNodes.await(() -> two.statistics().refused() == 1);
    }

    @Test
    void refusesACallerWhoseAuthorityItDoesNotKnowAndSaysSo(@TempDir Path elsewhere)
            throws Exception {
        TlsOptions stranger = new Keys(elsewhere).node(1);
        TlsOptions mine = nodes.keys().node(2);
        Network one =
                nodes.node(
                        1,
                        new TlsOptions(stranger.certificate(), stranger.key(), mine.authority()));
        Network two = nodes.node(2, mine);

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("it refuses this node's TLS");
        TlsNodes.await(() -> two.statistics().refused() == 1);
        assertThat(one.statistics().refused()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node-3.starling", "nodes-3-65535.starling", "node-1.example.org"})
    void refusesACallerWhoseCertificateIsForSomebodyElse(String name) throws Exception {
        Network one =
                nodes.node(
                        1,
                        nodes.keys()
                                .issue("other", name.isEmpty() ? new String[0] : name.split(" ")));
        Network two = nodes.node(2, nodes.keys().node(2));

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("refused the handshake");
        TlsNodes.await(() -> two.statistics().refused() == 1);
        assertThat(two.statistics().connections()).isEmpty();
    }

    @Test
    void refusesToTalkToANodeWhoseCertificateIsForSomebodyElse() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        nodes.node(2, nodes.keys().node(3));

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("node 2 shows a certificate for [node-3.starling]; it needs")
                .hasMessageContaining("node-2.starling");
        assertThat(one.statistics().refused()).isEqualTo(1);
    }

    @Test
    void refusesACallerWhoseCertificateHasExpired() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        TlsOptions old = nodes.keys().expired("old", "node-9.starling");

        assertThatThrownBy(() -> new RawPeer(nodes.socket(1, Keys.context(old))).shakeHands(9, 0))
                .isInstanceOf(IOException.class);
        TlsNodes.await(() -> one.statistics().refused() == 1);
    }

    @Test
    void refusesToTalkToANodeWhoseCertificateHasExpired() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLServerSocket server = nodes.server(2, nodes.keys().expired("old", "node-2.starling"));
        Thread.ofVirtual().start(() -> acceptInVain(server));

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("its certificate has expired");
        assertThat(one.statistics().refused()).isEqualTo(1);
    }

    @Test
    void turnsAwayANodeWithoutTls() throws Exception {
        Network one = nodes.plain(1);
        Network two = nodes.node(2, nodes.keys().node(2));

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class);
        TlsNodes.await(() -> two.statistics().refused() == 1);
    }

    @Test
    void isTurnedAwayByANodeWithoutTls() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        Network two = nodes.plain(2);

        assertThatThrownBy(() -> one.call(2, new Ask(1), SECONDS_5))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("can't be reached");
        TlsNodes.await(() -> two.statistics().refused() == 1);
    }

    @Test
    void refusesACallerWithoutCertificate() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLContext nobody = SSLContext.getInstance("TLSv1.3");
        nobody.init(null, new TrustManager[] {new Gullible()}, null);
        RawPeer peer = new RawPeer(nodes.socket(1, nobody));

        assertThatThrownBy(() -> peer.shakeHands(9, 0)).isInstanceOf(IOException.class);
        TlsNodes.await(() -> one.statistics().refused() == 1);
    }

    @Test
    void speaksNoOlderTls() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLSocket socket = nodes.socket(1, Keys.context(nodes.keys().node(9)));
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});

        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
        TlsNodes.await(() -> one.statistics().refused() == 1);
    }

    @Test
    void judgesEveryConnectionAnewAndResumesNone() throws Exception {
        nodes.node(1, nodes.keys().node(1));
        Gullible judge = new Gullible();
        SSLContext context = Keys.context(nodes.keys().node(9), judge);

        for (int i = 0; i < 3; i++) {
            new RawPeer(nodes.socket(1, context)).shakeHands(9, 0);
        }

        assertThat(judge.asked()).isEqualTo(3);
    }

    // ---- keys that change

    @Test
    void takesNewKeysWhileItRunsAndKeepsTheConnectionsItHas() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        Network two = nodes.node(2, nodes.keys().node(2));
        one.call(2, new Ask(1), SECONDS_5);

        nodes.replaceKeys();
        nodes.keys().node(1);
        nodes.keys().node(2);
        Network three = nodes.node(3, nodes.keys().node(3));

        assertThat(one.call(2, new Ask(2), SECONDS_5).number()).isEqualTo(2);
        assertThat(three.call(1, new Ask(3), SECONDS_5).number()).isEqualTo(3);
        assertThat(two.call(3, new Ask(4), SECONDS_5).number()).isEqualTo(4);
        assertThat(one.statistics().lost() + two.statistics().lost()).isZero();
    }

    @Test
    void staysWithItsKeysWhileTheFilesDoNotFitTogether() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        TlsOptions before = nodes.keys().node(1);
        byte[] key = Files.readAllBytes(before.key());
        Network two = nodes.node(2, nodes.keys().node(2));
        one.call(2, new Ask(0), SECONDS_5);
        one.disconnect(2);

        nodes.keys().node(1); // a new pair, of which the key is late
        Files.write(before.key(), key);
        assertThat(one.call(2, new Ask(1), SECONDS_5).number()).isEqualTo(1);
        one.disconnect(2);

        Files.delete(before.certificate());
        assertThat(one.call(2, new Ask(2), SECONDS_5).number()).isEqualTo(2);
        assertThat(two.statistics().refused()).isZero();
    }

    private static void acceptInVain(SSLServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read();
        } catch (IOException e) {
            return; // it was refused, as it should be
        }
    }

    /** Without the receive buffers that wait to be used again. */
    private static long nativeBytesOfConnections(Network network) {
        NetStatistics statistics = network.statistics();
        long kept =
                (long) statistics.queues().keptBuffers() * Limits.DEFAULTS.incomingBufferBytes();
        return statistics.nativeBytes() - kept;
    }
}
