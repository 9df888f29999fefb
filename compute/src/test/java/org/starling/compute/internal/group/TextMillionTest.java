package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TextRing;
import org.starling.graph.BuildOptions;
import org.starling.graph.Parameters;
import org.starling.net.LoopbackHub;
import org.starling.store.StoreConfig;

/** What a dictionary of many different texts takes, counted in chunks. */
@Timeout(300)
final class TextMillionTest {
    private static final int PEERS = 3;

    /** Keeps nothing on disks: what is counted is memory. */
    @AutoClose
    private final LocalGroup group =
            new LocalGroup(
                    new LoopbackHub(), StoreConfig.defaults().withHeapBytes(128 << 20), 2, null);

    @Test
    @Tag("slow")
    void takesNoMoreThanTheTextsAndThreeFifthsWhereThereAreAMillion() {
        takesNoMoreThanTheTextsAndThreeFifths(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 50_000})
    void takesNoMoreThanTheTextsAndThreeFifths(int count) {
        for (int i = 0; i < PEERS; i++) {
            group.join();
        }
        MasterSession session = group.master(1, CheckpointOptions.NONE);
        session.begin(JobListener.SILENT);
        long before = payload();
        session.beginTask(0);
        long bytes =
                IntStream.range(0, count)
                        .mapToLong(i -> TextRing.id(i).getBytes(StandardCharsets.UTF_8).length)
                        .sum();

        long numbers = made(session, "numbers", count, false);
        long texts = made(session, "texts", count, true);

        assertThat(texts - numbers).isBetween(bytes / 4, (long) (1.6 * bytes));
        assertThat(session.info("texts").vertices()).isEqualTo(count);
        Random random = new Random(9);
        List<String> some = random.ints(2_000, 0, count).mapToObj(TextRing::id).distinct().toList();
        assertThat(session.texts("texts", session.numbers("texts", some))).isEqualTo(some);
        session.endTask();
        session.endJob();
        assertThat(payload()).isEqualTo(before);
    }

    /** Bytes of the chunks of a graph. */
    private long made(MasterSession session, String graph, int count, boolean texts) {
        long before = payload();
        session.build(
                graph,
                TextRing.NAME,
                Parameters.of("count", count).with("texts", texts),
                BuildOptions.UNDIRECTED);
        return payload() - before;
    }

    private long payload() {
        return group.peers().stream()
                .mapToLong(peer -> peer.chunks().statistics().payloadBytes())
                .sum();
    }
}
