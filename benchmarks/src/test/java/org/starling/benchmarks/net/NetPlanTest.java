package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.SenselessChoiceException;
import org.starling.net.Waiting;

/** What can be chosen, and who sends to whom then. */
final class NetPlanTest {
    @Test
    void takesUsualValuesForAllThatIsNotGiven() {
        assertThat(plan(Map.of()))
                .isEqualTo(
                        new NetPlan(
                                NetPlan.Carrier.ETHERNET,
                                NetPlan.Mode.ONEWAY,
                                64,
                                1,
                                1,
                                NetPlan.Fan.IN,
                                2,
                                Waiting.ADAPTIVE,
                                NetPlan.Path.RAW,
                                false));
    }

    @Test
    void takesWhatIsGiven() {
        NetPlan plan =
                plan(
                        Map.of(
                                "transport", "infiniband",
                                "mode", "alltoall",
                                "bytes", 1_000_000L,
                                "senders", 3L,
                                "nodes", 5L,
                                "waiting", "sleep",
                                "path", "object"));

        assertThat(plan)
                .isEqualTo(
                        new NetPlan(
                                NetPlan.Carrier.INFINIBAND,
                                NetPlan.Mode.ALLTOALL,
                                1_000_000,
                                3,
                                1,
                                NetPlan.Fan.IN,
                                5,
                                Waiting.SLEEP,
                                NetPlan.Path.OBJECT,
                                false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode=alltoall connections=2      | --connections is not for --mode alltoall",
                "mode=oneway nodes=2              | --nodes is for --mode alltoall only",
                "bytes=65537                      | --path raw takes up to --bytes 65536",
                "path=object bytes=15             | --path object needs at least --bytes 16",
                "mode=roundtrip connections=2     | at least as many --senders as --connections",
                "mode=roundtrip senders=9 bytes=30000 | up to 262144 bytes under way",
                "mode=roundtrip fan=out           | --fan out is for --mode oneway only",
                "mode=alltoall fan=out            | --fan out is for --mode oneway only",
                "transport=loopback tls=true      | --tls is for --transport ethernet only",
            })
    void refusesWhatMakesNoSenseTogether(String words, String sentence) {
        Map<String, Object> given = new HashMap<>();
        for (String pair : words.split(" ", -1)) {
            String[] sides = pair.split("=", -1);
            Object value =
                    sides[1].equals("true")
                            ? (Object) true
                            : sides[1].matches("\\d+") ? Long.valueOf(sides[1]) : sides[1];
            given.put(sides[0], value);
        }

        assertThatThrownBy(() -> plan(given))
                .isInstanceOf(SenselessChoiceException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
    }

    @Test
    void spreadsThreadsOverConnectionsAndConnectionsOverThreads() {
        NetPlan many = plan(Map.of("connections", 5L, "senders", 2L));
        assertThat(many.hosts()).containsExactly(List.of(1), List.of(2, 3, 4, 5, 6));
        assertThat(many.lanes(many.hosts().getFirst())).isEmpty();
        assertThat(many.lanes(many.hosts().getLast()))
                .containsExactly(
                        List.of(new Flow(2, 1), new Flow(4, 1), new Flow(6, 1)),
                        List.of(new Flow(3, 1), new Flow(5, 1)));

        NetPlan few = plan(Map.of("connections", 2L, "senders", 3L));
        assertThat(few.lanes(few.hosts().getLast()))
                .containsExactly(
                        List.of(new Flow(2, 1)), List.of(new Flow(3, 1)), List.of(new Flow(2, 1)));
    }

    @Test
    void letsOneNodeSendToMany() {
        NetPlan plan = plan(Map.of("connections", 3L, "fan", "out"));

        assertThat(plan.hosts()).containsExactly(List.of(2, 3, 4), List.of(1));
        assertThat(plan.lanes(plan.hosts().getFirst())).isEmpty();
        assertThat(plan.lanes(plan.hosts().getLast()))
                .containsExactly(List.of(new Flow(1, 2), new Flow(1, 3), new Flow(1, 4)));
    }

    @Test
    void letsEachNodeSendToAllOthers() {
        NetPlan plan = plan(Map.of("mode", "alltoall", "nodes", 3L, "senders", 2L));

        assertThat(plan.hosts()).containsExactly(List.of(1), List.of(2), List.of(3));
        List<Flow> flows = new ArrayList<>();
        for (List<Integer> host : plan.hosts()) {
            assertThat(plan.lanes(host)).hasSize(2);
            plan.lanes(host).forEach(flows::addAll);
        }
        assertThat(flows).hasSize(12);
        assertThat(flows)
                .containsOnly(
                        new Flow(1, 2),
                        new Flow(1, 3),
                        new Flow(2, 1),
                        new Flow(2, 3),
                        new Flow(3, 1),
                        new Flow(3, 2));
    }

    @Test
    void putsAllNodesIntoOneJvmForLoopback() {
        NetPlan plan = plan(Map.of("transport", "loopback", "mode", "alltoall", "nodes", 3L));

        assertThat(plan.hosts()).containsExactly(List.of(1, 2, 3));
        assertThat(plan.lanes(plan.hosts().getFirst())).hasSize(3);
    }

    @Test
    void takesTheSameShapesFromStudies() {
        assertThat(NetPlan.oneWay(NetPlan.Path.RAW, 64, 1)).isEqualTo(plan(Map.of()));
        assertThat(NetPlan.oneWay(NetPlan.Path.RAW, 64, 3).overLoopback())
                .isEqualTo(plan(Map.of("transport", "loopback", "senders", 3L)));
        assertThat(NetPlan.roundTrips(NetPlan.Path.RAW, 64, 4, 2, Waiting.SLEEP))
                .isEqualTo(
                        plan(
                                Map.of(
                                        "mode",
                                        "roundtrip",
                                        "senders",
                                        4L,
                                        "connections",
                                        2L,
                                        "waiting",
                                        "sleep")));
        assertThat(NetPlan.allToAll(NetPlan.Path.OBJECT, 64, 5))
                .isEqualTo(plan(Map.of("mode", "alltoall", "nodes", 5L, "path", "object")));
    }

    static NetPlan plan(Map<String, Object> given) {
        return NetPlan.of(new BenchChoices(NetPlan.options(), given));
    }
}
