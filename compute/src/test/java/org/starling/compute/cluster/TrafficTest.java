package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.cluster.Traffic.Figure;
import org.starling.net.NetStatistics.Connection;
import org.starling.store.Role;

/** Sums of connections that come and go. */
final class TrafficTest {
    private final Traffic traffic = new Traffic(node -> node < 3);

    @Test
    void countsByTheRoleOfTheOtherNode() {
        traffic.look(List.of(connection(0, 10), connection(3, 200), connection(4, 1000)));

        assertThat(traffic.sum(Role.SUPERPEER, Figure.SENT_BYTES)).isEqualTo(10);
        assertThat(traffic.sum(Role.PEER, Figure.SENT_BYTES)).isEqualTo(1200);
        assertThat(traffic.sum(Role.PEER, Figure.RECEIVED_MESSAGES)).isEqualTo(2 * 8);
        assertThat(traffic.connections(Role.PEER)).isEqualTo(2);
    }

    @Test
    void neverFallsWhenConnectionsEndOrBeginAnew() {
        traffic.look(List.of(connection(3, 200)));
        traffic.look(List.of(connection(3, 250)));
        assertThat(traffic.sum(Role.PEER, Figure.SENT_BYTES)).isEqualTo(250);

        traffic.look(List.of(connection(3, 40))); // another one, since the last look
        assertThat(traffic.sum(Role.PEER, Figure.SENT_BYTES)).isEqualTo(290);

        traffic.look(List.of());
        assertThat(traffic.sum(Role.PEER, Figure.SENT_BYTES)).isEqualTo(290);
        assertThat(traffic.connections(Role.PEER)).isZero();

        traffic.look(List.of(connection(3, 60)));
        assertThat(traffic.sum(Role.PEER, Figure.SENT_BYTES)).isEqualTo(350);
    }

    private static Connection connection(int node, long bytes) {
        return new Connection(node, 5, bytes, 2, 0, 0, 0, 8, bytes);
    }
}
