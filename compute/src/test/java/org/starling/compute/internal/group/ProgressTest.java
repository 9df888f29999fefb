package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.compute.internal.run.Histograms;
import org.starling.compute.internal.run.MasterRunState;

/** The bytes by which one master tells the next how far a job is. */
final class ProgressTest {
    private static final long[] CHUNKS = {7, 0, 9};
    private static final long[] HISTOGRAMS = {2, 5, 6};

    private static Manifest manifest(long chunk) {
        return new Manifest(chunk, CHUNKS, HISTOGRAMS);
    }

    private static RunRequest request() {
        return new RunRequest("g", "algorithms.bfs", "{\"source\":1}", 100);
    }

    private static Progress progress(RunCheckpoint inRun) {
        return new Progress(
                3,
                new TreeMap<>(Map.of("g", 0x21L)),
                new TreeMap<>(Map.of("g", new GraphVersion(0x41, 4, 5, 6, 0x42))),
                new TreeMap<>(
                        Map.of(
                                "g",
                                List.of(
                                        new StoredColumn(
                                                "c", new StateType(ColumnType.INT, 2), 0x22)))),
                List.of(
                        new StatePart(
                                0x11,
                                "g",
                                new TreeMap<>(
                                        Map.of(
                                                "a",
                                                StateType.of(ColumnType.LONG),
                                                "b",
                                                new StateType(ColumnType.FLOAT, 3))),
                                manifest(0x31))),
                List.of(request()),
                List.of(new RecoveryEvent(4, RecoveryEvent.SLAVE, 5, 2, 0.5)),
                new TreeMap<>(Map.of(6, RecoveryEvent.MASTER, 9, RecoveryEvent.SLAVE)),
                inRun);
    }

    private static RunCheckpoint inRun() {
        MasterRunState state =
                new MasterRunState(
                        6,
                        false,
                        true,
                        false,
                        new Direction[] {Direction.PUSH},
                        new Direction[] {Direction.PULL},
                        7,
                        8,
                        9,
                        new long[] {10},
                        new long[] {11, Long.MIN_VALUE + 1});
        return new RunCheckpoint(
                0x12,
                3,
                1,
                request(),
                state,
                0x43,
                new GraphVersion(0x44, 6, 7, 8, 0x45),
                manifest(0x32));
    }

    @Test
    void keepsEveryByteOfVersionSeven() {
        String run =
                """
                {"graph":"g","program":"algorithms.bfs","parameters":"{\\"source\\":1}",\
                "maxSupersteps":100}\
                """;
        String expected =
                """
                {"version":7,"progress":{"task":3,"graphs":{"g":33},\
                "versions":{"g":{"number":65,"superstep":4,"firstAdded":5,"gone":6,"goneChunk":66}},\
                "kept":{"g":[{"name":"c","type":{"element":"INT","length":2},"manifest":34}]},\
                "parts":[{"checkpoint":17,"graph":"g","states":{"a":{"element":"LONG","length":1},"b":{"element":"FLOAT","length":3}},\
                "manifest":49}],\
                "redo":[RUN],\
                "events":[{"node":4,"role":"slave","superstep":5,"resumedAt":2,"seconds":0.5}],\
                "members":{"6":"master","9":"slave"},\
                "inRun":{"checkpoint":18,"task":3,"run":1,"request":RUN,\
                "state":{"superstep":6,"over":false,"activateAll":true,"mirrors":false,"directions":["PUSH"],\
                "lastDirections":["PULL"],"pending":7,"messages":8,"computed":9,\
                "aggregates":[10],"globals":[11,-9223372036854775807]},\
                "graphChunk":67,"version":{"number":68,"superstep":6,"firstAdded":7,"gone":8,"goneChunk":69},\
                "manifest":50}}}\
                """
                        .replace("RUN", run);

        assertThat(new String(progress(inRun()).bytes(), StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    @Test
    void readsWhatItWrote() {
        for (RunCheckpoint inRun : Arrays.asList(inRun(), null)) {
            Progress written = progress(inRun);

            Progress read = Progress.of(written.bytes(), ProgressTest::manifest);

            assertThat(read).usingRecursiveComparison().isEqualTo(written);
        }
    }

    @Test
    void refusesBytesThatAreCutOrLengthenedOrOfAnotherVersion() {
        byte[] bytes = progress(inRun()).bytes();

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Progress.of(cut, ProgressTest::manifest))
                    .as("cut to %d", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        String json = new String(bytes, StandardCharsets.UTF_8);
        for (String other : List.of(json + "x", json.replace("\"version\":7", "\"version\":6"))) {
            byte[] changed = other.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> Progress.of(changed, ProgressTest::manifest))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void keepsManifestsOfChunksAndHistograms() {
        long[] numbers = Manifest.numbers(CHUNKS, HISTOGRAMS);

        assertThat(numbers).containsExactly(3, 7, 0, 9, 2, 5, 6);
        assertThat(Manifest.of(5, numbers).chunks()).containsExactly(CHUNKS);
        assertThat(Manifest.of(5, numbers).histograms()).containsExactly(HISTOGRAMS);
        assertThatThrownBy(() -> Manifest.of(5, new long[] {2, 1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Manifest.of(5, new long[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sumsHistogramsOfDifferentLengths() {
        long[] sum =
                Histograms.sum(
                        List.of(
                                new long[] {2, 1, 2, 0},
                                new long[0],
                                new long[] {1, 10, 3, 4, 5, 6}));

        assertThat(sum).containsExactly(2, 11, 2, 3, 4, 5, 6);
        assertThat(Histograms.byName(List.of("x", "y"), sum))
                .hasEntrySatisfying("x", x -> assertThat(x).containsExactly(11, 2))
                .hasEntrySatisfying("y", y -> assertThat(y).containsExactly(4, 5, 6));
        assertThat(Histograms.byName(List.of("x"), new long[0]).get("x")).isEmpty();
    }
}
