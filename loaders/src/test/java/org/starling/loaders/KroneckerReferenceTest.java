package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every vector that was made with the reference generator itself. */
class KroneckerReferenceTest {

    private static final int THREADS = 2;

    @TestFactory
    Stream<DynamicTest> makesTheEdgesOfTheReference() throws IOException {
        return vectors().stream()
                .map(vector -> DynamicTest.dynamicTest(title(vector), () -> checkEdges(vector)));
    }

    @TestFactory
    Stream<DynamicTest> choosesTheKeysOfTheReference() throws IOException {
        return vectors().stream()
                .filter(vector -> vector.has("search_keys"))
                .map(vector -> DynamicTest.dynamicTest(title(vector), () -> checkKeys(vector)));
    }

    private static void checkEdges(JsonObject vector) throws IOException {
        KroneckerGraph graph = graph(vector);

        EdgeHash hash =
                vector.has("start_edge")
                        ? hashOf(graph, start(vector), vector.get("num_edges").getAsInt())
                        : new EdgeRun(GeneratorsTest.source(graph), true, THREADS)
                                .hash((_, _) -> {});

        assertThat(hash.edges()).isEqualTo(vector.get("num_edges").getAsLong());
        assertThat(hash.sumSource()).isEqualTo(vector.get("sum_src").getAsBigInteger());
        assertThat(hash.sumTarget()).isEqualTo(vector.get("sum_dst").getAsBigInteger());
        assertThat(hash.selfLoops()).isEqualTo(vector.get("self_loops").getAsLong());
        assertThat(hash.edgeHash()).isEqualTo(hex(vector.get("edge_hash_xor")));
        assertThat(hash.weightHash()).isEqualTo(hex(vector.get("weight_hash_xor")));
        assertThat(hash.weightBitsSum())
                .isEqualTo(Long.parseUnsignedLong(vector.get("weight_bits_sum").getAsString()));
        checkRows(graph, vector.getAsJsonArray("first_edges"));
        checkRows(graph, vector.getAsJsonArray("last_edges"));
    }

    private static void checkRows(KroneckerGraph graph, JsonArray rows) {
        KroneckerEdges edges = new KroneckerEdges(graph, true);
        for (JsonElement element : rows) {
            JsonArray row = element.getAsJsonArray();

            edges.seek(row.get(0).getAsLong());
            edges.next();

            assertThat(edges.source()).isEqualTo(row.get(1).getAsLong());
            assertThat(edges.target()).isEqualTo(row.get(2).getAsLong());
            assertThat(Float.floatToRawIntBits(edges.weight())).isEqualTo((int) hex(row.get(3)));
        }
    }

    private static void checkKeys(JsonObject vector) {
        KroneckerGraph graph = graph(vector);
        boolean[] hasEdge = new boolean[(int) graph.vertices()];
        KroneckerEdges edges = new KroneckerEdges(graph, false);
        for (long edge = 0; edge < graph.edges(); edge++) {
            edges.next();
            if (edges.source() != edges.target()) {
                hasEdge[(int) edges.source()] = true;
                hasEdge[(int) edges.target()] = true;
            }
        }

        long[] keys = SearchKeys.choose(graph, SearchKeys.COUNT, key -> hasEdge[(int) key]);

        List<Long> expected = new ArrayList<>();
        vector.getAsJsonArray("search_keys").forEach(key -> expected.add(key.getAsLong()));
        assertThat(keys).containsExactly(expected.toArray(Long[]::new));
    }

    static EdgeHash hashOf(KroneckerGraph graph, long start, int count) {
        EdgeHash hash = new EdgeHash();
        KroneckerEdges edges = new KroneckerEdges(graph, true);
        edges.seek(start);
        for (long edge = start; edge < start + count; edge++) {
            edges.next();
            hash.add(edge, edges.source(), edges.target(), edges.weight());
        }
        return hash;
    }

    private static List<JsonObject> vectors() throws IOException {
        String text = Files.readString(SharedData.file("vectors/kronecker.json"));
        List<JsonObject> vectors = new ArrayList<>();
        JsonParser.parseString(text)
                .getAsJsonObject()
                .getAsJsonArray("vectors")
                .forEach(vector -> vectors.add(vector.getAsJsonObject()));
        assertThat(vectors).isNotEmpty();
        return vectors;
    }

    private static KroneckerGraph graph(JsonObject vector) {
        return new KroneckerGraph(
                vector.get("scale").getAsInt(),
                vector.get("edgefactor").getAsLong(),
                hex(vector.get("userseed1")),
                hex(vector.get("userseed2")));
    }

    private static String title(JsonObject vector) {
        return "scale %s, edgefactor %s, seeds %s %s, from edge %d"
                .formatted(
                        vector.get("scale"),
                        vector.get("edgefactor"),
                        vector.get("userseed1").getAsString(),
                        vector.get("userseed2").getAsString(),
                        start(vector));
    }

    private static long start(JsonObject vector) {
        return vector.has("start_edge") ? vector.get("start_edge").getAsLong() : 0;
    }

    private static long hex(JsonElement text) {
        return Long.parseUnsignedLong(text.getAsString().substring(2), 16);
    }
}
