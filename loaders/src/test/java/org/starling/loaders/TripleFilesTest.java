package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;

/** N-Triples: what becomes of lines, good and bad. */
final class TripleFilesTest {
    private static final String A = "<http://x.org/a>";
    private static final String P = "<http://x.org/p>";
    private static final String B = "<http://x.org/b>";

    @TempDir Path folder;

    /** What a file gives, with ids as texts. */
    private static final class Triples implements EdgeSink {
        final List<String> ids = new ArrayList<>();
        final List<String> edges = new ArrayList<>();
        final Set<String> alone = new TreeSet<>();
        long skipped;
        List<String> reasons = List.of();

        static Triples of(EdgeSource source) throws IOException {
            Triples triples = new Triples();
            List<PartSummary> parts = new ArrayList<>();
            for (int part = 0; part < source.describe().parts(); part++) {
                parts.add(source.read(part, triples));
            }
            source.check(parts);
            triples.skipped = parts.stream().mapToLong(PartSummary::skipped).sum();
            triples.reasons = source.explainSkipped(parts);
            return triples;
        }

        @Override
        public long number(byte[] utf8, int offset, int length) {
            org.starling.graph.TextId.require(utf8, offset, length);
            ids.add(new String(utf8, offset, length, StandardCharsets.UTF_8));
            return ids.size() - 1L;
        }

        private String id(long number) {
            return ids.get((int) number);
        }

        @Override
        public void edge(long source, long target, float weight) {
            edges.add(id(source) + " → " + id(target));
        }

        @Override
        public void edge(long source, long target, float weight, PropertyValues values) {
            edges.add(id(source) + " " + values.string(0) + " " + id(target));
        }

        @Override
        public void vertex(long id) {
            alone.add(id(id));
        }
    }

