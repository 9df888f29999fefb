package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;
import org.starling.graph.TextId;

/** Edge lists, and files of vertices beside them, whose ids are texts. */
@Timeout(60)
final class TextFilesTest {
    @TempDir private Path folder;

    @Test
    void readsTextsAsTheyAre() throws IOException {
        Taken taken =
                take(
                        parameters(
                                """
                                # friends
                                Ada,Charles Babbage
                                007,7
                                caf\u00E9,cafe\u0301

                                "a, ""b\""",\uD83D\uDE00
                                "#note"," a "
                                x y ,\tz
                                """));

        assertThat(taken.edges)
                .containsExactly(
                        "Ada|Charles Babbage|1.0",
                        "007|7|1.0",
                        "caf\u00E9|cafe\u0301|1.0",
                        "a, \"b\"|\uD83D\uDE00|1.0",
                        "#note| a |1.0",
                        "x y|z|1.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a b;c d!a b|c d|1.0",
                "a,b!a|b|1.0",
                "a b,c d,2.5!a b|c d|2.5",
                "'a\tb,c\t3'!a|b,c|3.0",
                "a b!a|b|1.0",
                "a b 4!a|b|4.0",
                "'\"a b\" c;d 4'!a b|c;d|4.0",
                "'c \"a,b\"'!c|a,b|1.0",
                "'\"a;b\" \"c,d\"'!a;b|c,d|1.0",
                "'x \"y\" z,b'!x \"y\" z|b|1.0"
            })
    void findsSeparatorAndWeight(String line, String edge) throws IOException {
        Parameters parameters = parameters(line + "\n");

        assertThat(take(parameters).edges).containsExactly(edge);
        assertThat(source(parameters).describe().textIds()).isTrue();
    }

    @Test
    void takesNoLineBehindTheFirstForAComment() throws IOException {
        Parameters parameters = parameters("# tags\n%\n\na,b\n#java,alice\n\n%d,e\n");
        Path vertices = folder.resolve("tags.csv");
        Files.writeString(vertices, "# ages\nid,age:int\n#java,31\n");

        assertThat(take(parameters).edges)
                .containsExactly("a|b|1.0", "#java|alice|1.0", "%d|e|1.0");
        assertThat(take(parameters.with("partBytes", 5)).edges).hasSize(3);
        assertThat(source(parameters).describe().edgeCount()).isEqualTo(3);
        assertThat(take(parameters.with("vertices", vertices.toString())).vertices)
                .containsExactly("#java 31");
    }

    @Test
    void readsColumnsBesideThem() throws IOException {
        Path vertices = folder.resolve("people.csv");
        Files.writeString(vertices, "id:string,age:int\nAda,36\n\"Babbage, C.\",79\n");

        Taken taken =
                take(
                        parameters(
                                        "source,target,weight:float,since:int\nAda,\"Babbage, C.\",0.5,1833\n")
                                .with("vertices", vertices.toString()));

        assertThat(taken.edges).containsExactly("Ada|Babbage, C.|0.5 1833");
        assertThat(taken.vertices).containsExactly("Ada 36", "Babbage, C. 79");
    }

    @Test
    void readsTheSameInManyParts() throws IOException {
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            text.append("\"p ").append(i).append("\" q").append(i * 31 % 700).append('\n');
            expected.add("p " + i + "|q" + i * 31 % 700 + "|1.0");
        }

        Parameters parameters = parameters(text.toString()).with("partBytes", 4_000);

