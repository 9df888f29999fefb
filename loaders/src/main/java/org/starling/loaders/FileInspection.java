package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.SourceDescription;
import org.starling.graph.TextId;
import org.starling.loaders.table.ColumnFile;
import org.starling.loaders.table.TableColumn;
import org.starling.loaders.table.TableFormat;

/**
 * What a file is, from a look at its first bytes, a few places or, where nothing else tells, all of
 * it. Immutable.
 *
 * @param format its format
 * @param packing how it is packed
 * @param columns what an edge has: its ends, its weight, its properties
 * @param vertexColumns what a vertex has beside its id
 * @param rows edges, or lines where it is not known which columns are their ends
 * @param rowsEstimated whether that is a guess
 * @param vertices vertices, about as exact
 * @param directed whether the file says that edges have directions
 * @param weighted whether they have weights
 * @param first the first lines or edges, for people
 * @param hint what to say when the graph is loaded; empty if nothing needs to be
 */
public record FileInspection(
        FileFormat format,
        Packing packing,
        List<Column> columns,
        List<Column> vertexColumns,
        long rows,
        boolean rowsEstimated,
        long vertices,
        boolean directed,
        boolean weighted,
        List<String> first,
        String hint) {
    /** Edges or lines that are shown. */
    private static final int SHOWN = 5;

    private static final int SHOWN_CHARACTERS = 100;

    /** A column and its type; {@code ?} behind it where fields are empty. */
    public record Column(String name, String type) {}

    /**
     * Looks at a file.
     *
     * @param parameters as for loading it
     * @throws InvalidInputException if it is not what its format says
     */
    public static FileInspection of(Path file, FileFormat format, Parameters parameters)
            throws IOException {
        // Bits of lists may look like what packed files begin with.
        Packing packing = format == FileFormat.WEBGRAPH ? Packing.NONE : Packing.of(file);
        if (format == FileFormat.EDGE_LIST) {
            FileInspection table = unknownTable(packing, parameters);
            if (table != null) {
                return table;
            }
        }
        if (format.isByColumns()) {
            return ofColumns(file, format, parameters);
        }
        EdgeSource source = format.source(parameters);
        SourceDescription says = source.describe();
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(parameters.text("source", "source"), "id"));
        columns.add(new Column(parameters.text("target", "target"), "id"));
        if (says.weighted()) {
            columns.add(new Column(parameters.text("weight", "weight"), "float"));
        }
        says.edgeProperties().forEach(one -> columns.add(column(one)));
        return new FileInspection(
                format,
                packing,
                List.copyOf(columns),
                says.vertexProperties().stream().map(FileInspection::column).toList(),
                says.edgeCount(),
                format.isOfLines() && !isCounted(parameters),
                says.vertexCount(),
                source instanceof Oriented oriented && oriented.directed(),
                says.weighted(),
                firstEdges(source, says),
                "");
    }

    /** A file that stores a table by columns; what can't be loaded as it is has a hint. */
    private static FileInspection ofColumns(Path file, FileFormat format, Parameters parameters)
            throws IOException {
        ColumnFile table = ColumnFile.open(file, TableFormat.named(format.title()));
        String hint = "";
        try {
            ColumnRoles.ofEdges(table, parameters, Set.of());
        } catch (InvalidInputException reason) {
            hint = String.valueOf(reason.getMessage());
        }
        EdgeSource source = format.source(parameters);
        SourceDescription says = hint.isEmpty() ? source.describe() : null;
        return new FileInspection(
                format,
                Packing.NONE,
                table.columns().stream().map(FileInspection::column).toList(),
                List.of(),
                table.rows(),
                false,
                says == null ? 0 : says.vertexCount(),
                false,
                says != null && says.weighted(),
                says == null ? List.of() : firstEdges(source, says),
                hint);
    }

    private static Column column(ColumnFile.Column column) {
        TableColumn.Kind kind = column.kind();
        return new Column(
                column.name(),
                kind == null
                        ? column.type()
                        : kind == TableColumn.Kind.ID
                                ? "long"
                                : kind.name().toLowerCase(Locale.ROOT));
    }

    private static Column column(Property property) {
        return new Column(property.name(), property.typeName());
    }

    /** Whether an edge list is so small that all of it was looked at. */
    private static boolean isCounted(Parameters parameters) throws IOException {
        TextFile text = TextFile.open(parameters);
        return !text.isPacked()
                && text.fileBytes() <= EdgeListSample.WINDOWS * EdgeListSample.WINDOW_BYTES;
    }

    private static List<String> firstEdges(EdgeSource source, SourceDescription says)
            throws IOException {
        List<String> first = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        EdgeSink sink =
                new EdgeSink() {
                    @Override
                    public long number(byte[] utf8, int offset, int length) {
                        TextId.require(utf8, offset, length);
                        texts.add(new String(utf8, offset, length, StandardCharsets.UTF_8));
                        return texts.size() - 1L;
                    }

                    private String shown(long id) {
                        return says.textIds()
                                ? TextId.field(texts.get((int) id))
                                : Long.toUnsignedString(id);
                    }

                    @Override
                    public void edge(long from, long to, float weight) {
                        first.add(
                                shown(from)
                                        + " "
                                        + shown(to)
                                        + (says.weighted() ? " " + weight : ""));
                        if (first.size() == SHOWN) {
                            throw new Enough();
                        }
                    }

                    @Override
                    public void vertex(long id) {
                        // edges are shown
                    }
                };
        try {
            source.read(0, sink);
        } catch (Enough enough) {
            return first;
        }
        return first;
    }

    /** Ends the reading of a part of which enough is known. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        Enough() {
            super("enough was seen", null, false, false);
        }
    }

    /**
     * A table whose header does not say which columns are the ends, or whose ends are texts; null
     * if it is another file.
     */
    private static @Nullable FileInspection unknownTable(Packing packing, Parameters parameters)
            throws IOException {
        TextFile text = TextFile.open(parameters);
        long header;
        try (ByteCursor cursor = text.cursor()) {
            if (!DataLines.findFirst(cursor) || (cursor.peek() >= '0' && cursor.peek() <= '9')) {
                return null;
            }
            header = cursor.offset();
        }
        Separator separator =
                parameters.has("separator")
                        ? Separator.named(parameters.text("separator"))
                        : Separator.ofColumns(text, header);
        FieldReader fields = new FieldReader(separator);
        List<String> names;
        try (ByteCursor cursor = text.cursorAt(header)) {
            names = fields.readLine(cursor);
        }
        if (names == null || names.size() < 2) {
            return null;
        }
        names = Neo4jHeader.ofEdges(text.where(header), names);
        boolean isKnown =
                parameters.has("source")
                        || parameters.has("target")
                        || TableColumns.isHeader(names, parameters);
        List<Column> columns = new ArrayList<>();
        List<TypeGuess> guesses = TableColumns.guesses(text, separator, names.size(), header);
        for (int i = 0; i < names.size(); i++) {
            columns.add(column(names.get(i).strip(), guesses.get(i)));
        }
        List<String> found = columns.stream().map(Column::name).toList();
        int from = isKnown ? found.indexOf(parameters.text("source", "source")) : 0;
        int to = isKnown ? found.indexOf(parameters.text("target", "target")) : 1;
        boolean areTexts =
                from >= 0 && to >= 0 && areTexts(List.of(guesses.get(from), guesses.get(to)));
        if (isKnown && !areTexts) {
            return null;
        }
        EdgeListSample.Estimate estimate =
                EdgeListSample.of(text, new EdgeListFormat(separator, false));
        return new FileInspection(
                FileFormat.EDGE_LIST,
                packing,
                List.copyOf(columns),
                List.of(),
                Math.max(0, estimate.lines() - 1),
                !isCounted(parameters),
                0,
                false,
                false,
                firstLines(text, header),
                isKnown
                        ? "say that ids are texts: \"ids\": \"text\""
                        : "say which columns hold the ends of edges: \"source\": \"%s\", \"target\": \"%s\"%s"
                                .formatted(
                                        columns.get(0).name,
                                        columns.get(1).name,
                                        areTexts ? ", \"ids\": \"text\"" : ""));
    }

    /** With the type that the header says, or else the one that its values have. */
    private static Column column(String header, TypeGuess guess) {
        int colon = header.lastIndexOf(':');
        return colon > 0
                ? new Column(header.substring(0, colon), header.substring(colon + 1))
                : new Column(header, guess.type() + (guess.hasEmpties() ? "?" : ""));
    }

    private static boolean areTexts(List<TypeGuess> ends) {
        return ends.stream().anyMatch(end -> end.type() == PropertyType.STRING);
    }

    private static List<String> firstLines(TextFile text, long header) throws IOException {
        List<String> first = new ArrayList<>();
        try (ByteCursor cursor = text.cursorAt(header)) {
            while (first.size() < SHOWN && cursor.peek() != ByteCursor.END) {
                String line = text.line(cursor.offset());
                first.add(line.substring(0, Math.min(SHOWN_CHARACTERS, line.length())));
                cursor.skipLine();
            }
        }
        return first;
    }
}
