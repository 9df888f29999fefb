package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.store.ChunkId;
import org.starling.store.NameService;

/** Names that say what an attempt has made. */
final class MadeRecordTest {
    private static final long ZONE = ChunkId.zoneOf(3, 5);
    private static final long FIRST = ChunkId.ofZone(ZONE, 100);

    @Test
    void saysInItsNameWhatItIs() {
        MadeRecord record =
                new MadeRecord(
                        7,
                        Kind.BUILD,
                        (7L << 39) | 12,
                        3,
                        List.of(new Range(FIRST, 10), new Range(FIRST + 50, 1)));

        assertThat(record.name())
                .isEqualTo("job/7/build/3848290697228/3/%x+10,%x+1".formatted(FIRST, FIRST + 50));
        assertThat(MadeRecord.of(record.name())).contains(record);
        assertThat(record.has(FIRST + 9)).isTrue();
        assertThat(record.has(FIRST + 10)).isFalse();
        assertThat(record.has(FIRST + 50)).isTrue();
    }

    @Test
    void fitsIntoANameHoweverMuchItSays() {
        List<Range> most =
                IntStream.range(0, 20).mapToObj(i -> new Range(-1L - i, 999_999_999)).toList();

        List<MadeRecord> records =
                MadeRecord.of((1 << 24) - 1, Kind.CHECKPOINT, Long.MAX_VALUE, 65_535, most);

        assertThat(records).hasSize(3);
        assertThat(records.stream().flatMap(record -> record.ranges().stream()))
                .containsExactlyElementsOf(most);
        for (MadeRecord record : records) {
            assertThat(record.name().getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(NameService.MAX_NAME_BYTES);
            assertThat(MadeRecord.of(record.name())).contains(record);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job/7/graph/build/1/2/3+4",
                "job/7/build/1/2/",
                "job/7/build/1/2/+",
                "job/7/build/1/2/3+4,",
                "job/7/build/1/2/3+99999999999",
                "job/7/results/1/2/3+4"
            })
    void isNoOtherName(String name) {
        assertThat(MadeRecord.of(name)).isEmpty();
    }

    @Test
    void joinsRangesThatLieTogetherInAZone() {
        long end = ChunkId.ofZone(ZONE, 0) + ChunkId.ZONE_IDS;

        assertThat(
                        Range.joined(
                                List.of(
                                        new Range(FIRST + 10, 5),
                                        new Range(FIRST, 10),
                                        new Range(FIRST + 16, 1),
                                        new Range(end, 1),
                                        new Range(end - 1, 1))))
                .containsExactly(
                        new Range(FIRST, 15),
                        new Range(FIRST + 16, 1),
                        new Range(end - 1, 1),
                        new Range(end, 1));
        assertThat(
                        Range.joined(
                                List.of(
                                        new Range(FIRST, 1 << 20),
                                        new Range(FIRST + (1 << 20), 1))))
                .as("not longer than is removed at once")
                .hasSize(2);
    }
}
