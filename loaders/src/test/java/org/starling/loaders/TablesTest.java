package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.airlift.compress.v3.lz4.Lz4FrameCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;

/** Edge lists with headers of any kind, in several files, compressed, with lines that are none. */
final class TablesTest {
    private static final String TRADES =
            """
            day,"to",note,from,amount,paid
            3,2,"a, ""b""\",1,0.5,true
            # a comment
            4,3,,2,2,false
            """;

    @TempDir Path folder;

    @Test
    void takesColumnsInAnyOrderUnderAnyNames() throws IOException {
        Parameters trades =
                file("trades.csv", TRADES)
                        .with("source", "from")
                        .with("target", "to")
                        .with("weight", "amount");

        EdgeSource source = Edges.source("edgelist", trades);
        Recorded read = Recorded.of(source);

        assertThat(source.describe().edgeProperties())
                .containsExactly(
                        Property.of("day", PropertyType.INT),
                        Property.of("note", PropertyType.STRING),
                        Property.of("paid", PropertyType.BOOLEAN));
        assertThat(source.describe().edgeCount()).isBetween(2L, 3L);
        assertThat(source.describe().vertexCount()).isEqualTo(3);
        assertThat(read.edges)
                .containsExactly(new Edges.Edge(1, 2, 0.5f), new Edges.Edge(2, 3, 2f));
        assertThat(read.edgeValues)
                .containsExactly(
                        Map.of("day", "3", "note", "a, \"b\"", "paid", "1"),
                        Map.of("day", "4", "note", "", "paid", "0"));
    }

    @Test
    void takesTypesThatAreDeclaredAndLeavesColumnsOut() throws IOException {
        Parameters trades =
                file("trades.csv", TRADES)
                        .with("source", "from")
                        .with("target", "to")
                        .with("columns", List.of("day:double", "note:none", "amount:float"));

        EdgeSource source = Edges.source("edgelist", trades);

        assertThat(source.describe().weighted()).isFalse();
        assertThat(source.describe().edgeProperties())
                .extracting(Property::name, Property::type)
                .containsExactly(
                        tuple("day", PropertyType.DOUBLE),
                        tuple("amount", PropertyType.FLOAT),
                        tuple("paid", PropertyType.BOOLEAN));
        assertThat(Recorded.of(source).edgeValues.getFirst()).containsEntry("day", "3.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 300 | INT",
                "1 2 99999999999 | LONG",
                "1 -2.5 1e3 | DOUBLE",
                "1 007 2 | STRING",
                "true False TRUE | BOOLEAN",
                "true 1 false | STRING",
                "a b c | STRING",
                "12345678901234567890 1 1 | STRING",
                "1. 2 3 | STRING",
                "1,5 2 3 | STRING"
            })
    void guessesTheSmallestTypeThatHoldsAllValues(String values, PropertyType type)
            throws IOException {
        StringBuilder text = new StringBuilder("target\tv\tsource\n");
        for (String value : values.split(" ", -1)) {
            text.append("1\t").append(value).append("\t2\n");
        }

        EdgeSource source = Edges.source("edgelist", file("a.tsv", text.toString()));

        assertThat(source.describe().edgeProperties()).containsExactly(Property.of("v", type));
        assertThat(Recorded.of(source).edges).hasSize(3);
    }

