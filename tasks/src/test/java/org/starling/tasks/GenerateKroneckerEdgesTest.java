package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;

class GenerateKroneckerEdgesTest {

    private static final Parameters SCALE_10 = Parameters.of("scale", 10);

    @TempDir private Path folder;

    @Test
    void givesTheSumsAndHashesOfTheReference() throws IOException {
        Map<String, ?> result = new GenerateKroneckerEdges().run(context(), SCALE_10).asMap();

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

        Map<String, ?> result = new GenerateKroneckerEdges().run(context(), arguments).asMap();

        assertThat(result.get("edgeHash")).isEqualTo("0x575b4f4f41e9bc96");
        assertThat(result.get("weightHash")).isEqualTo("0x013574238f1c6c42");
    }

    @Test
    void writesTheFileInTheFormatThatIsNamed() throws IOException {
        Parameters arguments = SCALE_10.with("file", "edges.bin").with("format", "graph500-packed");

        new GenerateKroneckerEdges().run(context(), arguments.with("weights", true));

        assertThat(Files.size(folder.resolve("edges.bin"))).isEqualTo(12 * 16384);
        assertThat(Files.size(folder.resolve("edges.bin.weights"))).isEqualTo(4 * 16384);
    }

    @Test
    void writesLinesByDefault() throws IOException {
        new GenerateKroneckerEdges().run(context(), SCALE_10.with("file", "edges.tsv"));

        assertThat(Files.readAllLines(folder.resolve("edges.tsv")))
                .hasSize(16384)
                .startsWith("299\t797", "684\t861", "185\t385");
    }

    @Test
    void stopsWhenCancelled() {
        TaskContext cancelled =
                (TaskContext)
                        Proxy.newProxyInstance(
                                TaskContext.class.getClassLoader(),
                                new Class<?>[] {TaskContext.class},
                                (_, _, _) -> {
                                    throw new JobCancelledException("enough");
                                });

        assertThatThrownBy(() -> new GenerateKroneckerEdges().run(cancelled, SCALE_10))
                .isInstanceOf(JobCancelledException.class);
    }

    @Test
    void refusesAScaleOutOfRangeBeforeAnythingRuns() {
        assertThatThrownBy(() -> new GenerateKroneckerEdges().check(Parameters.of("scale", 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"scale\" must be from 1 to 42");
    }

    /** No graph is made, so that no session is asked. */
    private TaskContext context() {
        GraphSession none =
                (GraphSession)
                        Proxy.newProxyInstance(
                                GraphSession.class.getClassLoader(),
                                new Class<?>[] {GraphSession.class},
                                (_, method, _) -> {
                                    throw new AssertionError(method + " was called");
                                });
        return new FolderContext(none, folder);
    }
}