        assertThat(source(parameters).describe().parts()).isGreaterThan(10);
        assertThat(take(parameters).edges).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void estimatesTheirBytes() throws IOException {
        StringBuilder text = new StringBuilder();
        long bytes = 0;
        for (int i = 0; i < 1_000; i++) {
            text.append("person-").append(i).append(",person-").append(i + 1).append('\n');
        }
        for (int i = 0; i <= 1_000; i++) {
            bytes += ("person-" + i).length();
        }

        SourceDescription description = source(parameters(text.toString())).describe();

        assertThat(description.vertexCount()).isEqualTo(1_001);
        assertThat(description.stringBytes()).isBetween(bytes - 1_001, bytes + 1_001);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a,b:c,!:2: expected a vertex id, found an empty text (give the vertex a name)",
                "a,b:,c!:2: expected a vertex id, found an empty text (give the vertex a name)",
                "a,b:\"\",c!:2: expected a vertex id, found an empty text (give the vertex a name)",
                "a,b:c!:2: expected two vertex ids, found",
                "a,b:c;d!use \"separator\": \";\"",
                "a,b:\"c,d!:2: an id is longer than 65536 bytes, or lacks its second quotation mark",
                "a,b:\"c\"d,e!:2: expected comma or the end of the line behind the quotation mark of an id",
                "a,b,1:c,d,x!:2: expected a weight that is a finite number and not negative, found \"x\""
            })
    void refusesLinesThatMakeNoSense(String lines, String sentence) throws IOException {
        Parameters parameters = parameters(lines.replace(':', '\n') + "\n");

        assertThatThrownBy(() -> take(parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("edges.csv")
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesBytesThatAreNoUtf8AndIdsThatAreTooLong() throws IOException {
        ByteArrayOutputStream latin = new ByteArrayOutputStream();
        latin.writeBytes("a,b\nAda,caf".getBytes(StandardCharsets.UTF_8));
        latin.write(0xE9);
        latin.writeBytes("\n".getBytes(StandardCharsets.UTF_8));
        Path file = folder.resolve("edges.csv");
        Files.write(file, latin.toByteArray());
        Parameters parameters = Parameters.of("file", file.toString()).with("ids", "text");

        assertThatThrownBy(() -> take(parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "edges.csv:2: expected a vertex id in UTF-8, found bytes that are none in \"caf\uFFFD\"");
        Files.writeString(file, "a,b\nc," + "x".repeat(TextId.MAX_BYTES + 1) + "\n");
        assertThatThrownBy(() -> take(parameters))
                .hasMessageContaining(
                        "edges.csv:2: expected a vertex id of up to 65520 bytes, found one of 65521 (take shorter ids)");
        Files.writeString(file, "a,b\nc," + "x".repeat(70_000) + "\n");
        assertThatThrownBy(() -> take(parameters))
                .hasMessageContaining("edges.csv:2: an id is longer than 65536 bytes");
    }

    private Parameters parameters(String edges) throws IOException {
        Path file = folder.resolve("edges.csv");
        Files.writeString(file, edges);
        return Parameters.of("file", file.toString()).with("ids", "text");
    }

    private static EdgeSource source(Parameters parameters) {
        return Edges.source("edgelist", parameters);
    }

    /** What a sink was given. */
    private record Taken(List<String> edges, List<String> vertices) {}

    private static Taken take(Parameters parameters) throws IOException {
        EdgeSource source = source(parameters);
        Taken taken = new Taken(new ArrayList<>(), new ArrayList<>());
        for (int part = 0; part < source.describe().parts(); part++) {
            source.read(part, new TextSink(taken));
        }
        return taken;
    }

    private static final class TextSink implements EdgeSink {
        private final Taken taken;
        private final List<String> ids = new ArrayList<>();

        TextSink(Taken taken) {
            this.taken = taken;
        }

        @Override
        public long number(byte[] utf8, int offset, int length) {
            TextId.require(utf8, offset, length);
            ids.add(
                    new String(
                            Arrays.copyOfRange(utf8, offset, offset + length),
                            StandardCharsets.UTF_8));
            return ids.size() - 1L;
        }

        private String id(long number) {
            return ids.get((int) number);
        }

        @Override
        public void edge(long source, long target, float weight) {
            taken.edges.add(id(source) + "|" + id(target) + "|" + weight);
        }

        @Override
        public void edge(long source, long target, float weight, PropertyValues values) {
            taken.edges.add(
                    "%s|%s|%s %d".formatted(id(source), id(target), weight, values.bits(0, 0)));
        }

        @Override
        public void vertex(long id) {
            taken.vertices.add(id(id));
        }

        @Override
        public void vertex(long id, PropertyValues values) {
            taken.vertices.add(id(id) + " " + values.bits(0, 0));
        }
    }
}
