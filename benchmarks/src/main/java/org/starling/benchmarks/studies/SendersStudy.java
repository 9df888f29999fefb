package org.starling.benchmarks.studies;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.net.NetConfig;

/**
 * Sender threads into one ring, with and without early return of fast producers: a bare ring with
 * either commit, and our raw path, whose ring always returns early, in process and over TCP.
 */
final class SendersStudy implements Study {

    private static final int SMALL_BYTES = 16;
    private static final int LARGE_BYTES = 4 << 10;
    private static final int LARGE_EVERY = 16;

    private final int maxThreads;

    /** A study of 1 to so many threads. */
    SendersStudy(int maxThreads) {
        this.maxThreads = maxThreads;
    }

    @Override
    public String name() {
        return "senders";
    }

    @Override
    public String question() {
        return "What do many sender threads cost, with and without early return of fast ones?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("messages", "threads"),
                        "messagesPerSecond",
                        Tally::perSecond,
                        List.of("p50StepMicros", "p99StepMicros", "busyCores"));
        Map<String, OneWay> ways = new LinkedHashMap<>();
        try {
            open(ways);
            for (int threads : contest.scale().powers(1, maxThreads, 2)) {
                add(contest, rows, "even", threads, ways);
                add(contest, rows, "uneven", threads, ways);
            }
        } finally {
            for (OneWay way : ways.values()) {
                way.close();
            }
        }
        return rows.table();
    }

    private static void open(Map<String, OneWay> ways) {
        NetConfig config = NetConfig.defaults();
        ways.put("ring, early return", new LabRingOneWay(LabRing.Commit.EARLY_RETURN));
        ways.put("ring, claim order", new LabRingOneWay(LabRing.Commit.CLAIM_ORDER));
        ways.put(
                "starling, loopback",
                StarlingOneWay.pair(Nodes.loopback(2, config), StarlingOneWay.Path.RAW));
        ways.put(
                "starling, ethernet",
                StarlingOneWay.pair(Nodes.ethernet(2, config), StarlingOneWay.Path.RAW));
    }

    private static void add(
            Contest contest,
            Comparison rows,
            String messages,
            int threads,
            Map<String, OneWay> ways)
            throws Exception {
        Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
        ways.forEach((name, way) ->
                trials.put(
                        name,
                        messages.equals("even")
                                ? OneWayTrial.of(way, threads, SMALL_BYTES)
                                : OneWayTrial.mixed(way, threads, SendersStudy::unevenBytes)));
        rows.add(
                List.of(messages, threads),
                contest.run("%s messages of %d threads".formatted(messages, threads), trials),
                (contender, tallies) -> Tally.latencyAndCores(tallies));
    }

    /** One large message among small ones. */
    private static int unevenBytes(long number) {
        return number % LARGE_EVERY == 0 ? LARGE_BYTES : SMALL_BYTES;
    }
}
