package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import it.unimi.dsi.webgraph.ArrayListMutableGraph;
import it.unimi.dsi.webgraph.BVGraph;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Graphs that the library of WebGraph's makers has written, and files that nobody should write. */
final class WebGraphTest {

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        // window, references in a row, shortest interval, ζ, flags
        "7, 3, 4, 3, 0",
        "0, 0, 0, 1, 0",
        "1, 2147483647, 2, 5, 0",
        "7, 3, 0, 2, 0",
        "0, 3, 3, 7, 0",
        "16, 1, 10, 3, 0",
        "7, 3, 4, 3, "
                + (BVGraph.OUTDEGREES_DELTA | BVGraph.BLOCKS_DELTA | BVGraph.RESIDUALS_DELTA),
        "7, 3, 4, 3, "
                + (BVGraph.RESIDUALS_GAMMA | BVGraph.REFERENCES_GAMMA | BVGraph.BLOCK_COUNT_DELTA),
        "7, 3, 4, 3, "
                + (BVGraph.RESIDUALS_NIBBLE | BVGraph.REFERENCES_DELTA | BVGraph.BLOCK_COUNT_UNARY),
        "3, 2, 4, 3, " + (BVGraph.BLOCK_COUNT_GAMMA | BVGraph.OFFSETS_DELTA)
    })
    void readsWhatTheLibraryHasWritten(
            int window, int references, int interval, int zeta, int flags) throws IOException {
        long seed = Long.getLong("starling.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int[][] lists : List.of(scattered(random), likeWebPages(random), new int[3][0])) {
            write(lists, window, references, interval, zeta, flags);

            EdgeSource source = source();

            Recorded read = Recorded.of(source);
            assertThat(read.edges).as("seed %d", seed).isEqualTo(edges(lists));
            assertThat(read.hash(0, true)).as("seed %d", seed).isEqualTo(hash(lists));
            assertThat(source.describe().vertexCount()).isEqualTo(lists.length);
            assertThat(source.describe().edgeCount()).isEqualTo(read.edges.size());
            assertThat(FileFormat.WEBGRAPH.directed(parameters())).isTrue();
        }
    }

    @Test
    void readsRunsThatAreLongerThanTheBuffers() throws IOException {
        int[][] lists = new int[3000][];
        Random random = new Random(7);
        for (int vertex = 0; vertex < lists.length; vertex++) {
            lists[vertex] = random.ints(400, 0, lists.length).sorted().distinct().toArray();
        }
        write(lists, 7, 3, 4, 3, 0);

        assertThat(Files.size(file())).isGreaterThan(1 << 19);
        assertThat(Recorded.of(source()).hash(0, true)).isEqualTo(hash(lists));
    }

    @Test
    void isKnownByThePropertiesBesideIt() throws IOException {
        write(likeWebPages(new Random(1)), 7, 3, 4, 3, 0);
        Path metis = Files.writeString(folder.resolve("m.graph"), "2 1\n2\n1\n");

        assertThat(FileFormat.isWebGraph(file())).isTrue();
        assertThat(FileFormat.isWebGraph(metis)).isFalse();
        Files.writeString(folder.resolve("m.properties"), "graph.m.directed = false\n");
        assertThat(FileFormat.isWebGraph(metis)).isFalse();
        assertThat(FileFormat.isWebGraph(folder.resolve("m.properties"))).isFalse();
        assertThatThrownBy(() -> FileFormat.isWebGraph(folder.resolve("g.properties")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("name the graph beside it (g.graph)");
        assertThatThrownBy(() -> FileFormat.isWebGraph(folder.resolve("g.graph.gz")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("g.graph.gz: a graph of WebGraph is read as it is");
        assertThat(FileFormat.isWebGraph(folder.resolve("m.graph.gz"))).isFalse();
        FileInspection found = FileInspection.of(file(), FileFormat.WEBGRAPH, parameters());
        assertThat(found.directed()).isTrue();
        assertThat(found.weighted()).isFalse();
        assertThat(found.first()).hasSize(5);
    }

    @Test
    void tellsOtherGraphsOfWebGraphFromMetis() throws IOException {
        Files.write(file(), new byte[8]);
        says("#EFGraph properties\narcs=1\ngraphclass=it.unimi.dsi.webgraph.EFGraph\nnodes=3\n");

        assertThat(FileFormat.isWebGraph(file())).isTrue();
        assertRefused(
                "g.properties: ",
                "the only kind that is read, found \"it.unimi.dsi.webgraph.EFGraph");
    }

    @Test
    void isConverted() throws IOException {
        int[][] lists = likeWebPages(new Random(5));
        write(lists, 7, 3, 4, 3, 0);
        Path list = folder.resolve("g.tsv");

        GraphConversion.convert(
                FileFormat.WEBGRAPH,
                parameters().with("directed", true),
                list,
                FileFormat.EDGE_LIST);

        Parameters parameters = Parameters.of("file", list.toString());
        assertThat(Edges.of("edgelist", parameters)).isEqualTo(edges(lists));
        assertThatThrownBy(() ->
                        GraphConversion.convert(
                                FileFormat.EDGE_LIST,
                                parameters,
                                folder.resolve("h.graph"),
                                FileFormat.WEBGRAPH))
                .hasMessage("webgraph is read but not written");
    }

    @Test
    void isInspectedThoughItsBitsBeginAsAPackedFileDoes() throws IOException {
        // bzip2: 0 -> 4; 1 -> 0, 3; 2 -> 4, as residuals in γ
        Files.write(file(), new byte[] {'B', 'Z', 'h', (byte) 0xB8});
        says(
                GRAPH_CLASS
                        + "nodes=5\narcs=4\nwindowsize=0\nminintervallength=0\ncompressionflags=RESIDUALS_GAMMA\n");

        FileInspection found = FileInspection.of(file(), FileFormat.WEBGRAPH, parameters());

        assertThat(found.packing()).isEqualTo(Packing.NONE);
        assertThat(found.first()).containsExactly("0 4", "1 0", "1 3", "2 4");
    }

    /** Bits of lists are written as they are meant; blanks are passed over. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the good one: 0 -> {0, 1} as residuals 0, +1; 1 copies it; 2 has none
                "3 | 4 | 011 1 1 100 100        | 011 01 1           | 1     | ",
                "3 | 4 | 011 1 1 100 100        | 011 01 1           |       | vertex 2, expected more bits, found the end",
                "3 | 4 | 011 1 1 100            |                    |       | vertex 0, expected more bits, found the end",
                "3 | 5 | 011 1 1 100 100        | 011 01 1           | 1     | vertex 2, expected 5 edges in all, which the properties promise, found 4",
                "3 | 3 | 011 1 1 100 100        | 011 01 1           | 1     | before bit 14, in the list of vertex 1, expected no more than the 3 edges",
                "3 | 4 | 00101 1 1 100 100 100  |                    |       | vertex 0, expected a degree up to 3, found 4",
                "3 | 4 | 011 01 1 100 100       | 011 01 1           | 1     | vertex 0, expected a reference up to 0, found 1",
                "3 | 4 | 011 1 1 100 100        | 011 001 1          | 1     | vertex 1, expected a reference up to 1, found 2",
                "3 | 4 | 011 1 1 100 100        | 011 01 00101       | 1     | vertex 1, expected a number of blocks up to 3, found 4",
                "3 | 4 | 011 1 1 100 100        | 011 01 010 00101   | 1     | vertex 1, expected the length of a block up to 2, found 4",
                "3 | 4 | 011 1 1 100 100        | 010 01 1           | 1     | vertex 1, expected 1 successors, found more",
                "3 | 4 | 011 1 1 100 100        | 011 01 011 011 010 | 1     | vertex 1, expected the length of a block up to -1",
                "3 | 4 | 011 1 00100            |                    | 1     | vertex 0, expected a number of intervals up to 2, found 3",
                "9 | 4 | 011 1 010 1 1          |                    | 1     | vertex 0, expected 2 successors, found more",
                "5 | 5 | 00110 1 010 00101 1    |                    | 1     | vertex 0, expected successors from 0 to 4, found 5",
                "5 | 5 | 00110 1 010 010 1      |                    | 1     | vertex 0, expected successors from 0 to 4, found -1",
                "5 | 5 | 00110 1 010 0001100 1  |                    | 1     | vertex 0, expected the left end of an interval up to 10, found 11",
                "5 | 5 | 00110 1 010 1 0001000  |                    | 1     | vertex 0, expected the length of an interval up to 5, found 7",
                "3 | 4 | 011 1 1 1010 100       |                    | 1     | vertex 0, expected successors from 0 to 2, found -1",
                "3 | 4 | 011 1 1 100 1111       |                    | 1     | vertex 0, expected a successor up to 3, found 6",
                "3 | 4 | 011 1 1 100 1011       |                    | 1     | vertex 0, expected successors from 0 to 2, found 3",
                "3 | 5 | 011 1 1 100 100        | 00100 01 1 1 1010  | 1     | vertex 1, expected each successor once, found 0 twice",
                "3 | 4 | 011 1 1 100 100        | 011 01 1           | 1 1   | vertex 2, expected the end of the file behind the last list, found more",
                "3 | 4 | 0000000000000000000000000000000000000000000000000000000000000000000000001 | | | vertex 0, expected a number that fits the graph, found one with more bits"
            })
    void refusesListsThatMakeNoSense(
            long nodes, long arcs, String first, String second, String third, String said)
            throws IOException {
        Files.write(file(), bytes(first + text(second) + text(third)));
        says("nodes=%d\narcs=%d\n%s".formatted(nodes, arcs, KIND));

        if (said == null) {
            assertThat(Recorded.of(source()).edges)
                    .isEqualTo(edges(new int[][] {{0, 1}, {0, 1}, {}}));
            return;
        }
        assertRefused("g.graph: before bit ", said);
    }

    private static final String GRAPH_CLASS = "graphclass=it.unimi.dsi.webgraph.BVGraph\n";
    private static final String KIND = GRAPH_CLASS + "windowsize=7\nminintervallength=4\nzetak=3\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "graphclass=it.unimi.dsi.webgraph.BVGraph | expected as nodes a whole number, found nothing",
                "nodes=3~arcs=1 | expected as graphclass it.unimi.dsi.webgraph.BVGraph, the only kind that is read, found nothing",
                "graphclass=it.unimi.dsi.webgraph.EFGraph~nodes=3~arcs=1 | found \"it.unimi.dsi.webgraph.EFGraph\"",
                "@nodes=3 | expected as arcs a whole number",
                "@nodes=0~arcs=0 | expected as nodes a number from 1 to 64, which is what fits the graph's file, found \"0\"",
                "@nodes=65~arcs=0 | expected as nodes a number from 1 to 64",
                "@nodes=-3~arcs=0 | expected as nodes",
                "@nodes=3~arcs=99999999999999 | expected as arcs a number from 0 to 67108864",
                "@nodes=3~arcs=99999999999999999999 | expected as arcs a whole number",
                "@nodes=3~arcs=1~version=1 | expected as version 0, found \"1\"",
                "@nodes=3~arcs=1~windowsize=-2 | expected as windowsize a number from 0 to 1024",
                "@nodes=3~arcs=1~windowsize=2147483647 | expected as windowsize",
                "@nodes=3~arcs=1~minintervallength=-1 | expected as minintervallength",
                "@nodes=3~arcs=1~zetak=0 | expected as zetak a number from 1 to 16",
                "@nodes=3~arcs=1~zetak=three | expected as zetak a whole number, found \"three\"",
                "@nodes=3~arcs=1~endianness=little | expected as endianness big",
                "@nodes=3~arcs=1~compressionflags=RESIDUALS_GOLOMB | expected as compressionflags parts of lists",
                "@nodes=3~arcs=1~compressionflags=GAMMA | expected as compressionflags",
                "@nodes=3~arcs=1~compressionflags=RESIDUALS_GAMMA ! | expected as compressionflags",
                "@nodes=3~arcs=1~compressionflags=_GAMMA | expected as compressionflags",
                "@nodes=\\u00zz | no properties file: Malformed"
            })
    void refusesPropertiesThatMakeNoSense(String text, String said) throws IOException {
        Files.write(file(), new byte[8]);
        says(text.replace("@", KIND).replace('~', '\n').replace('!', '|'));

        assertRefused("g.properties: ", said);
    }

    /** With another ζ the same bits may be another edge. */
    @Test
    void refusesPropertiesThatAreCut() throws IOException {
        Files.write(file(), bytes("1 1 1 1 010 101000")); // 4 -> 0
        String whole =
                GRAPH_CLASS
                        + "arcs=1\nminintervallength=0\nnodes=5\nversion=0\nwindowsize=0\nzetak=5\n";
        says(whole);

        assertThat(Recorded.of(source()).edges).isEqualTo(edges(new int[][] {{}, {}, {}, {}, {0}}));
        for (String last : List.of("zetak", "windowsize", "nodes", "minintervallength", "arcs")) {
            says(whole.substring(0, whole.indexOf(last)));
            assertRefused("g.properties: ", " a whole number, found nothing");
        }
    }

    @Test
    void refusesAGraphThatHasNoPropertiesBesideIt() throws IOException {
        Files.write(file(), new byte[8]);

        assertRefused("g.properties: ", "there is no such file, which says how");
    }

    @Test
    void refusesAnotherNameAndPropertiesWithoutEnd() throws IOException {
        Path other = Files.write(folder.resolve("g.bv"), new byte[8]);
        assertThatThrownBy(() ->
                        FileFormat.WEBGRAPH
                                .source(Parameters.of("file", other.toString()))
                                .describe())
                .hasMessageContaining("g.bv: the name of a graph of WebGraph ends with .graph");
        Files.write(file(), new byte[8]);
        Files.write(folder.resolve("g.properties"), new byte[1 << 21]);

        assertRefused("g.properties: ", "too large to be a properties file");
    }

    @Test
    void readsOrRefusesPropertiesAndListsWithAnyByteChanged() throws IOException {
        changeBytes(300);
    }

    @Tag("slow")
    @Test
    void readsOrRefusesPropertiesAndListsWithManyBytesChanged() throws IOException {
        changeBytes(5000);
    }

    private void changeBytes(int rounds) throws IOException {
        write(likeWebPages(new Random(3)), 7, 3, 2, 3, BVGraph.RESIDUALS_NIBBLE);
        long seed = Long.getLong("starling.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        Path properties = folder.resolve("g.properties");
        for (Path file : List.of(file(), properties)) {
            byte[] good = Files.readAllBytes(file);
            int refused = 0;
            for (int round = 0; round < rounds; round++) {
                byte[] bad = good.clone();
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
                Files.write(file, bad);
                try {
                    Recorded.of(source());
                } catch (InvalidInputException sentence) {
                    refused++;
                    assertThat(sentence.getMessage()).contains("g.").doesNotContain("\n");
                } catch (RuntimeException broken) {
                    throw new AssertionError("seed %d, round %d".formatted(seed, round), broken);
                }
            }
            assertThat(refused).as("seed %d", seed).isPositive();
            Files.write(file, good);
        }
    }

    private void assertRefused(String where, String said) {
        assertThatThrownBy(() -> Recorded.of(source()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(folder.resolve(where.strip()).toString())
                .hasMessageContaining(said);
    }

    private void write(int[][] lists, int window, int references, int interval, int zeta, int flags)
            throws IOException {
        ArrayListMutableGraph graph = new ArrayListMutableGraph(lists.length);
        for (int vertex = 0; vertex < lists.length; vertex++) {
            for (int successor : lists[vertex]) {
                graph.addArc(vertex, successor);
            }
        }
        BVGraph.store(
                graph.immutableView(),
                folder.resolve("g").toString(),
                window,
                references,
                interval,
                zeta,
                flags,
                1);
    }

    private static int[][] scattered(Random random) {
        int[][] lists = new int[200][];
        for (int vertex = 0; vertex < lists.length; vertex++) {
            lists[vertex] =
                    random.ints(random.nextInt(12), 0, lists.length).sorted().distinct().toArray();
        }
        return lists;
    }

    /** Neighbours have much of each other's lists; some are long, with runs. */
    private static int[][] likeWebPages(Random random) {
        int[][] lists = new int[300][];
        for (int vertex = 0; vertex < lists.length; vertex++) {
            TreeSet<Integer> list = new TreeSet<>();
            if (vertex > 0 && random.nextInt(4) > 0) {
                for (int successor : lists[vertex - 1 - random.nextInt(Math.min(vertex, 5))]) {
                    if (random.nextInt(8) > 0) {
                        list.add(successor);
                    }
                }
            }
            int from = random.nextInt(lists.length);
            int run = random.nextInt(5) == 0 ? random.nextInt(30) : 0;
            for (int i = from; i < Math.min(lists.length, from + run); i++) {
                list.add(i);
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                list.add(random.nextInt(lists.length));
            }
            lists[vertex] = list.stream().mapToInt(Integer::intValue).toArray();
        }
        return lists;
    }

    private static List<Edges.Edge> edges(int[][] lists) {
        List<Edges.Edge> edges = new ArrayList<>();
        for (int vertex = 0; vertex < lists.length; vertex++) {
            for (int successor : lists[vertex]) {
                edges.add(new Edges.Edge(vertex, successor, 1f));
            }
        }
        return edges;
    }

    private static long hash(int[][] lists) {
        Recorded all = new Recorded();
        all.edges.addAll(edges(lists));
        return all.hash(0, true);
    }

    private static String text(String bits) {
        return bits == null ? "" : bits;
    }

    private static byte[] bytes(String bits) {
        String bare = bits.replace(" ", "");
        byte[] bytes = new byte[(bare.length() + 7) / 8];
        for (int i = 0; i < bare.length(); i++) {
            bytes[i / 8] |= (byte) ((bare.charAt(i) - '0') << (7 - i % 8));
        }
        return bytes;
    }

    private void says(String text) throws IOException {
        Files.writeString(folder.resolve("g.properties"), text, StandardCharsets.ISO_8859_1);
    }

    private EdgeSource source() {
        return Edges.source("webgraph", parameters());
    }

    private Path file() {
        return folder.resolve("g.graph");
    }

    private Parameters parameters() {
        return Parameters.of("file", file().toString());
    }
}
