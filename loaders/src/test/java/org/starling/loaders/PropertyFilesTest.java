package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;

/** Edge lists with columns, and files of vertices beside them. */
@Timeout(60)
final class PropertyFilesTest {
    private static final String EDGES = "source,target,since:int,weight:float,likes:boolean[2]\n";
    private static final String VERTICES = "id,age:int,worth:long,score:double\n";

    @TempDir private Path folder;

    @Test
    void readsTypedColumnsOfEdgesAndVertices() throws IOException {
        EdgeSource source =
                source(
                        "# a comment\n" + EDGES + "1,2,-7,0.5,true 0\n 2 , 3 , 9 , 1e2 , 1;false\n",
                        VERTICES + "1,30,-9223372036854775808,1.5\n3,-1,12,-2e-3\n");

        SourceDescription description = source.describe();
        Taken taken = take(source);

        assertThat(description.weighted()).isTrue();
        assertThat(description.edgeProperties())
                .containsExactly(
                        Property.of("since", PropertyType.INT),
                        new Property("likes", PropertyType.BOOLEAN, 2));
        assertThat(description.vertexProperties())
                .containsExactly(
                        Property.of("age", PropertyType.INT),
                        Property.of("worth", PropertyType.LONG),
                        Property.of("score", PropertyType.DOUBLE));
        assertThat(taken.edges).containsExactly("1 2 0.5 [-7, 1, 0]", "2 3 100.0 [9, 1, 0]");
        assertThat(taken.vertices.get(1L))
                .isEqualTo(List.of(30L, Long.MIN_VALUE, Double.doubleToRawLongBits(1.5)));
        assertThat(taken.vertices.get(3L))
                .isEqualTo(List.of(-1L, 12L, Double.doubleToRawLongBits(-2e-3)));
    }

