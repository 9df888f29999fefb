package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.graph.InvalidInputException;
import org.starling.net.Waiting;

/** The whole bench, between real processes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class NetBenchTest {
    private final List<String> progress = new ArrayList<>();

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(Bench.class)).anyMatch(bench -> bench.name().equals("net"));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "LOOPBACK, ONEWAY, RAW, MEMORY, false",
        "LOOPBACK, ROUNDTRIP, RAW, NIO, false",
        "LOOPBACK, ALLTOALL, OBJECT, MEMORY, false",
        "ETHERNET, ONEWAY, OBJECT, NIO, false",
        "ETHERNET, ONEWAY, RAW, NIO, true",
        "ETHERNET, ROUNDTRIP, OBJECT, NETTY, false",
        "ETHERNET, ROUNDTRIP, RAW, NIO, true",
        "ETHERNET, ALLTOALL, RAW, NETTY, false",
    })
    void measuresBesideItsBaseline(
            NetPlan.Carrier carrier,
            NetPlan.Mode mode,
            NetPlan.Path path,
            Contender.Kind baseline,
            boolean tls) {
        NetPlan plan =
                new NetPlan(
                        carrier,
                        mode,
                        64,
                        1,
                        1,
                        NetPlan.Fan.IN,
                        mode == NetPlan.Mode.ALLTOALL ? 3 : 2,
                        Waiting.ADAPTIVE,
                        path,
                        tls);

        NetReport report =
                NetBench.measure(plan, baseline, Duration.ofMillis(50), 2, progress::add);

        assertThat(progress).hasSize(3);
        assertThat(report.ours().repetitions()).hasSize(2);
        assertThat(report.baseline().repetitions()).hasSize(2);
        assertThat(report.ratio()).isPositive();
        boolean trips = mode == NetPlan.Mode.ROUNDTRIP;
        for (NetReport.Row row : List.of(report.ours(), report.baseline())) {
            assertThat(row.rates().minimum()).isPositive();
            assertThat(row.micros(50) > 0).isEqualTo(trips);
            assertThat(row.median(Repetition::busyCores)).isPositive();
        }
        assertThat(report.ours().median(Repetition::aggregationFactor) > 0).isEqualTo(!trips);
    }

    @Tag("slow")
    @Test
    void saysInOneSentenceWhatThisMachineLacks() {
        BenchChoices choices =
                new BenchChoices(new NetBench().options(), Map.of("transport", "infiniband"));

        // neither an adapter nor a variable that names something else
        if (System.getenv("UCX_TLS") == null) {
            assertThatThrownBy(() -> new NetBench().run(choices, progress::add))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageNotContaining("\n");
        }
    }
}