    @Test
    void takesEmptyFieldsForNothingWhereTheFirstLinesHaveThemOrTheTypeSaysSo() throws IOException {
        EdgeSource guessed =
                Edges.source("edgelist", file("a.csv", "target,age,source\n1,,2\n1,7,3\n"));
        EdgeSource declared =
                Edges.source(
                        "edgelist",
                        file("b.csv", "target,age,source\n1,,2\n")
                                .with("columns", List.of("age:int?")));
        EdgeSource refused =
                Edges.source(
                        "edgelist",
                        file("c.csv", "target,age,source\n1,,2\n")
                                .with("columns", List.of("age:int")));

        assertThat(Recorded.of(guessed).edgeValues)
                .containsExactly(Map.of("age", "0"), Map.of("age", "7"));
        assertThat(Recorded.of(declared).edgeValues).containsExactly(Map.of("age", "0"));
        assertThatThrownBy(() -> Recorded.of(refused))
                .hasMessageContaining(
                        "c.csv:2: expected a whole number of 32 bits for \"age\", found \"\"")
                .hasMessageContaining("\"columns\": {\"age\": \"int?\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a,b,c|1,2,3 ~ source=x ~ :1: there is no column \"x\" in the header, which has a, b, c",
                "a,b,c|1,2,3 ~ source=a ~ there is no column \"target\"",
                "a,a,c|1,2,3 ~ source=a ~ there are two columns \"a\"",
                "a,b,c|1,2,3 ~ source=a;target=b;weight=w ~ there is no column \"w\"",
                "a,b,c|1,2,x ~ source=a;target=b;weight=c ~ :2: expected a weight that is a finite number and not negative in column \"c\", found \"x\"",
                "a,b,c|1,2,-1 ~ source=a;target=b;weight=c ~ leave weights out",
                "a,b,c|1,x,3 ~ source=a;target=b ~ :2: expected a vertex id from 0 to 18446744073709551615 in column \"b\", found \"x\"",
                "a,b,c|1,-2,3 ~ source=a;target=b ~ found \"-2\"",
                "a,b,c|1,18446744073709551616,3 ~ source=a;target=b ~ found \"18446744073709551616\"",
                "a,b,c|1,2 ~ source=a;target=b ~ :2: expected 3 fields, as the header says, found 2",
                "a,b,c|1,2,3,4 ~ source=a;target=b ~ found 4",
                "a,b,c|1,2,\"3 ~ source=a;target=b ~ quotation marks don't match",
                "a,b,c|1,2,3 ~ source=a;target=b;columns=d:int ~ \"columns\" names \"d\", which is not in the header",
                "a,b,c|1,2,3 ~ source=a;target=b;columns=c:number ~ has the type \"number\", which is none",
                "a,b,c|1,2,3 ~ source=a;target=b;columns=c:string[2] ~ vectors of strings",
                "a,b,c|1,2,3000000000 ~ source=a;target=b;columns=c:int ~ say what the column is",
                "1,2,3 ~ header=true ~ there is no column \"source\""
            })
    void refusesTablesThatMakeNoSense(String text, String options, String said) throws IOException {
        Parameters table = file("bad.csv", text.replace('|', '\n') + "\n");
        for (String option : options.split(";", -1)) {
            String[] pair = option.split("=", 2);
            table =
                    switch (pair[0]) {
                        case "columns" -> table.with("columns", List.of(pair[1]));
                        case "header" -> table.with("header", true);
                        default -> table.with(pair[0], pair[1]);
                    };
        }
        EdgeSource source = Edges.source("edgelist", table);

        assertThatThrownBy(() -> Recorded.of(source))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(folder.resolve("bad.csv") + ":")
                .hasMessageContaining(said);
    }

    @Test
    void readsSeveralFilesAsOneListWithTheHeaderInAllOrInTheFirst() throws IOException {
        String header = "source,target,since:int\n";
        List<String> files = new ArrayList<>();
        StringBuilder whole = new StringBuilder(header);
        for (int file = 0; file < 5; file++) {
            StringBuilder text = new StringBuilder(file % 2 == 0 ? header : "");
            for (int i = 0; i < 100; i++) {
                String line = "%d,%d,%d\n".formatted(file * 100 + i, i, file);
                text.append(line);
                whole.append(line);
            }
            Path path = Files.writeString(folder.resolve("part-" + file), text);
            files.add(path.toString());
        }
        Parameters one = file("whole.csv", whole.toString());

        EdgeSource several =
                Edges.source(
                        "edgelist",
                        Parameters.of("file", files.getFirst())
                                .with("files", files)
                                .with("partBytes", 300));
        Recorded read = Recorded.of(several);

        assertThat(read.edges).hasSize(500);
        assertThat(read.hash(0, true))
                .isEqualTo(Recorded.of(Edges.source("edgelist", one)).hash(0, true));
        assertThat(several.describe().edgeCount()).isBetween(500L, 505L);
        assertThat(several.describe().parts()).isGreaterThan(15);
    }

