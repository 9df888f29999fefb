package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.starling.algorithms.orientation.GraphFile;
import org.starling.graph.BuildOptions;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/** Distances that were computed with the reference generator's graphs, bit by bit. */
@ExtendWith(Clusters.class)
final class SsspReferenceTest {
    private static final int MAX_SCALE = 12;

    @TestFactory
    Stream<DynamicTest> findsTheDistancesOfTheReference() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        Optional<Path> data = GraphFile.referenceData();
        assumeTrue(data.isPresent(), "no folder with reference data");
        Path file = data.orElseThrow().resolveSibling("vectors").resolve("kronecker.json");
        assumeTrue(Files.exists(file), "no vectors at " + file);
        JsonObject all = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        for (JsonElement element : all.getAsJsonArray("vectors")) {
            JsonObject vector = element.getAsJsonObject();
            if (vector.has("bfs") && vector.get("scale").getAsInt() <= MAX_SCALE) {
                String title = "scale " + vector.get("scale") + ", seed " + vector.get("userseed1");
                tests.add(DynamicTest.dynamicTest(title, () -> check(vector)));
            }
        }
        return tests.stream();
    }

    private static void check(JsonObject vector) {
        Parameters source =
                Parameters.of("scale", vector.get("scale").getAsLong())
                        .with("edgefactor", vector.get("edgefactor").getAsLong())
                        .with("seeds", new long[] {seed(vector, 1), seed(vector, 2)})
                        .with("weights", true);
        try (Lab lab = Lab.of(2, "kronecker", source, BuildOptions.UNDIRECTED)) {
            for (JsonElement element : vector.getAsJsonArray("bfs")) {
                JsonObject search = element.getAsJsonObject();

                Sssp.Result result =
                        Sssp.run(
                                lab.session(),
                                lab.graph(),
                                search.get("root").getAsLong(),
                                new Sssp.Options(Sssp.DISTANCE, false, true));

                assertThat(result.reached()).isEqualTo(search.get("reached").getAsLong());
                assertThat(Float.floatToRawIntBits((float) result.maxDistance()))
                        .isEqualTo((int) hex(search.get("sssp_max_dist_bits")));
                assertThat(hash(lab)).isEqualTo(hex(search.get("sssp_dist_hash_xor")));
            }
        }
    }

    /**
     * As the vectors say: over reached vertices, mixed words of id and distance, combined by XOR.
     */
    private static long hash(Lab lab) {
        long hash = 0;
        try (StateCursor cursor = lab.session().read(lab.graph(), Sssp.DISTANCE)) {
            while (cursor.next()) {
                float distance = (float) cursor.asDouble();
                if (distance < Float.POSITIVE_INFINITY) {
                    long bits = Float.floatToRawIntBits(distance);
                    hash ^=
                            mix(
                                    (cursor.id() + 1) * 0x9e3779b97f4a7c15L
                                            ^ bits * 0xd1b54a32d192ed03L);
                }
            }
        }
        return hash;
    }

    private static long mix(long z) {
        long once = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        long twice = (once ^ (once >>> 27)) * 0x94d049bb133111ebL;
        return twice ^ (twice >>> 31);
    }

    private static long seed(JsonObject vector, int number) {
        return hex(vector.get("userseed" + number));
    }

    private static long hex(JsonElement text) {
        return Long.parseUnsignedLong(text.getAsString().substring(2), 16);
    }
}
