package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
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
                        REQUEST,
                        List.of(
                                new Peer(1, "10.0.0.1", 3000 * MIB, 64_000 * MIB, 0),
                                new Peer(2, "10.0.0.2", 3000 * MIB, 2900 * MIB, 100 * MIB - 1),
                                new Peer(3, "10.0.0.3", 3000 * MIB, 2048 * MIB, 256 * MIB)),
                        false);

        assertThatThrownBy(() -> plan.check())
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
                        REQUEST,
                        List.of(
                                new Peer(1, "a", 300, 300, 0),
                                new Peer(2, "b", 400, 300, 100),
                                new Peer(3, "c", 0, 0, 0)),
                        false);

        assertThatNoException().isThrownBy(() -> plan.check());
    }

    @Test
    void letsPeersOfOneMachineShareIt() {
        Peer one = new Peer(1, "", 200 * MIB, 500 * MIB, 10 * MIB);
        Peer other = new Peer(2, "", 320 * MIB, 505 * MIB, 10 * MIB);
        Peer larger = new Peer(2, "", 321 * MIB, 505 * MIB, 10 * MIB);

        assertThatNoException()
                .isThrownBy(() -> new MemoryPlan(REQUEST, List.of(one, other), false).check());
        assertThatThrownBy(() -> new MemoryPlan(REQUEST, List.of(one, larger), false).check())
                .hasMessageContaining(
                        "up to 521 MiB of memory on nodes 1, 2 for its columns and messages on graph \"web\", but"
                                + " 520 MiB are available");
    }

    @Test
    void promisesRunsWithMessagesOfUnknownNumberNoMoreThanThereIs() {
        List<Peer> peers = List.of(new Peer(1, "a", 100, 1000, 0), new Peer(2, "a", 100, 1000, 0));
        MemoryPlan plan = new MemoryPlan(REQUEST, peers, true);

        Map<Integer, Long> first = plan.bytes(Promises.NONE, 0.5);
        Promises promised = Promises.NONE.with(false, first);
        Map<Integer, Long> second = plan.bytes(promised, 0.5);

        assertThat(first).isEqualTo(Map.of(1, 300L, 2, 300L));
        assertThat(second).isEqualTo(Map.of(1, 150L, 2, 150L));
        assertThat(plan.spareBytes(0, second)).isEqualTo(50);
        assertThat(plan.shortage(promised.with(false, second))).isPresent();
        assertThat(new MemoryPlan(REQUEST, peers, false).bytes(Promises.NONE, 1))
                .isEqualTo(Map.of(1, 100L, 2, 100L));
    }

    @Test
    void countsForAGraphWhatOtherGraphsWerePromisedButNotWhatRunsWere() {
        BuildNeed need = new BuildNeed("web", 60, 100, Map.of(1, 10L, 2, 10L));
        Map<Integer, Long> promised = Map.of(1, 15L, 2, 15L);

        assertThat(need.shortage(Promises.NONE.with(false, promised))).isEmpty();
        assertThat(need.shortage(Promises.NONE.with(true, promised))).isPresent();
        assertThat(
                        new MemoryPlan(REQUEST, List.of(new Peer(1, "a", 90, 100, 0)), false)
                                .shortage(Promises.NONE.with(true, promised)))
                .isPresent();
    }

    @Test
    void putsWhatWasTakenBesideWhatWasExpected() {
        MemoryPlan plan =
                new MemoryPlan(
                        REQUEST,
                        List.of(new Peer(4, "a", 30, 500, 7), new Peer(5, "b", 40, 600, 0)),
                        false);

        List<PeerMemory> memory =
                plan.beside(
                        List.of(new EndReport(new long[0], 20), new EndReport(new long[0], 39)));

        assertThat(memory)
                .containsExactly(new PeerMemory(4, 30, 507, 20), new PeerMemory(5, 40, 600, 39));
    }
}
