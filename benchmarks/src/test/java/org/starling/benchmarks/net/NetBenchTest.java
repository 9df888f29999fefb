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
        "LOOPBACK, ONEWAY, RAW, false",
        "LOOPBACK, ROUNDTRIP, RAW, false",
        "LOOPBACK, ALLTOALL, OBJECT, false",
        "ETHERNET, ONEWAY, OBJECT, false",
        "ETHERNET, ONEWAY, RAW, true",
        "ETHERNET, ROUNDTRIP, OBJECT, false",
        "ETHERNET, ROUNDTRIP, RAW, true",
        "ETHERNET, ALLTOALL, RAW, false",
    })
    void measuresBesideItsBaseline(Carrier carrier, Mode mode, MessagePath path, boolean tls) {
        NetPlan plan =
                new NetPlan(
                        carrier,
                        mode,
                        64,
                        1,
                        1,
                        Fan.IN,
                        mode == Mode.ALLTOALL ? 3 : 2,
                        Waiting.ADAPTIVE,
                        path,
                        tls,
                        Duration.ofMillis(50),
                        2);

        NetReport report = NetBench.measure(plan, false, progress::add);

        assertThat(progress).hasSize(3);
        assertThat(report.ours().repetitions()).hasSize(2);
        assertThat(report.baseline().repetitions()).hasSize(2);
        assertThat(report.ratio()).isPositive();
        assertThat(report.ours().roundTrip() != null).isEqualTo(mode == Mode.ROUNDTRIP);
        assertThat(report.baseline().roundTrip() != null).isEqualTo(mode == Mode.ROUNDTRIP);
        assertThat(report.ours().messagesPerSecond().min()).isPositive();
        assertThat(report.ours().aggregationFactor() > 0).isEqualTo(mode != Mode.ROUNDTRIP);
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
