package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Files that no program should write: each gets one sentence with file and place. */
final class BadFilesTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matrix coordinate real general~2 2 1~1 2 3~ | :1: expected the banner",
                "%%MatrixMarket matrix coordinate real~2 2 1~1 2 3~ | :1: expected the banner",
                "%%MatrixMarket vector coordinate real general~2 2 1~ | a matrix in the form coordinate",
                "%%MatrixMarket matrix array real general~2 2~1~2~3~4~ | found \"matrix array\"",
                "%%MatrixMarket matrix coordinate complex general~1 1 1~1 1 2 3~ | found \"complex\"",
                "%%MatrixMarket matrix coordinate real hermitian~1 1 1~1 1 2~ | general or symmetric",
                "%%MatrixMarket matrix coordinate real general~% only a comment~ | there is no line \"rows columns entries\"",
                "%%MatrixMarket matrix coordinate real general~2 2~1 2 3~ | :2: expected \"rows columns entries\"",
                "%%MatrixMarket matrix coordinate real general~2 3 1~1 2 3~ | :2: expected a square matrix",
                "%%MatrixMarket matrix coordinate real general~0 0 0~ | at least one row",
                "%%MatrixMarket matrix coordinate real general~2 2 999999999999~1 2 3~ | fits the file's size",
                "%%MatrixMarket matrix coordinate real general~2 2 1~1 3 1.5~ | :3: expected \"row column value\" with numbers from 1 to 2",
                "%%MatrixMarket matrix coordinate real general~2 2 1~0 1 1.5~ | :3: expected",
                "%%MatrixMarket matrix coordinate real general~2 2 1~1 2~ | :3: expected a weight",
                "%%MatrixMarket matrix coordinate real general~2 2 1~1 2 -1~ | leave all weights out by \"weight\": \"none\"",
                "%%MatrixMarket matrix coordinate real general~2 2 1~1 2 nan~ | expected a weight",
                "%%MatrixMarket matrix coordinate pattern general~2 2 1~1 2 7~ | nothing behind the fields",
                "%%MatrixMarket matrix coordinate pattern general~2 2 2~1 2~ | :2: the header says 2 entries, but there are 1",
                "%%MatrixMarket matrix coordinate pattern general~2 2 1~1 2~2 1~ | there are 2 lines after it",
                "%%MatrixMarket matrix coordinate pattern general~2 2 1~1 x~ | :3: expected"
            })
    void refusesBadMatrices(String text, String said) throws IOException {
        assertRefused("mtx", "bad.mtx", lines(text), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "c only~c comments~ | found only comments",
                "a 1 2 3~p sp 2 1~ | :1: expected a line \"p sp vertices arcs\"",
                "p max 2 1~a 1 2 3~ | :1: expected a line \"p sp",
                "p sp 2~a 1 2 3~ | :1: expected a line",
                "p sp two 1~a 1 2 3~ | :1: expected a line",
                "p sp 0 0~ | at least one vertex",
                "p sp 2 99999999999~a 1 2 3~ | fits the file's size",
                "p sp 2 1~a 1 3 3~ | :2: expected \"a source target weight\" with numbers from 1 to 2",
                "p sp 2 1~a 1 2~ | :2: expected a weight",
                "p sp 2 1~a 1 2 -4~ | :2: expected a weight",
                "p sp 2 1~e 1 2~ | :2: expected a line \"a source target weight\", or c",
                "p sp 2 1~p sp 2 1~a 1 2 3~ | :2: expected a line",
                "p sp 2 2~a 1 2 3~ | the header says 2 arcs, but there are 1",
                "p edge 2 1~e 1 2 9~ | nothing behind",
                "p edge 2 99999999999~e 1 2~ | fits the file's size",
                "p edge 4 3~e 1 2~e 2 3~ | the header says 3 edges, but there are 2",
                "p sp 2 1~a 1 2 3 4~ | nothing behind",
                "p sp 2 1~a1 2 3~ | :2: expected a line",
                "p sp 2 1~a 1 2 nan~ | :2: expected a weight",
                "p sp 2 1~a 0 1 3~ | :2: expected \"a source target weight\" with numbers from 1 to 2",
                "p sp 2 1 7~a 1 2 3~ | :1: expected a line",
                "p sp 2 -1~a 1 2 3~ | :1: expected a line"
            })
    void refusesBadRoads(String text, String said) throws IOException {
        assertRefused("dimacs", "bad.gr", lines(text), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Adjacency~1~0~0~ | :1: expected AdjacencyGraph or WeightedAdjacencyGraph",
                "AdjacencyGraph~ | expected a number of vertices that fits the file, found the end of the file",
                "AdjacencyGraph~x~0~ | :2: expected a number of vertices",
                "AdjacencyGraph~999999999~0~0~ | :2: expected a number of vertices that fits the file",
                "AdjacencyGraph~2~999999999~0~0~ | :3: expected a number of edges that fits the file",
                "AdjacencyGraph~0~0~ | at least one vertex",
                "AdjacencyGraph~2~1~1~1~0~ | 0 as the index of the first vertex's first edge",
                "AdjacencyGraph~2~1~0~2~1~ | :5: expected an index of the first edge of vertex 1 from 0 to 1",
                "AdjacencyGraph~3~2~0~2~1~0~0~ | :6: expected an index of the first edge of vertex 2 from 2 to 2",
                "AdjacencyGraph~2~2~0~1~1~2~ | :7: expected a target from 0 to 1",
                "AdjacencyGraph~2~2~0~1~1~ | expected a target from 0 to 1, found the end of the file",
                "AdjacencyGraph~2~1~0~1~1~5~ | expected the end of the file behind the edges, found \"5\"",
                "WeightedAdjacencyGraph~2~1~0~1~1~ | expected a weight that is a finite number and not negative, found the end",
                "WeightedAdjacencyGraph~2~1~0~1~1~-3~ | :7: expected a weight",
                "AdjacencyGraph~2~1~0~1~-1~ | expected a target",
                "AdjacencyGraph~2~2~0~1~1~x~ | :7: expected a target from 0 to 1, found \"x\"",
                "AdjacencyGraph~-2~0~ | :2: expected a number of vertices",
                "AdjacencyGraph~2~1.5~0~1~1~ | :3: expected a number of edges",
                "AdjacencyGraph~2~ | expected a number of edges that fits the file, found the end of the file",
                "AdjacencyGraph~2~1~0~ | found the end of the file",
                "WeightedAdjacencyGraph~2~1~0~1~1~nan~ | :7: expected a weight"
            })
    void refusesBadAdjacencies(String text, String said) throws IOException {
        assertRefused("ligra", "bad.adj", lines(text), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no xml | be read: Content is not allowed in prolog",
                "<graphml> | t be read: ",
                "<graphml></graph> | t be read: ",
                "<html/> | :1: expected <graphml>, found <html>",
                "<graphml/> | there is no <graph> in the file",
                "<graphml><graph/></graphml> | expected edgedefault=\"directed\" or \"undirected\"",
                "<graphml><graph edgedefault='directed'/></graphml> | neither a vertex nor an edge",
                "<graphml><graph edgedefault='directed'><node id='1'/></graph><graph edgedefault='directed'/></graphml> | a second <graph>",
                "<graphml><graph edgedefault='directed'>~<node/></graph></graphml> | :2: <node> has no attribute id",
                "<graphml><graph edgedefault='directed'>~<node id='Ada'/></graph></graphml> | :2: expected ids that are whole numbers, or n and a whole number, found \"Ada\"",
                "<graphml><graph edgedefault='directed'><node id='1'/><node id='n2'/></graph></graphml> | to be written alike",
                "<graphml><graph edgedefault='directed'><node id='007'/></graph></graphml> | found \"007\"",
                "<graphml><graph edgedefault='directed'><node id='99999999999999999999'/></graph></graphml> | expected an id up to",
                "<graphml><graph edgedefault='directed'>~~<edge source='1'/></graph></graphml> | :3: <edge> has no attribute target",
                "<graphml><graph edgedefault='undirected'><edge source='1' target='2' directed='true'/></graph></graphml> | load it with \"directed\": true",
                "<graphml><graph edgedefault='directed'><edge source='1' target='2' directed='maybe'/></graph></graphml> | found \"maybe\"",
                "<graphml><graph edgedefault='directed'><hyperedge/></graph></graphml> | a <hyperedge> joins more than two vertices",
                "<graphml><graph edgedefault='directed'><node id='1'><graph edgedefault='directed'/></node></graph></graphml> | nested graphs are not read",
                "<graphml><graph edgedefault='directed'><node id='1'><port name='a'/></node></graph></graphml> | ports are not read",
                "<graphml><graph edgedefault='directed'><node id='1'><data key='d'>3</data></node></graph></graphml> | no <key> before the graph declares \"d\"",
                "<graphml><key id='d' for='node' attr.name='age' attr.type='years'/><graph edgedefault='directed'/></graphml> | has the type \"years\"",
                "<graphml><key id='d' for='node' attr.name='a' attr.type='int'/><key id='d' for='edge' attr.name='b'/><graph edgedefault='directed'/></graphml> | two keys \"d\"",
                "<graphml><key id='d' for='node' attr.name='age' attr.type='int'/><graph edgedefault='directed'><node id='1'><data key='d'>old</data></node></graph></graphml> | expected a whole number of 32 bits for \"age\", found \"old\"",
                "<graphml><key id='d' for='node' attr.name='age' attr.type='int'/><graph edgedefault='directed'><node id='1'><data key='d'>1<b/></data></node></graph></graphml> | found <b> in it",
                "<graphml><key id='w' for='edge' attr.name='weight' attr.type='double'/><graph edgedefault='directed'><edge source='1' target='2'><data key='w'>-1</data></edge></graph></graphml> | expected a weight",
                "<graphml><key id='w' for='edge' attr.name='weight' attr.type='double'/><graph edgedefault='directed'><edge source='1' target='2'/></graph></graphml> | this edge has no \"weight\"",
                "<!DOCTYPE graphml [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><graphml><graph edgedefault='directed'>&e;</graph></graphml> | The entity \"e\" was referenced, but not declared",
                "<!DOCTYPE graphml [<!ENTITY e 'x'>]><graphml><key id='d' for='node' attr.name='a'/><graph edgedefault='directed'><node id='1'><data key='d'>&e;</data></node></graph></graphml> | The entity \"e\" was referenced, but not declared"
            })
    void refusesBadGraphMl(String text, String said) throws IOException {
        assertRefused("graphml", "bad.graphml", lines(text), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 2~ | :1: expected a key, found \"1\"",
                "nodes [ ]~ | there is no \"graph [\"",
                "graph 7~ | expected [ behind graph",
                "graph [~ | expected a key, found the end of the file",
                "graph [ ]~graph [ ]~ | :2: there is a second graph",
                "graph [ ]~ | neither a vertex nor an edge",
                "graph [ directed yes ]~ | expected 0 or 1 behind directed, found \"yes\"",
                "graph [~node 1 ]~ | :2: expected [ behind node",
                "graph [~~node [ label \"a\" ] ]~ | :3: there is no id in it",
                "graph [ node [ id 1 id 2 ] ]~ | there are two of id",
                "graph [ node [ id ] ]~ | expected a value of id, found ]",
                "graph [ node [ id \"Ada\" ] ]~ | expected ids that are whole numbers",
                "graph [ node [ id -1 ] ]~ | found \"-1\"",
                "graph [ edge [ source 1 ] ]~ | there is no target in it",
                "graph [ node [ id 1 label \"a ] ]~ | a text has no second quotation mark",
                "graph [ node [ id 1 age 12x ] ]~ | expected a number, a text in quotation marks or a list as the value of age, found \"12x\"",
                "graph [ edge [ source 1 target 2 weight -1 ] ]~ | expected a weight",
                "graph [ edge [ source 1 target 2 weight 1 ] edge [ source 1 target 3 ] ]~ | this edge has no \"weight\"",
                "graph [ edge [ source 1 target 2 weight 1 weight 2 ] ]~ | an edge has \"weight\" twice or as a list",
                "graph [ edge [ source 1 target 2 weight [ x 2 ] ] ]~ | an edge has \"weight\" twice or as a list",
                "graph [ node [ id 1 graphics [ x 1 ~ | expected ] at the end of a list, found the end"
            })
    void refusesBadGml(String text, String said) throws IOException {
        assertRefused("gml", "bad.gml", lines(text), said);
    }

    @Test
    void refusesXmlWhoseBytesAreNoText() throws IOException {
        byte[] xml =
                "<graphml><graph edgedefault='directed'>\n<node id='?'/></graph></graphml>"
                        .getBytes(StandardCharsets.UTF_8);
        xml["<graphml><graph edgedefault='directed'>\n<node id='".length()] = (byte) 0xC3;

        assertRefused("graphml", "bytes.graphml", xml, "the XML can't be read: Invalid byte");
    }

    @Test
    void refusesAttributesThatAreTooLong() throws IOException {
        String xml =
                "<graphml><graph edgedefault='directed'>\n<node id='%s'/></graph></graphml>"
                        .formatted("1".repeat(70_000));

        assertRefused(
                "graphml",
                "long.graphml",
                xml.getBytes(StandardCharsets.UTF_8),
                ":2: the attribute id of <node> is longer than 65536 characters");
    }

    @Test
    void refusesListsThatLieTooDeep() throws IOException {
        String deep = "graph [ node [ id 1 x " + "[ a ".repeat(100_000);

        assertRefused("gml", "deep.gml", lines(deep), "lists that lie at most 32 deep");
        assertRefused(
                "graphml",
                "deep.graphml",
                lines("<graphml>" + "<a>".repeat(10_000)),
                "elements lie deeper than 64");
    }

    static Stream<Object[]> badSerializedGraphs() {
        return Stream.of(
                new Object[] {bytes(3), "expected at least 25 bytes"},
                new Object[] {serialized(2, 0, 1, new long[] {0, 0}), "0 or 1 as the first byte"},
                new Object[] {bytes(0), "the file is empty"},
                new Object[] {bytes(24), "expected at least 25 bytes"},
                new Object[] {serialized(0, 2, 2, new long[] {0, -1, 2}, 1, 0), "at byte 25"},
                new Object[] {serialized(0, 2, 2, new long[] {0, 1, 3}, 1, 0), "at byte 33"},
                new Object[] {
                    serialized(0, 2, 2, new long[] {0, 1, 2}, 1, Integer.MAX_VALUE),
                    "at byte 45 expected a target from 0 to 1"
                },
                new Object[] {serialized(1, -1, 1, new long[] {0, 0}), "a number of edges from 0"},
                new Object[] {
                    serialized(1, Long.MAX_VALUE, 1, new long[] {0, 0}), "a number of edges from 0"
                },
                new Object[] {
                    serialized(1, 0, 0, new long[] {0, 0}), "a number of vertices from 1"
                },
                new Object[] {
                    serialized(1, 0, Long.MAX_VALUE / 8, new long[] {0, 0}),
                    "a number of vertices from 1"
                },
                new Object[] {
                    serialized(0, 0, 1L << 56, new long[] {0, 0}), "a number of vertices from 1"
                },
                new Object[] {serialized(0, 2, 2, new long[] {0, 1, 2}, 1), "found 45"},
                new Object[] {serialized(0, 2, 2, new long[] {0, 1, 2}, 1, 0, 5), "found 53"},
                new Object[] {serialized(0, 2, 2, new long[] {1, 1, 2}, 1, 0), "at byte 17"},
                new Object[] {serialized(0, 2, 2, new long[] {0, 3, 2}, 1, 0), "at byte 25"},
                new Object[] {
                    serialized(0, 2, 2, new long[] {0, 1, 1}, 1, 0),
                    "at byte 33 expected the index of an edge from 2 to 2, found 1"
                },
                new Object[] {
                    serialized(0, 2, 2, new long[] {0, 1, 2}, 1, 2),
                    "at byte 45 expected a target from 0 to 1, found 2"
                },
                new Object[] {
                    serialized(0, 2, 2, new long[] {0, 1, 2}, 1, -1),
                    "a target from 0 to 1, found -1"
                },
                new Object[] {
                    serialized(0, 2, 3, new long[] {0, 1, 2, 2}, 1, 2), "stand at one of their ends"
                },
                new Object[] {
                    serialized(0, 2, 2, new long[] {0, 1, 2}, 1, -5, 0, -5),
                    "at byte 45 expected a weight that is not negative, found -5"
                });
    }

    @ParameterizedTest
    @MethodSource("badSerializedGraphs")
    void refusesBadSerializedGraphs(byte[] file, String said) throws IOException {
        assertRefused("gap", "bad.sg", file, said);
    }

    static Stream<Object[]> badBinaryEdges() {
        long most = 1L << 48;
        return Stream.of(
                new Object[] {bytes(0), "the file is empty"},
                new Object[] {bytes(1), "edges of 16 bytes each, found 1 bytes"},
                new Object[] {bytes(15), "edges of 16 bytes each, found 15 bytes"},
                new Object[] {bytes(24), "edges of 16 bytes each, found 24 bytes"},
                new Object[] {ids(-1, 0), "edge 0, at byte 0: expected ids from 0"},
                new Object[] {ids(0, -1), "edge 0, at byte 0: expected ids from 0"},
                new Object[] {ids(0, 1, 2, -3), "edge 1, at byte 16: expected ids from 0"},
                new Object[] {ids(most, 0), "found 281474976710656 and 0"},
                new Object[] {ids(0, most), "found 0 and 281474976710656"},
                new Object[] {ids(Long.MIN_VALUE, 1), "edge 0, at byte 0: expected ids from 0"},
                new Object[] {ids(1, Long.MAX_VALUE), "edge 0, at byte 0: expected ids from 0"});
    }

    @ParameterizedTest
    @MethodSource("badBinaryEdges")
    void refusesBadBinaryEdges(byte[] file, String said) throws IOException {
        assertRefused("graph500", "edges", file, said);
    }

    static Stream<Object[]> badBinaryWeights() {
        return Stream.of(
                new Object[] {bytes(0), "expected 4 bytes"},
                new Object[] {bytes(3), "expected 4 bytes"},
                new Object[] {bytes(8), "expected 4 bytes"},
                new Object[] {weight(Float.NaN), "at byte 0 expected a weight"},
                new Object[] {weight(-1), "found -1.0"},
                new Object[] {weight(Float.POSITIVE_INFINITY), "found Infinity"},
                new Object[] {weight(Float.NEGATIVE_INFINITY), "found -Infinity"},
                new Object[] {weight(-Float.MIN_VALUE), "at byte 0 expected a weight"});
    }

    @ParameterizedTest
    @MethodSource("badBinaryWeights")
    void refusesBadWeightsBesideBinaryEdges(byte[] weights, String said) throws IOException {
        Files.write(folder.resolve("edges.weights"), weights);

        assertRefused("graph500", "edges", bytes(16), said);
    }

    @Test
    void refusesBadPackedEdges() throws IOException {
        assertRefused("graph500-packed", "cut", bytes(25), "edges of 12 bytes each, found 25");
        assertRefused("graph500-packed", "empty", bytes(0), "the file is empty");
        assertRefused("graph500", "packed.gz", PACKED, "is not read compressed");
        assertRefused("gap", "packed.sg", PACKED, "is not read compressed");
    }

    private static final byte[] PACKED = {
        0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    };

    private void assertRefused(String format, String name, byte[] bytes, String said)
            throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, bytes);
        Parameters parameters = Parameters.of("file", file.toString());

        assertThatThrownBy(() -> Recorded.of(Edges.source(format, parameters)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(said)
                .message()
                .doesNotContain("\n");
    }

    private static byte[] lines(String text) {
        return text.replace('~', '\n').getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int count) {
        return new byte[count];
    }

    private static byte[] ids(long... ids) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * ids.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long id : ids) {
            bytes.putLong(id);
        }
        return bytes.array();
    }

    private static byte[] weight(float weight) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(weight).array();
    }

    private static byte[] serialized(
            int directed, long edges, long vertices, long[] firsts, int... entries) {
        ByteBuffer bytes =
                ByteBuffer.allocate(17 + 8 * firsts.length + 4 * entries.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) directed)
                        .putLong(edges)
                        .putLong(vertices);
        for (long first : firsts) {
            bytes.putLong(first);
        }
        for (int entry : entries) {
            bytes.putInt(entry);
        }
        return bytes.array();
    }
}
