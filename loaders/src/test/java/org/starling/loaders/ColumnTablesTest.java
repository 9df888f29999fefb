package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableColumn;
import org.starling.loaders.table.TableFile;
import org.starling.loaders.table.TableFormat;

/** Tables that are stored by columns, as sources of edges. */
final class ColumnTablesTest {
    @TempDir Path folder;

    /** Writes rows; a dot is a missing value. */
    private Path write(String name, FileFormat format, List<TableColumn> columns, String... rows)
            throws IOException {
        Path file = folder.resolve(name);
        try (TableFile table = TableFile.create(file, TableFormat.named(format.title()), columns)) {
            TableBatch batch = new TableBatch(columns);
            for (String row : rows) {
                String[] fields = row.split(" ", -1);
                for (int i = 0; i < fields.length; i++) {
                    put(batch, i, fields[i]);
                }
                batch.endRow();
                table.write(batch); // a group each
                batch.clear();
            }
            table.commit();
        }
        return file;
    }

    private static void put(TableBatch batch, int column, String field) {
        if (field.equals(".")) {
            batch.putNothing(column);
            return;
        }
        switch (batch.columns().get(column).kind()) {
            case STRING -> batch.putText(column, field);
            case FLOAT, DOUBLE -> batch.putDouble(column, Double.parseDouble(field));
            case ID -> batch.putLong(column, Long.parseUnsignedLong(field));
            case BOOLEAN -> batch.putLong(column, Boolean.parseBoolean(field) ? 1 : 0);
            case INT, LONG -> batch.putLong(column, Long.parseLong(field));
        }
    }

    private static TableColumn column(String name, TableColumn.Kind kind) {
        return new TableColumn(name, kind, 1, true);
    }

