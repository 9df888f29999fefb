package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;

@Timeout(60)
class EdgeListSampleTest {
    private static final long SEED = 20;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"UNIFORM,false,1", "SKEWED,true,1", "SORTED,false,1000003"})
    void estimatesWithinAFactorOfTwo(Shape shape, boolean packed, long spread) throws IOException {
        checkEstimate(shape, packed, spread, 400_000, 50_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "UNIFORM,true,1", "SKEWED,false,1", "SORTED,true,1",
        "UNIFORM,false,1000003", "UNIFORM,true,1000003", "SORTED,true,1000003",
        "SORTED,false,1"
    })
    void estimatesWithinAFactorOfTwoInMoreCases(Shape shape, boolean packed, long spread)
            throws IOException {
        estimatesWithinAFactorOfTwo(shape, packed, spread);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"UNIFORM,false", "UNIFORM,true", "SKEWED,false", "SKEWED,true"})
    void estimatesTenMillionEdgesWithinAFactorOfTwo(Shape shape, boolean packed)
            throws IOException {
        checkEstimate(shape, packed, 1, 10_000_000, 1_000_000);
    }

    @Test
    void estimatesTheVotesOfWikipedia() throws IOException {
        Path votes = SharedData.file("data/wiki-Vote.txt");

        SourceDescription description = describe(votes);

        checkClose("edges", description.edgeCount(), 103_689);
        checkClose("vertices", description.vertexCount(), 7_115);
    }

    private void checkEstimate(Shape shape, boolean packed, long spread, int edges, int range)
            throws IOException {
        Path file = folder.resolve("edges");
        LongOpenHashSet ids = new LongOpenHashSet();
        Random random = new Random(SEED);
        try (OutputStream bytes = Files.newOutputStream(file);
                Writer out =
                        new OutputStreamWriter(
                                packed ? new GZIPOutputStream(bytes) : bytes,
                                StandardCharsets.US_ASCII)) {
            for (int edge = 0; edge < edges; edge++) {
                long from = spread * shape.source(random, edge, edges, range);
                long to = spread * shape.target(random, range);
                ids.add(from);
                ids.add(to);
                out.write(from + "\t" + to + "\n");
            }
        }

        SourceDescription description = describe(file);

        checkClose("edges", description.edgeCount(), edges);
        checkClose("memory", memory(description.vertexCount(), edges), memory(ids.size(), edges));
    }

    /** A vertex takes about as much as an edge while a graph is made. */
    private static long memory(long vertices, long edges) {
        return vertices + edges;
    }

    private static SourceDescription describe(Path file) throws IOException {
        EdgeSource source = Edges.source("edgelist", Parameters.of("file", file.toString()));
        return source.describe();
    }

    private static void checkClose(String what, long estimate, long truth) {
        assertThat(estimate)
                .as("%s, seed %d, truth %d", what, SEED, truth)
                .isBetween(truth / 2, 2 * truth);
    }

    enum Shape {
        UNIFORM,
        SKEWED,
        SORTED;

        long source(Random random, int edge, int edges, int range) {
            return this == SORTED ? (long) edge * range / edges : target(random, range);
        }

        long target(Random random, int range) {
            double share = random.nextDouble();
            return (long) (range * (this == SKEWED ? share * share * share : share));
        }
    }
}
