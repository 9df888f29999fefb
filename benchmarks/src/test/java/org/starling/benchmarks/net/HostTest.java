package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.benchmarks.harness.Together;
import org.starling.net.NativeMemory;
import org.starling.net.Waiting;

/** All shapes of traffic, for some milliseconds inside one JVM. */
final class HostTest {
    private static final Duration TIME = Duration.ofMillis(20);

    private final long before = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "STARLING, ETHERNET, ONEWAY, 1000, 2, 3, IN, SLEEP, OBJECT",
        "STARLING, ETHERNET, ONEWAY, 16, 2, 3, OUT, ADAPTIVE, RAW",
        "STARLING, ETHERNET, ROUNDTRIP, 16, 3, 2, IN, ADAPTIVE, RAW",
        "STARLING, ETHERNET, ALLTOALL, 64, 1, 1, IN, ADAPTIVE, RAW",
        "STARLING, LOOPBACK, ROUNDTRIP, 5, 1, 1, IN, SPIN, RAW",
        "STARLING, LOOPBACK, ALLTOALL, 100, 2, 1, IN, SLEEP, OBJECT",
        "NIO, ETHERNET, ONEWAY, 16, 1, 3, OUT, ADAPTIVE, RAW",
        "NIO, ETHERNET, ONEWAY, 200000, 1, 3, IN, SLEEP, OBJECT",
        "NIO, ETHERNET, ROUNDTRIP, 1024, 5, 2, IN, ADAPTIVE, RAW",
        "NIO, ETHERNET, ALLTOALL, 64, 2, 1, IN, ADAPTIVE, RAW",
        "NETTY, ETHERNET, ONEWAY, 16, 2, 2, IN, ADAPTIVE, RAW",
        "NETTY, ETHERNET, ROUNDTRIP, 100, 3, 2, IN, SLEEP, RAW",
        "NETTY, ETHERNET, ALLTOALL, 70000, 1, 1, IN, SLEEP, OBJECT",
        "MEMORY, LOOPBACK, ONEWAY, 64, 2, 1, IN, ADAPTIVE, RAW",
        "MEMORY, LOOPBACK, ALLTOALL, 100000, 1, 1, IN, SLEEP, OBJECT",
    })
    void measuresWhatIsComparedOnTheWay(
            Contender.Kind contender,
            NetPlan.Carrier carrier,
            NetPlan.Mode mode,
            int bytes,
            int senders,
            int connections,
            NetPlan.Fan fan,
            Waiting waiting,
            NetPlan.Path path)
            throws Exception {
        int nodes = mode == NetPlan.Mode.ALLTOALL ? 3 : connections + 1;
        NetPlan plan =
                new NetPlan(
                        carrier,
                        mode,
                        bytes,
                        senders,
                        connections,
                        fan,
                        nodes,
                        waiting,
                        path,
                        false);

        for (boolean whole : new boolean[] {true, false}) {
            List<Host> hosts =
                    plan.hosts().stream()
                            .map(hosted -> contender.host(plan, hosted, whole))
                            .toList();

            Repetition sum = measure(plan, hosts);

            assertThat(sum.messages()).isPositive();
            assertThat(sum.nanos()).isBetween(1L, Duration.ofSeconds(30).toNanos());
            assertThat(sum.roundTrips().getTotalCount())
                    .isEqualTo(mode == NetPlan.Mode.ROUNDTRIP ? sum.messages() : 0);
            if (mode != NetPlan.Mode.ROUNDTRIP && contender != Contender.Kind.NETTY) {
                assertThat(sum.writes()).isPositive();
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "STARLING, ETHERNET, ONEWAY, 16, 1, 1, IN, ADAPTIVE, RAW",
        "STARLING, ETHERNET, ROUNDTRIP, 16, 2, 1, IN, SLEEP, OBJECT",
        "STARLING, LOOPBACK, ONEWAY, 65536, 1, 1, IN, ADAPTIVE, RAW",
        "NIO, ETHERNET, ONEWAY, 16, 1, 1, IN, ADAPTIVE, RAW",
        "NIO, ETHERNET, ONEWAY, 3, 4, 1, IN, SPIN, RAW",
        "NIO, ETHERNET, ROUNDTRIP, 16, 1, 1, IN, SLEEP, RAW",
        "NIO, ETHERNET, ROUNDTRIP, 16, 1, 1, IN, SPIN, RAW",
        "NETTY, ETHERNET, ONEWAY, 16, 1, 2, OUT, ADAPTIVE, RAW",
    })
    void measuresWhatIsComparedOnTheWayInMoreCases(
            Contender.Kind contender,
            NetPlan.Carrier carrier,
            NetPlan.Mode mode,
            int bytes,
            int senders,
            int connections,
            NetPlan.Fan fan,
            Waiting waiting,
            NetPlan.Path path)
            throws Exception {
        measuresWhatIsComparedOnTheWay(
                contender, carrier, mode, bytes, senders, connections, fan, waiting, path);
    }

    private static Repetition measure(NetPlan plan, List<Host> hosts) throws Exception {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (Host host : hosts) {
            ports.putAll(host.open());
        }
        List<Callable<Repetition>> senders = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            host.connect(HostProcess.ports(HostProcess.GSON.toJson(ports)));
            if (!plan.lanes(plan.hosts().get(i)).isEmpty()) {
                senders.add(() -> host.measure(TIME));
            }
        }
        Repetition sum = Repetition.nothing();
        for (Repetition one : Together.run("host", senders)) {
            sum = sum.beside(one);
        }
        for (Host host : hosts) {
            host.close();
        }
        return sum;
    }
}