    private static final List<TableColumn> TRADES =
            List.of(
                    column("note", TableColumn.Kind.STRING),
                    column("target", TableColumn.Kind.LONG),
                    column("source", TableColumn.Kind.ID),
                    column("weight", TableColumn.Kind.DOUBLE),
                    column("since", TableColumn.Kind.INT));

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void readsEdgesAndVerticesWithTheirProperties(FileFormat format) throws IOException {
        Path edges = write("e", format, TRADES, "a 2 1 0.5 1999", ". 3 18446744073709551615 2 7");
        Path vertices =
                write(
                        "v",
                        format,
                        List.of(
                                column("ok", TableColumn.Kind.BOOLEAN),
                                column("id", TableColumn.Kind.LONG)),
                        "true 1",
                        "false 9");

        Recorded read =
                Recorded.of(
                        format.source(
                                Parameters.of("file", edges.toString())
                                        .with("vertices", List.of(vertices.toString()))));

        assertThat(read.edges)
                .containsExactly(new Edges.Edge(1, 2, 0.5f), new Edges.Edge(-1, 3, 2f));
        assertThat(read.edgeValues)
                .containsExactly(
                        Map.of("note", "a", "since", "1999"), Map.of("note", "", "since", "7"));
        assertThat(read.vertices).isEqualTo(Map.of(1L, Map.of("ok", "1"), 9L, Map.of("ok", "0")));
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void takesOtherNamesAndSeveralFiles(FileFormat format) throws IOException {
        List<TableColumn> columns =
                List.of(
                        column("from", TableColumn.Kind.INT),
                        column("to", TableColumn.Kind.INT),
                        column("cost", TableColumn.Kind.FLOAT),
                        column("age", TableColumn.Kind.INT),
                        column("left", TableColumn.Kind.STRING));
        Path first = write("a", format, columns, "1 2 0.5 . x", "2 3 1 4 x");
        Path second = write("b", format, columns, "3 1 2.5 5 x");

        Parameters parameters =
                Parameters.of("file", first.toString())
                        .with("files", List.of(first.toString(), second.toString()))
                        .with("source", "from")
                        .with("target", "to")
                        .with("weight", "cost")
                        .with("columns", List.of("age:int?", "left:none"));
        SourceDescription says = format.source(parameters).describe();
        Recorded read = Recorded.of(format.source(parameters));

        assertThat(read.edges)
                .containsExactly(
                        new Edges.Edge(1, 2, 0.5f),
                        new Edges.Edge(2, 3, 1f),
                        new Edges.Edge(3, 1, 2.5f));
        assertThat(read.edgeValues)
                .containsExactly(Map.of("age", "0"), Map.of("age", "4"), Map.of("age", "5"));
        assertThat(says.edgeCount()).isEqualTo(3);
        assertThat(says.vertexCount()).isEqualTo(3);
        assertThat(says.parts()).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void takesWhatIsSaidOfColumnsForVerticesToo(FileFormat format) throws IOException {
        Path edges = write("e", format, TRADES, "a 2 1 0.5 1999");
        List<TableColumn> columns =
                List.of(
                        column("id", TableColumn.Kind.LONG),
                        column("age", TableColumn.Kind.INT),
                        new TableColumn("place", TableColumn.Kind.DOUBLE, 2, false));
        Path vertices = folder.resolve("v");
        try (TableFile table =
                TableFile.create(vertices, TableFormat.named(format.title()), columns)) {
            TableBatch batch = new TableBatch(columns);
            batch.putLong(0, 1);
            batch.putNothing(1);
            batch.putDouble(2, 3.5);
            batch.putDouble(2, 4.5);
            batch.endRow();
            table.write(batch);
            table.commit();
        }
        Parameters files =
                Parameters.of("file", edges.toString())
                        .with("vertices", List.of(vertices.toString()));

        Recorded read =
                Recorded.of(
                        format.source(
                                files.with(
                                        "columns",
                                        List.of("age:int?", "place:none", "note:none"))));

        assertThat(read.vertices).isEqualTo(Map.of(1L, Map.of("age", "0")));
        assertThat(read.edgeValues).containsExactly(Map.of("since", "1999"));
        assertThatThrownBy(() -> Recorded.of(format.source(files)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(vertices + ": column \"place\" is ")
                .hasMessageEndingWith("(leave it out: \"columns\": {\"place\": \"none\"})");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a 2 1 1 1   | | weight=x | there is no column "x", only note, target, source, weight, since (say which it is: "weight": "note")
                    a 2 1 1 1   | | source=x | there is no column "x", only note, target, source, weight, since (say which it is: "source": "note")
                    a 2 1 1 1   | | source=note | column "note" is a text, and ids of vertices are whole numbers (say "ids": "text" if they are texts)
                    a 2 1 1 1   | | source=weight | column "weight" is a floating point number, and ids of vertices are whole numbers (take another column, or convert it)
                    a 2 1 1 1   | | weight=note | column "note" has no numbers, as weights are (take another one)
                    a 2 1 1 1   | since:long | | column "since" holds int, whatever "columns" says, which is "long"
                    a 2 1 1 1   | sinse:none | | there is no column "sinse", only note, target, source, weight, since
                    a . 1 1 1   | | | row 1, column "target": there is no id (leave the row out)
                    a -2 1 1 1  | | | row 1, column "target": expected a vertex id from 0 to 2^64 - 1, found -2 (correct it)
                    a 2 1 -1 1  | | | row 1, column "weight": expected a weight that is a finite number and not negative, found -1.0
                    a 2 1 NaN 1 | | | row 1, column "weight": expected a weight that is a finite number and not negative, found NaN
                    a 2 1 . 1   | | | row 1, column "weight": expected a weight that is a finite number and not negative, found nothing
                    a 2 1 1 .   | | | row 1, column "since": a value is missing, and a graph has none that are (say "columns": {"since": "int?"} to take 0 for it)
                    """)
    void saysWhatIsWrongAndWhere(String row, String types, String which, String sentence)
            throws IOException {
        for (FileFormat format : List.of(FileFormat.PARQUET, FileFormat.ARROW)) {
            Path file = write("t", format, TRADES, row);
            Parameters parameters = Parameters.of("file", file.toString());
            if (types != null) {
                parameters = parameters.with("columns", List.of(types));
            }
            if (which != null) {
                parameters = parameters.with(which.split("=", -1)[0], which.split("=", -1)[1]);
            }
            Parameters given = parameters;

            assertThatThrownBy(() -> Recorded.of(format.source(given)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith(file + ": ")
                    .hasMessageContaining(sentence);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void namesColumnsInOneSentenceWhateverTheyAreCalled(FileFormat format) throws IOException {
        Path lines =
                write(
                        "lines",
                        format,
                        List.of(
                                column("a\nb\u001b[31m", TableColumn.Kind.INT),
                                column("größe\u202E", TableColumn.Kind.INT)),
                        "1 2");
        List<TableColumn> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            many.add(column("c" + i, TableColumn.Kind.INT));
        }
        Path wide = write("wide", format, many, "1 ".repeat(500).strip());

        assertThatThrownBy(
                        () -> Recorded.of(format.source(Parameters.of("file", lines.toString()))))
                .hasMessage(
                        lines
                                + ": there is no column \"source\", only a.b.[31m, größe. (say which it is: \"source\": \"a.b.[31m\")");
        assertThatThrownBy(() -> Recorded.of(format.source(Parameters.of("file", wide.toString()))))
                .hasMessageContaining("only c0, c1,")
                .hasMessageContaining("c19, … (say which it is");
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void convertsThereAndBack(FileFormat format) throws IOException {
        Path list = folder.resolve("list.csv");
        Files.writeString(
                list, "source,target,weight:float\n1,2,0.5\n18446744073709551615,1,3\n2,2,0\n");
        Path file = folder.resolve("table." + format.title());
        Path back = folder.resolve("back.csv");

        GraphConversion.convert(
                FileFormat.EDGE_LIST, Parameters.of("file", list.toString()), file, format);
        GraphConversion.convert(
                format, Parameters.of("file", file.toString()), back, FileFormat.EDGE_LIST);

        assertThat(Recorded.of(format.source(Parameters.of("file", file.toString()))).hash(0, true))
                .isEqualTo(
                        Recorded.of(
                                        FileFormat.EDGE_LIST.source(
                                                Parameters.of("file", list.toString())))
                                .hash(0, true));
        assertThat(Files.readString(back)).isEqualTo(Files.readString(list));
        FileInspection found =
                FileInspection.of(file, format, Parameters.of("file", file.toString()));
        assertThat(found.rows()).isEqualTo(3);
        assertThat(found.vertices()).isEqualTo(3);
        assertThat(found.columns())
                .containsExactly(
                        new FileInspection.Column("source", "long"),
                        new FileInspection.Column("target", "long"),
                        new FileInspection.Column("weight", "float"));
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void showsATableThatHasNoColumnsOfEnds(FileFormat format) throws IOException {
        Path file =
                write(
                        "t." + format.title(),
                        format,
                        List.of(
                                column("a", TableColumn.Kind.STRING),
                                column("b", TableColumn.Kind.DOUBLE)),
                        "x 1");

        FileInspection found =
                FileInspection.of(file, format, Parameters.of("file", file.toString()));

        assertThat(found.rows()).isEqualTo(1);
        assertThat(found.hint()).contains("there is no column \"source\", only a, b");
    }
}