    private Parameters file(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, bytes);
        return Parameters.of("file", file.toString());
    }

    private Parameters file(String text) throws IOException {
        return file("t.nt", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Triples read(Parameters parameters) throws IOException {
        return Triples.of(FileFormat.NTRIPLES.source(parameters));
    }

    @Test
    void makesVerticesOfIrisAndBlankNodesAndKeepsPredicates() throws IOException {
        Triples read =
                read(
                        file(
                                "# people\n\n"
                                        + A
                                        + " "
                                        + P
                                        + " "
                                        + B
                                        + " .\n"
                                        + "\t_:n1\t"
                                        + P
                                        + "\t"
                                        + A
                                        + "\t.\t# blank\r\n"
                                        + A
                                        + P
                                        + "_:n.2.\n"
                                        + "_:7é "
                                        + P
                                        + " <urn:x> ."));

        assertThat(read.edges)
                .containsExactly(
                        "http://x.org/a http://x.org/p http://x.org/b",
                        "_:n1 http://x.org/p http://x.org/a",
                        "http://x.org/a http://x.org/p _:n.2",
                        "_:7é http://x.org/p urn:x");
        assertThat(read.skipped).isZero();
    }

    @Test
    void resolvesEscapesInIris() throws IOException {
        Triples read =
                read(
                        file(
                                "<http://x.org/\\u00E9\\U0001F426> "
                                        + P
                                        + " <http://x.org/é\uD83D\uDC26> .\n"));

        assertThat(read.edges)
                .containsExactly(
                        "http://x.org/é\uD83D\uDC26 http://x.org/p http://x.org/é\uD83D\uDC26");
    }

    @Test
    void countsLiteralsAndKeepsTheirSubjects() throws IOException {
        Triples read =
                read(
                        file(
                                A
                                        + " "
                                        + P
                                        + " \"a \\\"b\\\" \\u0041 \\t . <x>\" .\n"
                                        + A
                                        + " "
                                        + P
                                        + " "
                                        + B
                                        + " .\n"
                                        + "<urn:c> "
                                        + P
                                        + " \"7\"^^<http://www.w3.org/2001/XMLSchema#int> .\n"
                                        + "<urn:d> "
                                        + P
                                        + " \"Gr\u00FCezi\"@de-CH .\n"));

        assertThat(read.edges).hasSize(1);
        assertThat(read.alone).containsExactly("http://x.org/a", "urn:c", "urn:d");
        assertThat(read.skipped).isEqualTo(3);
        assertThat(read.reasons).hasSize(3);
        assertThat(read.reasons.getFirst())
                .endsWith(
                        "t.nt:1: the object is a literal, and no vertex; the subject is one, the edge is left out");
    }

    @Test
    void leavesPredicatesOutIfToldTo() throws IOException {
        Parameters parameters = file(A + " " + P + " " + B + " .\n");

        assertThat(read(parameters.with("columns", List.of("predicate:none"))).edges)
                .containsExactly("http://x.org/a → http://x.org/b");
        assertThatThrownBy(() -> read(parameters.with("columns", List.of("since:int"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("triples have one column, \"predicate\"");
    }

    @Test
    void tellsBlankNodesOfSeveralFilesApart() throws IOException {
        String line = "_:a " + P + " " + B + " .\n";
        file("1.nt", line.getBytes(StandardCharsets.UTF_8));
        file("2.nt", line.getBytes(StandardCharsets.UTF_8));

        Triples read =
                read(
                        Parameters.of("file", "unused")
                                .with(
                                        "files",
                                        List.of(
                                                folder.resolve("1.nt").toString(),
                                                folder.resolve("2.nt").toString())));

        assertThat(read.edges)
                .containsExactly(
                        "_:a http://x.org/p http://x.org/b", "_:2:a http://x.org/p http://x.org/b");
    }

    @Test
    void readsPartsAsOneFileAndEstimatesItWell() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60_000; i++) {
            text.append(
                    "<http://x.org/person/%d> %s <http://x.org/person/%d> .\n"
                            .formatted(i % 20_000, P, i * 7919L % 20_000));
            if (i % 3 == 0) {
                text.append("<http://x.org/person/%d> %s \"name %d\"@en .\n".formatted(i, P, i));
            }
        }
        Parameters parameters = file(text.toString());

        EdgeSource parts = FileFormat.NTRIPLES.source(parameters.with("partBytes", 100_000L));
        SourceDescription says = parts.describe();

        assertThat(says.parts()).isGreaterThan(10);
        assertThat(says.textIds()).isTrue();
        assertThat(says.edgeCount()).isBetween(50_000L, 72_000L);
        assertThat(says.vertexCount()).isBetween(10_000L, 120_000L);
        assertThat(Triples.of(parts).edges).hasSize(60_000).isEqualTo(read(parameters).edges);
    }

    @Test
    void readsWhatIsPacked() throws IOException {
        var packed = new java.io.ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write((A + " " + P + " " + B + " .\n").getBytes(StandardCharsets.UTF_8));
        }

        assertThat(read(file("t.nt.gz", packed.toByteArray())).edges).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hello world . | :1:1: expected a subject: <IRI> or _:label, found \"hello world .",
                "\"a\" <urn:p> <urn:b> . | :1:1: expected a subject",
                "<urn:a> <urn:p> . | :1:17: expected an object: <IRI>, _:label or \"literal\", found \".\"",
                "<urn:a> _:p <urn:b> . | :1:9: expected a predicate: <IRI>, found \"_:p",
                "<urn:a> \"p\" <urn:b> . | :1:9: expected a predicate",
                "<urn:a> | :1:8: expected a predicate: <IRI>, found the end of the line",
                "<urn:a> <urn:p> <urn:b> | :1:24: expected \".\" behind the object, found the end of the line",
                "<urn:a> <urn:p> <urn:b> <urn:g> . | :1:25: expected \".\" behind the object, found \"<urn:g> .",
                "<urn:a> <urn:p> <urn:b> . <urn:c> | :1:27: expected the end of the line behind \".\"",
                "<urn:a> <urn:p> <urn:b> ; <urn:q> <urn:c> . | :1:25: expected \".\" behind the object, found \"; ",
                "<urn:a <urn:p> <urn:b> . | :1:7: expected a character that an IRI can have, found \" <urn:p>",
                "<urn:a> <urn:p> <urn:b . | :1:23: expected a character that an IRI can have",
                "<urn:a> <urn:p> <urn:b | :1:23: expected \">\" at the end of an IRI, found the end of the line",
                "<a> <urn:p> <urn:b> . | :1:1: expected an absolute IRI, such as <http://example.org/a>, found \"<a>",
                "<> <urn:p> <urn:b> . | :1:1: expected an absolute IRI",
                "<<urn:a> <urn:p> <urn:b>> <urn:q> <urn:c> . | :1:2: expected a character that an IRI can have",
                "<urn:\\x41> <urn:p> <urn:b> . | :1:6: expected an escape: \\uXXXX, or \\UXXXXXXXX up to 10FFFF, found \"\\x41>",
                "<urn:\\u00G0> <urn:p> <urn:b> . | :1:6: expected an escape",
                "<urn:\\U00110000> <urn:p> <urn:b> . | :1:6: expected an escape",
                "<urn:\\uD800> <urn:p> <urn:b> . | :1:6: expected a whole character, not half of one",
                "<urn:é> <urn:p> <urn:\\n> . | :1:22: expected an escape",
                "<urn:a> <urn:p> \"open . | :1:24: expected a quotation mark at the end of a literal",
                "<urn:a> <urn:p> \"bad \\q\" . | :1:22: expected an escape",
                "<urn:a> <urn:p> \"a\"@ . | :1:21: expected a language",
                "<urn:a> <urn:p> \"a\"@en- . | :1:24: expected a language",
                "<urn:a> <urn:p> \"a\"^<urn:t> . | :1:21: expected \"^^\" before the type",
                "<urn:a> <urn:p> \"a\"^^int . | :1:22: expected the type of a literal: <IRI>",
                "_a <urn:p> <urn:b> . | :1:2: expected \":\" behind \"_\"",
                "_: <urn:p> <urn:b> . | :1:3: expected a label",
                "_:-a <urn:p> <urn:b> . | :1:3: expected a label",
                "_:a. <urn:p> <urn:b> . | :1:6: expected a predicate",
                "<urn:a> <urn:p> _:b.. | :1:22: expected one dot at the end",
                "@prefix x: <urn:x> . | :1:1: expected a subject",
                "%a comment of others | :1:1: expected a subject",
            })
    void saysWhereALineMakesNoSense(String line, String sentence) throws IOException {
        Parameters parameters = file("# first\n" + A + " " + P + " " + B + " .\n" + line + "\n");

        assertThatThrownBy(() -> read(parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("t.nt" + sentence.replaceFirst(":1:", ":3:"))
                .hasMessageEndingWith("(a line is: subject predicate object .)");
        Triples rest = read(parameters.with("badLines", "skip"));
        assertThat(rest.edges).hasSize(1);
        assertThat(rest.skipped).isEqualTo(1);
        assertThat(rest.reasons).hasSize(1);
        assertThat(rest.reasons.getFirst()).contains("t.nt" + sentence.replaceFirst(":1:", ":3:"));
    }

    @Test
    void tellsOfMistakesBeforeLiterals() throws IOException {
        StringBuilder text = new StringBuilder(A + " " + P + " " + B + " .\n");
        IntStream.range(0, 30).forEach(i -> text.append(A + " " + P + " \"" + i + "\" .\n"));
        text.append("oh\n");

        Triples read = read(file(text.toString()).with("badLines", "skip"));

        assertThat(read.skipped).isEqualTo(31);
        assertThat(read.reasons).hasSize(10);
        assertThat(read.reasons.getFirst()).contains(":32:1: expected a subject");
    }

    @Test
    void refusesAnIdThatIsNoUtf8AndOneThatIsTooLong() throws IOException {
        byte[] bytes = ("<urn:?> " + P + " " + B + " .\n").getBytes(StandardCharsets.UTF_8);
        bytes[5] = (byte) 0xFF;
        Parameters broken = file("b.nt", bytes);
        Parameters lengthy = file("<urn:" + "x".repeat(70_000) + "> " + P + " " + B + " .\n");

        assertThatThrownBy(() -> read(broken))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("b.nt:1: expected a vertex id in UTF-8");
        assertThatThrownBy(() -> read(lengthy))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("t.nt:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"# nothing\n", "\n\n", "<urn:a> <urn:p> \"only a literal\" .\n"})
    void refusesAFileWithoutAnEdge(String text) throws IOException {
        Parameters parameters = file(text);

        assertThatThrownBy(() -> read(parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no triple in the file whose object is a vertex");
    }

    /** Whatever stands in a file, it is read or refused with a sentence. */
    @Test
    void readsOrRefusesWhateverIsChangedInAFile() throws IOException {
        change(600);
    }

    @Tag("slow")
    @Test
    void readsOrRefusesWhateverIsChangedInAFileManyTimes() throws IOException {
        change(10_000);
    }

    private void change(int rounds) throws IOException {
        long seed = Long.getLong("starling.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        byte[] good =
                (A
                                + " "
                                + P
                                + " _:b.c .\n_:b "
                                + P
                                + " \"a\\u0041\\\"\"@en-US . # x\n<urn:\\U0001F426>"
                                + P
                                + "\"1\"^^"
                                + B
                                + ".\n")
                        .getBytes(StandardCharsets.UTF_8);
        String marks = "<>\"\\_:.@^-#uU0\r\n\t \u0000\u007F";
        for (int round = 0; round < rounds; round++) {
            byte[] bytes = good.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(bytes.length);
                bytes[at] =
                        (byte)
                                (random.nextBoolean()
                                        ? marks.charAt(random.nextInt(marks.length()))
                                        : random.nextInt(256));
            }
            Parameters parameters = file(new String(bytes, StandardCharsets.ISO_8859_1));
            Files.write(folder.resolve("t.nt"), bytes);
            try {
                read(parameters.with("badLines", round % 2 == 0 ? "skip" : "fail"));
            } catch (InvalidInputException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).contains("t.nt");
            } catch (RuntimeException broken) {
                throw new AssertionError("seed " + seed + ", round " + round, broken);
            }
        }
    }
}
