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
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;

class EdgeListTest {

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"\t", " ", "   ", " \t ", ",", ";", "|", ":", " , ", ", "})
    void findsTheSeparatorInTheFirstLineOfData(String separator) throws IOException {
        String text = "# from to\n\n7S12\n12S7\n3S9223372036854775807\n".replace("S", separator);

        List<Edges.Edge> edges = read(text, Parameters.NONE);

        assertThat(edges)
                .containsExactly(edge(3, Long.MAX_VALUE, 1f), edge(7, 12, 1f), edge(12, 7, 1f));
    }

    @Test
    void readsIdsUpToTheLargestUnsignedNumber() throws IOException {
        List<Edges.Edge> edges =
                read("0 18446744073709551615\n9223372036854775808 1\n", Parameters.NONE);

        assertThat(edges).containsExactly(edge(Long.MIN_VALUE, 1, 1f), edge(0, -1, 1f));
    }

    @ParameterizedTest
    @CsvSource({"tab,'\t'", "blank,' '", "comma,','", "semicolon,;", "!,!"})
    void takesTheSeparatorThatIsGiven(String name, String symbol) throws IOException {
        List<Edges.Edge> edges =
                read("1S2\n2S3".replace("S", symbol), Parameters.of("separator", name));

        assertThat(edges).containsExactly(edge(1, 2, 1f), edge(2, 3, 1f));
    }

    @Test
    void skipsCommentsEmptyLinesAndCarriageReturns() throws IOException {
        String text = "\uFEFF% konect\r\n# snap\r\n\r\n  \n 1 2 \r\n#3 4\n\t5 6\r\n%\n";

        List<Edges.Edge> edges = read(text, Parameters.NONE);

        assertThat(edges).containsExactly(edge(1, 2, 1f), edge(5, 6, 1f));
    }

    @Test
    void readsALastLineWithoutNewline() throws IOException {
        assertThat(read("1 2\n3 4", Parameters.NONE)).hasSize(2);
        assertThat(read("1,2,0.5", Parameters.NONE)).containsExactly(edge(1, 2, 0.5f));
    }

    @Test
    void readsWeightsOfEveryForm() throws IOException {
        String text =
                "1 2 3\n2 3 0.1\n3 4 1e-3\n4 5 .5\n5 6 3.14159265358979\n6 7 0\n7 8 +2.5E1 x\n";

        List<Edges.Edge> edges = read(text, Parameters.NONE);

        assertThat(edges.stream().map(Edges.Edge::weight))
                .containsExactly(
                        3f, 0.1f, 1e-3f, 0.5f, Float.parseFloat("3.14159265358979"), 0f, 25f);
    }

    @Test
    void parsesShortWeightsAsTheJdkDoes() throws IOException {
        long seed = 81;
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        List<Float> expected = new ArrayList<>();
        for (int k = 0; k < 5000; k++) {
            String digits = Integer.toString(random.nextInt(10_000_000));
            int point = random.nextInt(digits.length() + 1);
            String number = digits.substring(0, point) + "." + digits.substring(point);
            text.append(k).append(" 0 ").append(number).append('\n');
            expected.add(Float.parseFloat(number));
        }

        List<Edges.Edge> edges = read(text.toString(), Parameters.NONE);

        assertThat(edges.stream().map(Edges.Edge::weight))
                .as("seed %d", seed)
                .containsExactlyElementsOf(expected);
    }

    @Test
    void ignoresTheThirdFieldWhenToldSo() throws IOException {
        List<Edges.Edge> edges = read("1 2 -7\n2 3 x\n4 5\n", Parameters.of("weighted", false));

        assertThat(edges).hasSize(3).allMatch(edge -> edge.weight() == 1f);
    }

    @Test
    void countsWhatASmallFileHolds() throws IOException {
        EdgeSource source = source("1\t2\t0.5\n2\t3\t1\n", Parameters.NONE);

        SourceDescription description = source.describe();

        assertThat(description.dense()).isFalse();
        assertThat(description.weighted()).isTrue();
        assertThat(description.edgeCount()).isEqualTo(2);
        assertThat(description.vertexCount()).isEqualTo(3);
    }

    @Test
    void givesTheSameEdgesWhateverTheParts() throws IOException {
        long seed = 4711;
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("# header\n");
        for (int k = 0; k < 150; k++) {
            text.append(random.nextLong() >>> random.nextInt(1, 64))
                    .append('\t')
                    .append(random.nextInt(1000))
                    .append('\t')
                    .append(random.nextInt(1 << 20) / 1024f)
                    .append(random.nextInt(5) == 0 ? "\n\n# comment\r\n" : "\n");
        }
        List<Edges.Edge> whole = read(text.toString(), Parameters.NONE);
        assertThat(whole).hasSize(150);

        for (int partBytes : new int[] {1, 2, 3, 7, 64, 1000, 1 << 20}) {
            List<Edges.Edge> parts = read(text.toString(), Parameters.of("partBytes", partBytes));

            assertThat(parts).as("seed %d, parts of %d bytes", seed, partBytes).isEqualTo(whole);
        }
    }

    @Test
    void readsTextsLongerThanTheBuffer() throws IOException {
        StringBuilder text = new StringBuilder("#").append("x".repeat(ByteCursor.BUFFER_BYTES));
        text.append('\n');
        for (int k = 0; k < 100_000; k++) {
            text.append(k).append(' ').append(k + 1).append('\n');
        }

        List<Edges.Edge> edges = read(text.toString(), Parameters.NONE);

        assertThat(edges).hasSize(100_000);
        assertThat(edges.getLast()).isEqualTo(edge(99_999, 100_000, 1f));
    }

    @Test
    void knowsGzipByItsFirstBytes() throws IOException {
        Path file = write(gzip("# c\n1;2\n2;3\n".getBytes(StandardCharsets.UTF_8)));

        EdgeSource source = Edges.source("edgelist", parameters(file, Parameters.NONE));

        assertThat(source.describe().parts()).isEqualTo(1);
        assertThat(Edges.of(source)).containsExactly(edge(1, 2, 1f), edge(2, 3, 1f));
    }

    @Test
    void namesTheLineInAGzipFile() throws IOException {
        Path file = write(gzip("1;2\n2;3\n3;x\n".getBytes(StandardCharsets.UTF_8)));

        assertThatThrownBy(() -> Edges.of("edgelist", parameters(file, Parameters.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(file + ":3: expected two vertex ids, found \"3;x\"");
    }

    @Test
    void refusesTruncatedGzip() throws IOException {
        byte[] whole = gzip(lines(10_000).getBytes(StandardCharsets.UTF_8));

        for (int length : new int[] {5, whole.length / 2, whole.length - 9, whole.length - 1}) {
            Path file = write(Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> Edges.of("edgelist", parameters(file, Parameters.NONE)))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageMatching(
                            Pattern.quote(file.toString())
                                    + ": after [\\d,]+ bytes of text the gzip data ends too early:"
                                    + " the file is truncated \\(fetch the file again\\)");
        }
    }

    @Test
    void refusesDamagedGzip() throws IOException {
        byte[] bytes = gzip(lines(10_000).getBytes(StandardCharsets.UTF_8));
        bytes[bytes.length - 6] ^= 1;
        Path file = write(bytes);

        assertThatThrownBy(() -> Edges.of("edgelist", parameters(file, Parameters.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("bytes of text the gzip data is damaged");
    }

    @Test
    void refusesAMissingFileAndAFolder() {
        Path missing = folder.resolve("missing.txt");

        assertThatThrownBy(() -> Edges.of("edgelist", parameters(missing, Parameters.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(missing + ": there is no such file (check the path)");
        assertThatThrownBy(() -> Edges.of("edgelist", parameters(folder, Parameters.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("found a folder");
    }

    @ParameterizedTest
    @CsvSource({"'',the file is empty", "'# only\n\n%\n',only comments and empty lines"})
    void refusesAFileWithoutEdges(String text, String reason) {
        assertThatThrownBy(() -> read(text, Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("graph.txt: ")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "17 | expected two vertex ids, found \"17\" (separator is tab; begin the line with # if it is a comment or a header)",
                "12;7 | expected two vertex ids, found \"12;7\" (separator is tab; use \"separator\": \";\")",
                "12 7 | expected two vertex ids, found \"12 7\" (separator is tab; use \"separator\": \" \")",
                "one<tab>2 | expected two vertex ids, found \"one\t2\" (separator is tab; begin the line with # if it is a comment or a header; if ids are texts, say \"ids\": \"text\")",
                "1<tab>2x | expected two vertex ids, found \"1\t2x\" (separator is tab; begin the line with # if it is a comment or a header; if ids are texts, say \"ids\": \"text\")",
                "1<tab><tab>2 | expected two vertex ids, found \"1\t\t2\" (separator is tab; begin the line with # if it is a comment or a header)",
                "-3<tab>2 | expected a vertex id of 0 or more, found \"-3\" (renumber the vertices)",
                "3<tab>18446744073709551616 | expected a vertex id up to 18446744073709551615, found \"18446744073709551616\" (renumber the vertices)",
                "3<tab>99999999999999999999999 | expected a vertex id up to 18446744073709551615, found \"99999999999999999999999\" (renumber the vertices)",
            },
            delimiter = '|')
    void namesLineAndRemedyEvenInTheMiddleOfTheFile(String bad, String reason) throws IOException {
        String line = bad.strip().replace("<tab>", "\t");
        String text = lines(1040) + line + "\n" + lines(100);

        for (int partBytes : new int[] {1 << 20, 1000, 100}) {
            assertThatThrownBy(() -> read(text, Parameters.of("partBytes", partBytes)))
                    .as("parts of %d bytes", partBytes)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage(folder.resolve("graph.txt") + ":1041: " + reason.strip());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-0.5,'a finite number and not negative, found \"-0.5\"'",
        "NaN,'a finite number and not negative, found \"NaN\"'",
        "1e99,'a finite number and not negative, found \"1e99\"'",
        "abc,'a finite number and not negative, found \"abc\"'",
        "1.2.3,'a finite number and not negative, found \"1.2.3\"'",
        "'','a weight in the third field, as in the first line of data, found only \"5 6 \"'"
    })
    void refusesBadWeights(String weight, String reason) {
        String text = "1 2 0.5\n3 4 1\n5 6 " + weight + "\n";

        assertThatThrownBy(() -> read(text, Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("graph.txt:3: expected ")
                .hasMessageContaining(reason)
                .hasMessageContaining("take the weights out of all lines");
    }

    @Test
    void refusesAHeaderLineThatIsNoComment() {
        assertThatThrownBy(() -> read("from,to\n1,2\n", Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("graph.txt:1: expected two vertex ids, found \"from,to\"")
                .hasMessageContaining(
                        "if it names columns, say which are \"source\" and \"target\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "7", "x", "-", "."})
    void refusesASeparatorThatIsNone(String separator) {
        assertThatThrownBy(() -> read("1 2\n", Parameters.of("separator", separator)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"separator\" must be one character")
                .hasMessageContaining("found \"" + separator + "\"");
    }

    @Test
    void readsVotesOfWikipedia() throws IOException {
        Path file = SharedData.file("data/wiki-Vote.txt");

        List<Edges.Edge> edges =
                Edges.of("edgelist", parameters(file, Parameters.of("partBytes", 9999)));

        assertThat(edges).hasSize(103_689).doesNotHaveDuplicates();
        assertThat(
                        edges.stream()
                                .flatMap(edge -> List.of(edge.source(), edge.target()).stream())
                                .distinct())
                .hasSize(7115);
    }

    private static String lines(int count) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < count; k++) {
            text.append(k % 10 == 3 ? "# comment" : k + "\t" + (k * 31L)).append('\n');
        }
        return text.toString();
    }

    private static Edges.Edge edge(long source, long target, float weight) {
        return new Edges.Edge(source, target, weight);
    }

    private List<Edges.Edge> read(String text, Parameters more) throws IOException {
        return Edges.of(source(text, more));
    }

    private EdgeSource source(String text, Parameters more) throws IOException {
        Path file = write(text.getBytes(StandardCharsets.UTF_8));
        return Edges.source("edgelist", parameters(file, more));
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("graph.txt"), bytes);
    }

    private static Parameters parameters(Path file, Parameters more) {
        return more.with("file", file.toString());
    }

    @ParameterizedTest
    @CsvSource({"fd377a585a, xz", "504b0304, zip"})
    void namesWhatAFileIsCompressedWithThatIsNotRead(String begin, String packer)
            throws IOException {
        Path file = write(HexFormat.of().parseHex(begin));

        assertThatThrownBy(() -> Edges.of("edgelist", parameters(file, Parameters.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        file
                                + ": compressed with "
                                + packer
                                + ", which is not read (unpack it, or pack it with gzip, bzip2, zstd or lz4)");
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream into = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(into)) {
            out.write(bytes);
        }
        return into.toByteArray();
    }
}
