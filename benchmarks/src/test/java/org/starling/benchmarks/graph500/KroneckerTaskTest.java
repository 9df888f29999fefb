package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;

class KroneckerTaskTest {

    private static final Parameters SCALE_10 = Parameters.of("scale", 10);

    @TempDir private Path folder;

    @Test
    void givesTheSumsAndHashesOfTheReference() throws IOException {
        Map<String, ?> result = new KroneckerTask().run(context(), SCALE_10).asMap();

        assertThat(result)
                .isEqualTo(
                        Map.of(
                                "edges",
                                16384L,
                                "sumSource",
                                "8513287",
                                "sumTarget",
                                "8276180",
                                "edgeHash",
                                "0x3f12e414065cb9e0",
                                "weightHash",
                                "0x08e852c8debeb77c"));
    }

    @Test
    void takesUnsignedSeeds() throws IOException {
        Parameters arguments =
                Parameters.of("scale", 12)
                        .with("edgefactor", 32)
                        .with("seeds", new long[] {0xdeadbeefcafebabeL, 0x123456789abcdefL});

        Map<String, ?> result = new KroneckerTask().run(context(), arguments).asMap();

        assertThat(result.get("edgeHash")).isEqualTo("0x575b4f4f41e9bc96");
        assertThat(result.get("weightHash")).isEqualTo("0x013574238f1c6c42");
    }

    @Test
    void writesTheFileInTheFormatThatIsNamed() throws IOException {
        Parameters arguments = SCALE_10.with("file", "edges.bin").with("format", "graph500-packed");

        new KroneckerTask().run(context(), arguments.with("weights", true));

        assertThat(Files.size(folder.resolve("edges.bin"))).isEqualTo(12 * 16384);
        assertThat(Files.size(folder.resolve("edges.bin.weights"))).isEqualTo(4 * 16384);
    }

    @Test
    void writesLinesByDefault() throws IOException {
        new KroneckerTask().run(context(), SCALE_10.with("file", "edges.tsv"));

        assertThat(Files.readAllLines(folder.resolve("edges.tsv")))
                .hasSize(16384)
                .startsWith("299\t797", "684\t861", "185\t385");
    }

    @Test
    void stopsWhenCancelled() {
        FakeContext context = context();
        context.cancel();

        assertThatThrownBy(() -> new KroneckerTask().run(context, SCALE_10))
                .isInstanceOf(JobCancelledException.class);
    }

    @Test
    void refusesAScaleOutOfRangeBeforeAnythingRuns() {
        assertThatThrownBy(() -> new KroneckerTask().check(Parameters.of("scale", 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"scale\" must be from 1 to 42");
    }

    private FakeContext context() {
        return new FakeContext(new FakeSession(1), folder);
    }
}
