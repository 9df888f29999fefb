package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.PeerMemory;
import org.starling.compute.internal.group.MemoryPlan.Peer;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.graph.InvalidInputException;

final class MemoryPlanTest {
    private static final long MIB = 1L << 20;
    private static final RunRequest REQUEST = new RunRequest("web", "algorithms.walk", "{}", 10);

    @Test
    void refusesARunThatOneOfUnlikePeersCannotHold() {
        MemoryPlan plan =
                new MemoryPlan(
                        List.of(
                                new Peer(1, "10.0.0.1", 3000 * MIB, 64_000 * MIB, 0),
                                new Peer(2, "10.0.0.2", 3000 * MIB, 2900 * MIB, 100 * MIB - 1),
                                new Peer(3, "10.0.0.3", 3000 * MIB, 2048 * MIB, 256 * MIB)));

        assertThatThrownBy(() -> plan.check(REQUEST))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "program algorithms.walk needs up to 3,000 MiB of memory on node 3 (10.0.0.3)"
                                + " for its columns and messages on graph \"web\", but 2,304 MiB are available"
                                + " there; free memory on that machine, let peers on more machines"
                                + " compute, or take a smaller graph");
    }

    @Test
    void letsARunBeginThatFitsExactly() {
        MemoryPlan plan =
                new MemoryPlan(
                        List.of(
                                new Peer(1, "a", 300, 300, 0),
                                new Peer(2, "b", 400, 300, 100),
                                new Peer(3, "c", 0, 0, 0)));

        assertThatNoException().isThrownBy(() -> plan.check(REQUEST));
    }

    @Test
    void letsPeersOfOneMachineShareIt() {
        Peer one = new Peer(1, "", 200 * MIB, 500 * MIB, 10 * MIB);
        Peer other = new Peer(2, "", 320 * MIB, 505 * MIB, 10 * MIB);
        Peer larger = new Peer(2, "", 321 * MIB, 505 * MIB, 10 * MIB);

        assertThatNoException()
                .isThrownBy(() -> new MemoryPlan(List.of(one, other)).check(REQUEST));
        assertThatThrownBy(() -> new MemoryPlan(List.of(one, larger)).check(REQUEST))
                .hasMessageContaining(
                        "up to 521 MiB of memory on nodes 1, 2 for its columns and messages on graph \"web\", but"
                                + " 520 MiB are available");
    }

    @Test
    void putsWhatWasTakenBesideWhatWasExpected() {
        MemoryPlan plan =
                new MemoryPlan(List.of(new Peer(4, "a", 30, 500, 7), new Peer(5, "b", 40, 600, 0)));

        List<PeerMemory> memory =
                plan.beside(
                        List.of(new EndReport(new long[0], 20), new EndReport(new long[0], 39)));

        assertThat(memory)
                .containsExactly(new PeerMemory(4, 30, 507, 20), new PeerMemory(5, 40, 600, 39));
    }
}
