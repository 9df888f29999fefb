package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.run.MasterRunState;

/** The bytes by which one master tells the next how far a job is. */
final class ProgressLayoutTest {
    private static final long[] CHUNKS = {7, 0, 9};
    private static final long[] HISTOGRAMS = {2, 5, 6};

    private static final ProgressLayout.Manifests MANIFESTS =
            chunk -> {
                assertThat(chunk).isIn(0x31L, 0x32L);
                return new ProgressLayout.Manifest(CHUNKS, HISTOGRAMS);
            };

    private static RunRequest request() {
        return new RunRequest("g", "algorithms.bfs", "{\"source\":1}", 100);
    }

    private static Progress progress(RunCheckpoint inRun) {
        return new Progress(
                3,
                new TreeMap<>(Map.of("g", 0x21L)),
                List.of(
                        new StatePart(
                                0x11,
                                "g",
                                new TreeMap<>(Map.of("a", ColumnType.LONG, "b", ColumnType.FLOAT)),
                                0x31,
                                CHUNKS)),
                List.of(request()),
                List.of(new RecoveryEvent(4, RecoveryEvent.SLAVE, 5, 2, 0.5)),
                new TreeMap<>(Map.of(6, RecoveryEvent.MASTER, 9, RecoveryEvent.SLAVE)),
                inRun);
    }

    private static RunCheckpoint inRun() {
        MasterRunState state =
                new MasterRunState(
                        6,
                        true,
                        false,
                        new byte[] {1},
                        new byte[] {2},
                        7,
                        8,
                        9,
                        new long[] {10},
                        new long[] {11, 12});
        return new RunCheckpoint(0x12, 3, 1, request(), state, 0x32, CHUNKS, HISTOGRAMS);
    }

    @Test
    void keepsEveryByteOfVersionTwo() {
        byte[] bytes = ProgressLayout.write(progress(inRun()));

        String run =
                "00000001 67" // graph
                        + "0000000e 616c676f726974686d732e626673" // program
                        + "0000000c 7b22736f75726365223a317d" // parameters
                        + "00000064";
        String expected =
                "53545250 00000002 00000003"
                        + "00000001 00000001 67 0000000000000021"
                        + "00000001 0000000000000011 00000001 67"
                        + "00000002 00000001 61 01 00000001 62 02 0000000000000031"
                        + "00000001"
                        + run
                        + "00000001 00000004 00000005 736c617665 00000005 00000002 3fe0000000000000"
                        + "00000002 00000006 00000006 6d6173746572 00000009 00000005 736c617665"
                        + "01 0000000000000012 00000003 00000001"
                        + run
                        + "0000000000000032 00000006 01 00 00000001 01 00000001 02"
                        + "0000000000000007 0000000000000008 0000000000000009"
                        + "00000001 000000000000000a"
                        + "00000002 000000000000000b 000000000000000c";
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(expected.replace(" ", ""));
    }

    @Test
    void readsWhatItWrote() {
        for (RunCheckpoint inRun : Arrays.asList(inRun(), null)) {
            Progress written = progress(inRun);

            Progress read = ProgressLayout.read(ProgressLayout.write(written), MANIFESTS);

            assertThat(read).usingRecursiveComparison().isEqualTo(written);
        }
    }

    @Test
    void refusesBytesThatAreCutOrLengthenedOrOfAnotherVersion() {
        byte[] bytes = ProgressLayout.write(progress(inRun()));

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ProgressLayout.read(cut, MANIFESTS))
                    .as("cut to %d", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() ->
                        ProgressLayout.read(Arrays.copyOf(bytes, bytes.length + 1), MANIFESTS))
                .isInstanceOf(IllegalArgumentException.class);
        bytes[7] = 1;
        assertThatThrownBy(() -> ProgressLayout.read(bytes, MANIFESTS))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsManifestsOfChunksAndHistograms() {
        long[] numbers = ProgressLayout.writeManifest(CHUNKS, HISTOGRAMS);

        assertThat(numbers).containsExactly(3, 7, 0, 9, 2, 5, 6);
        assertThat(ProgressLayout.readManifest(numbers).chunks()).containsExactly(CHUNKS);
        assertThat(ProgressLayout.readManifest(numbers).histograms()).containsExactly(HISTOGRAMS);
        assertThatThrownBy(() -> ProgressLayout.readManifest(new long[] {2, 1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProgressLayout.readManifest(new long[0]))
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