    @Test
    void passesOverBadLinesAndSaysWhatIsWrongWithTheFirst() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            text.append(i % 50 == 7 ? "oops " + i : i + " " + (i + 1)).append('\n');
        }
        for (long bytes : new long[] {100, 1 << 20}) {
            Parameters list =
                    file("a.el", text.toString()).with("badLines", "skip").with("partBytes", bytes);
            EdgeSource source = Edges.source("edgelist", list);
            Recorded into = new Recorded();
            List<PartSummary> parts = new ArrayList<>();
            for (int part = 0; part < source.describe().parts(); part++) {
                parts.add(source.read(part, into));
            }
            source.check(parts);

            assertThat(into.edges).hasSize(980);
            assertThat(parts.stream().mapToLong(PartSummary::skipped).sum()).isEqualTo(20);
            assertThat(parts.stream().mapToLong(PartSummary::entries).sum()).isEqualTo(980);
            assertThat(source.explainSkipped(parts))
                    .hasSize(10)
                    .startsWith(
                            folder.resolve("a.el")
                                    + ":8: expected two vertex ids, found \"oops 7\" (separator is blanks; begin the line with # if it is a comment or a header; if ids are texts, say \"ids\": \"text\")");
        }
    }

    @Test
    void passesOverBadLinesOfTables() throws IOException {
        Parameters table =
                file("a.csv", "target,age,source\n1,5,2\n1,x,3\n\"1,2\n4,6,5\n1,2\n")
                        .with("columns", List.of("age:int"))
                        .with("badLines", "skip");
        EdgeSource source = Edges.source("edgelist", table);
        Recorded into = new Recorded();
        PartSummary part = source.read(0, into);

        assertThat(into.edges).hasSize(2);
        assertThat(part.skipped()).isEqualTo(3);
        assertThat(source.explainSkipped(List.of(part)))
                .hasSize(3)
                .first()
                .asString()
                .contains("a.csv:3: expected a whole number of 32 bits for \"age\", found \"x\"");
    }

    @Test
    void refusesAListThatHasOnlyBadLines() throws IOException {
        Parameters list = file("a.el", "1 2\n").with("badLines", "skip").with("separator", "comma");

        assertThatThrownBy(() -> Recorded.of(Edges.source("edgelist", list)))
                .hasMessageContaining("there is no edge in the file, only lines that are none");
    }

    @ParameterizedTest
    @EnumSource(Packing.class)
    void readsWhatIsPackedInSeveralMembers(Packing packing) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int member = 0; member < 3; member++) {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 5_000; i++) {
                lines.append(i).append(' ').append(i * 7 % 1000 + member).append('\n');
            }
            bytes.write(packed(packing, lines.toString().getBytes(StandardCharsets.US_ASCII)));
            text.append(lines);
        }
        Path file = Files.write(folder.resolve("a.el" + packing.ending()), bytes.toByteArray());

        Recorded read =
                Recorded.of(Edges.source("edgelist", Parameters.of("file", file.toString())));

        assertThat(Packing.of(file)).isEqualTo(packing);
        assertThat(Packing.named(file)).isEqualTo(packing);
        assertThat(read.edges).hasSize(15_000);
        assertThat(read.hash(0, true))
                .isEqualTo(
                        Recorded.of(Edges.source("edgelist", file("plain", text.toString())))
                                .hash(0, true));
    }

    @ParameterizedTest
    @EnumSource(
            value = Packing.class,
            names = {"GZIP", "BZIP2", "ZSTD", "LZ4"})
    void saysThatPackedDataIsCutOrDamaged(Packing packing) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            lines.append(i * 31L % 9973).append(' ').append(i).append('\n');
        }
        byte[] whole = packed(packing, lines.toString().getBytes(StandardCharsets.US_ASCII));
        byte[] damaged = whole.clone();
        Arrays.fill(damaged, whole.length / 2, whole.length / 2 + 40, (byte) 0x55);

        for (byte[] bad :
                List.of(
                        Arrays.copyOf(whole, whole.length / 2),
                        Arrays.copyOf(whole, whole.length - 3),
                        Arrays.copyOf(whole, 7),
                        damaged)) {
            Path file = Files.write(folder.resolve("bad" + packing.ending()), bad);
            Parameters parameters = Parameters.of("file", file.toString());

            assertThatThrownBy(() -> Recorded.of(Edges.source("edgelist", parameters)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith(file.toString())
                    .message()
                    .containsPattern(
                            "the "
                                    + packing.title()
                                    + " data (is damaged|ends too early)|expected two vertex ids|there is no edge");
        }
    }

    @Test
    void refusesAFileThatUnpacksToFarMoreThanItsSize() throws IOException {
        Path bomb = folder.resolve("bomb.zst");
        byte[] nothing = new byte[1 << 20];
        Arrays.fill(nothing, (byte) '\n');
        byte[] member = packed(Packing.ZSTD, nothing);
        try (OutputStream out = Files.newOutputStream(bomb)) {
            for (int i = 0; i < 65; i++) {
                out.write(member);
            }
        }
        Parameters file = Parameters.of("file", bomb.toString());

        assertThatThrownBy(() -> Recorded.of(Edges.source("edgelist", file)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("more than 67,108,864 bytes come out of the zstd data");
    }

    /** LZ4 is only read; its frames come from another library. */
    private static byte[] packed(Packing packing, byte[] plain) throws IOException {
        if (packing == Packing.LZ4) {
            Lz4FrameCompressor lz4 = Lz4FrameCompressor.create();
            byte[] room = new byte[lz4.maxCompressedLength(plain.length)];
            return Arrays.copyOf(room, lz4.compress(plain, 0, plain.length, room, 0, room.length));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream into = packing.pack(bytes)) {
            into.write(plain);
        }
        return bytes.toByteArray();
    }

    private Parameters file(String name, String text) throws IOException {
        return Parameters.of("file", Files.writeString(folder.resolve(name), text).toString());
    }
}