    @Test
    void readsStringsAndEstimatesThem() throws IOException {
        EdgeSource source =
                source(
                        "source,target,kind:string,weight:float,note:string\n"
                                + "1,2,knows,0.5,\"a, \"\"b\"\"\"\n2,3,knows,1\n",
                        "id,name:string,age:int\n1,\u00C9mile  \u674E ,30\n2,,4\n");

        SourceDescription description = source.describe();
        Taken taken = take(source);

        assertThat(description.edgeProperties())
                .containsExactly(
                        Property.of("kind", PropertyType.STRING),
                        Property.of("note", PropertyType.STRING));
        assertThat(taken.edges).containsExactly("1 2 0.5 [knows, a, \"b\"]", "2 3 1.0 [knows, ]");
        assertThat(taken.vertices)
                .containsEntry(1L, List.of("\u00C9mile  \u674E", 30L))
                .containsEntry(2L, List.of("", 4L));
        assertThat(description.stringBytes())
                .as("knows, the note, the name")
                .isEqualTo(5 + 6 + "\u00C9mile  \u674E".getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void estimatesStringsThatDoNotRepeatByTheSizeOfTheFile() throws IOException {
        StringBuilder vertices = new StringBuilder("id,name:string,kind:string\n");
        int count = 50_000;
        for (int i = 0; i < count; i++) {
            vertices.append("%1$d,name%1$06d,kind%2$d%n".formatted(i, i % 3));
        }

        long estimated =
                source("source,target,since:int\n1,2,3\n", vertices.toString())
                        .describe()
                        .stringBytes();

        assertThat(estimated).isBetween(count * 9L, count * 11L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", ";", "|", " "})
    void takesTheSeparatorFromTheHeader(String separator) throws IOException {
        EdgeSource source =
                source(
                        "source,target,since:int\n1,2,3\n".replace(",", separator),
                        "id,age:int\n7,8\n".replace(",", separator));

        Taken taken = take(source);

        assertThat(taken.edges).containsExactly("1 2 1.0 [3]");
        assertThat(taken.vertices).containsEntry(7L, List.of(8L));
    }

    @Test
    void readsEachLineOnceWhateverTheParts() throws IOException {
        StringBuilder edges = new StringBuilder("source,target,since:int\n");
        StringBuilder vertices = new StringBuilder("id,age:int\n");
        for (int i = 0; i < 500; i++) {
            edges.append(i).append(',').append(i + 1).append(',').append(2 * i).append('\n');
            vertices.append(i).append(',').append(3 * i).append('\n');
        }
        for (long partBytes : new long[] {7, 64, 1 << 20}) {
            EdgeSource source = source(edges.toString(), vertices.toString(), partBytes);

            Taken taken = take(source);

            assertThat(taken.edges).hasSize(500).contains("499 500 1.0 [998]");
            assertThat(taken.vertices).hasSize(500).containsEntry(499L, List.of(1497L));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "1,2,x,1,1 1 ~ expected a whole number of 32 bits for \"since\", found \"x\"",
                "1,2,2147483648,1,1 1 ~ expected a whole number of 32 bits for \"since\"",
                "1,2,,1,1 1 ~ expected a whole number of 32 bits for \"since\", found \"\"",
                "1,2,3,-1,1 1 ~ expected a weight that is a finite number and not negative",
                "1,2,3,NaN,1 1 ~ expected a weight that is a finite number and not negative",
                "1,2,3,1,1 ~ expected 2 elements of \"likes\", with blanks between them",
                "1,2,3,1,1 yes ~ expected true or false for \"likes\", found \"yes\"",
                "1,2,3,1,1 1,4 ~ expected 3 fields behind the ids, as the header says, found more",
                "1,x,3,1,1 1 ~ expected two vertex ids",
                "1,2,\"3,1,1 1 ~ lacks its second quotation mark",
            })
    void namesFileLineAndColumnOfABadEdge(String bad, String reason) {
        assertThatThrownBy(() -> take(source(EDGES + "1,2,3,1,1 1\n" + bad + "\n", VERTICES)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("edges.csv:3: ")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "id,age ~ column \"age\" says no type (write for example age:int; types are"
                        + " boolean",
                "id,age:integer ~ column \"age\" has the type \"integer\", which is none",
                "id,age:int,age:long ~ there are two columns \"age\"",
                "id,v:float[0] ~ vectors of 0 elements; from 1 to 1024",
                "id,v:float[2000] ~ vectors of 2000 elements; from 1 to 1024",
                "id,v:string[2] ~ column \"v\" has vectors of strings; there are vectors of numbers"
                        + " and booleans alone",
                "id,:int ~ expected a column as name:type, found \":int\"",
                "name,age:int ~ expected a header that begins with id",
                "1,30 ~ expected a header that begins with id",
            })
    void refusesAHeaderOfVerticesThatIsNone(String header, String reason) {
        assertThatThrownBy(() -> source(EDGES + "1,2,3,1,1 1\n", header + "\n").describe())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("vertices.csv:1: ")
                .hasMessageContaining(reason);
    }

    @Test
    void refusesAStringThatIsTooLong() {
        String vertices =
                "id,name:string\n1,%s\n2,%s\n".formatted("x".repeat(4096), "x".repeat(4097));

        assertThatThrownBy(() -> take(source(EDGES + "1,2,3,1,1 1\n", vertices)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "vertices.csv:3: a string of 4097 bytes for \"name\"; 4096 are possible");
    }

    @Test
    void refusesAWeightOfAnotherType() {
        assertThatThrownBy(() -> source("source,target,weight:int\n1,2,3\n", VERTICES).describe())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("the weight of edges is a float");
    }

    private EdgeSource source(String edges, String vertices) throws IOException {
        return source(edges, vertices, 1 << 20);
    }

    private EdgeSource source(String edges, String vertices, long partBytes) throws IOException {
        Path edgeFile = Files.writeString(folder.resolve("edges.csv"), edges);
        Path vertexFile = Files.writeString(folder.resolve("vertices.csv"), vertices);
        return new EdgeListProvider()
                .create(
                        Parameters.of("file", edgeFile.toString())
                                .with("vertices", vertexFile.toString())
                                .with("partBytes", partBytes));
    }

    private static Taken take(EdgeSource source) throws IOException {
        Taken taken = new Taken();
        for (int part = 0; part < source.describe().parts(); part++) {
            source.read(part, taken);
        }
        return taken;
    }

    /** Keeps what it is given. */
    private static final class Taken implements EdgeSink {
        private final List<String> edges = new ArrayList<>();
        private final TreeMap<Long, List<Object>> vertices = new TreeMap<>();

        @Override
        public void edge(long source, long target, float weight) {
            throw new AssertionError("an edge without properties");
        }

        @Override
        public void vertex(long id) {
            throw new AssertionError("a vertex without properties");
        }

        @Override
        public void edge(long source, long target, float weight, PropertyValues values) {
            edges.add(source + " " + target + " " + weight + " " + bits(values));
        }

        @Override
        public void vertex(long id, PropertyValues values) {
            assertThat(vertices.put(id, bits(values))).isNull();
        }

        private static List<Object> bits(PropertyValues values) {
            List<Object> bits = new ArrayList<>();
            for (int i = 0; i < values.properties().size(); i++) {
                for (int e = 0; e < values.properties().get(i).length(); e++) {
                    boolean string = values.properties().get(i).type() == PropertyType.STRING;
                    bits.add(string ? values.string(i) : values.bits(i, e));
                }
            }
            return bits;
        }
    }
}
