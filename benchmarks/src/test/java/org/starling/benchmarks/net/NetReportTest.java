package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.starling.compute.script.JsonText;

/** Figures, and how they are printed. */
final class NetReportTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void addsHostsThatWorkedAtTheSameTime() {
        Repetition one = repetition(100, 2_000, 10, 5_000);
        Repetition two = repetition(300, 4_000, 10, 7_000);

        Repetition both = Repetition.nothing().beside(one).beside(two);

        assertThat(both.messages()).isEqualTo(400);
        assertThat(both.nanos()).isEqualTo(4_000);
        assertThat(both.messagesPerSecond()).isEqualTo(1e8);
        assertThat(both.aggregationFactor()).isEqualTo(20);
        assertThat(both.roundTrips().getTotalCount()).isEqualTo(2);
        assertThat(Repetition.nothing().roundTrips().getTotalCount()).isZero();
    }

    @Test
    void bringsARepetitionOverALine() {
        Repetition sent = repetition(5, 6, 7, 8_000);

        Repetition received = Repetition.parse(sent.line());

        assertThat(received).isEqualTo(sent);
        assertThat(received.roundTrips().getMaxValue()).isEqualTo(sent.roundTrips().getMaxValue());
    }

    @Test
    void comparesEachRepetitionWithTheBaselineRightAfterIt() {
        NetReport report =
                report(Map.of(), row("starling", 10, 20, 60), row("raw NIO", 10, 40, 80));

        assertThat(report.ratio()).isEqualTo(0.75);
    }

    @Test
    void printsRatesAsTheContractHasThem() {
        NetReport report =
                report(
                        Map.of("bytes", 100L),
                        row("starling", 80, 240, 160),
                        row("raw NIO", 320, 320, 320));

        assertThat(JsonText.write(report.tree()))
                .isEqualTo(
                        "{\"transport\": \"ethernet\", \"mode\": \"oneway\", \"bytes\": 100,"
                                + " \"senders\": 1, \"connections\": 1, \"fan\": \"in\","
                                + " \"nodes\": 2, \"waiting\":"
                                + " \"adaptive\", \"path\": \"raw\", \"tls\": false, \"seconds\":"
                                + " 2.0, \"repeat\": 3, \"messagesPerSecond\": {\"min\": 80,"
                                + " \"median\": 160, \"max\": 240}, \"payloadBytesPerSecond\": 16000,"
                                + " \"roundTripMicros\": null, \"baseline\": {\"name\": \"raw"
                                + " NIO\", \"messagesPerSecond\": {\"min\": 320, \"median\": 320,"
                                + " \"max\": 320}, \"payloadBytesPerSecond\": 32000,"
                                + " \"roundTripMicros\": null}, \"ratioToBaseline\": 0.5,"
                                + " \"aggregationFactor\": 8.0}");
    }

    @Test
    void printsRoundTripsAsTheContractHasThem() {
        Histogram histogram = Repetition.histogram();
        for (int i = 1; i <= 1_000; i++) {
            Repetition.record(histogram, i);
        }
        Repetition measured = new Repetition(1_000, 1_000_000, 0, Cost.NONE, histogram);
        NetReport.Row ours = new NetReport.Row("starling", List.of(measured));
        NetReport.Row nio = new NetReport.Row("raw NIO", List.of(measured));

        NetReport report = report(Map.of("mode", "roundtrip"), ours, nio);

        assertThat(JsonText.write(report.tree()))
                .contains("\"roundTripMicros\": {\"p50\": 0.5, \"p99\": 0.99, \"p999\": 0.999}")
                .contains("\"ratioToBaseline\": 1.0");
        assertThat(report.table()).contains("round trip, µs", "0.50", "0.99", "1.00 times");
    }

    @Test
    void printsATableForPeople() {
        NetReport report =
                report(Map.of(), row("starling", 1e6, 3e6, 2e6), row("raw NIO", 4e6, 4e6, 4e6));

        assertThat(report.table().lines())
                .hasSize(7)
                .anyMatch(line -> line.matches("starling +1,000,000 +2,000,000 +3,000,000"))
                .anyMatch(line -> line.matches("raw NIO +4,000,000 +4,000,000 +4,000,000"))
                .anyMatch(line -> line.matches("payload, MB/s +128 *"))
                .anyMatch(line -> line.equals("0.50 times the rate of raw NIO"));
    }

    private static NetReport report(
            Map<String, Object> given, NetReport.Row ours, NetReport.Row baseline) {
        return new NetReport(NetPlanTest.plan(given), Duration.ofSeconds(2), ours, baseline);
    }

    private static NetReport.Row row(String title, double... rates) {
        return new NetReport.Row(
                title,
                Arrays.stream(rates)
                        .mapToObj(rate -> Repetition.of((long) rate, SECOND, (long) rate / 8))
                        .toList());
    }

    private static Repetition repetition(long messages, long nanos, long writes, long roundTrip) {
        Histogram histogram = Repetition.histogram();
        Repetition.record(histogram, roundTrip);
        return new Repetition(messages, nanos, writes, Cost.NONE, histogram);
    }
}
