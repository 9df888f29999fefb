package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.starling.graph.InvalidInputException;

/** Ports of nodes that may choose. */
final class PortRangeTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void takesTheFirstThatIsFreeAndGoesPastThoseThatAreNot() throws IOException {
        int base = FreePorts.base();
        try (ServerSocket taken = new ServerSocket(base, 1, HERE);
                ServerSocket beside = new ServerSocket(base + 1 + 7, 1, HERE)) {
            assertThat(taken.isBound() && beside.isBound()).isTrue();
            assertThat(new PortRange(base, base + 5).choose(HERE, 0)).isEqualTo(base + 1);
            assertThat(new PortRange(base, base + 5).choose(HERE, 7)).isEqualTo(base + 2);
            assertThatThrownBy(() -> new PortRange(base, base + 1).choose(HERE, 7))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no port from %d to %d", base, base + 1)
                    .hasMessageContaining("name others with --port");
        }
    }

    @Test
    void takesAnyForZeroAndOneAsItIs() {
        assertThat(PortRange.of(0).choose(HERE, 100)).isPositive();
        assertThat(PortRange.of(7400).choose(HERE, 100)).isEqualTo(7400);
        assertThat(PortRange.of(7400).isFixed()).isTrue();
        assertThat(PortRange.of(0).isFixed()).isFalse();
        assertThat(new PortRange(7400, 7401).isFixed()).isFalse();
    }
}
