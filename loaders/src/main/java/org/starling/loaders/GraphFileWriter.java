package org.starling.loaders;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableColumn;
import org.starling.loaders.table.TableFormat;
import org.starling.loaders.table.TableWriter;

/** Writes a table of edges in a format. Confined to one thread. */
final class GraphFileWriter {
    private final EdgeTable table;
    private @Nullable EdgeRows rows;

    GraphFileWriter(EdgeTable table) {
        this.table = table;
    }

    /**
     * Writes all.
     *
     * @param commas whether an edge list has a header and commas
     */
    void write(OutputStream out, FileFormat format, boolean commas) throws IOException {
        switch (format) {
            case EDGE_LIST -> writeEdgeList(out, commas);
            case MATRIX_MARKET -> writeMatrix(out);
            case DIMACS -> writeArcs(out);
            case GRAPHML -> GraphMlText.write(drawn(), out);
            case METIS -> writeMetis(out);
            case GAP -> writeGap(out);
            case GRAPH500 -> writeBinary(out, EdgeFileFormat.GRAPH500);
            case GRAPH500_PACKED -> writeBinary(out, EdgeFileFormat.GRAPH500_PACKED);
            case DOT -> {
                DotText.requireSmall(table);
                DotText.write(drawn(), out);
            }
            case PARQUET -> writeTable(out, TableFormat.PARQUET);
            case ARROW -> writeTable(out, TableFormat.ARROW);
            case GRAPHALYTICS, GML, LIGRA, WEBGRAPH, NTRIPLES ->
                    throw new IllegalArgumentException(format.title() + " is not written");
        }
    }

    /** Edges that were left out because both ends are the same. */
    long selfLoops() {
        EdgeRows made = rows;
        return made == null ? 0 : made.selfLoops();
    }

    /** Edges that were left out because there was an equal one. */
    long duplicates() {
        EdgeRows made = rows;
        return made == null ? 0 : made.duplicates();
    }

    private void writeEdgeList(OutputStream out, boolean commas) throws IOException {
        if (table.textIds()) {
            requireLines();
            writeTable(out, commas ? TableFormat.CSV : TableFormat.TSV);
            return;
        }
        char between = commas ? ',' : '\t';
        if (commas) {
            put(out, table.weighted() ? "source,target,weight:float\n" : "source,target\n");
        }
        for (int edge = 0; edge < table.edges(); edge++) {
            String ends =
                    Long.toUnsignedString(table.source(edge))
                            + between
                            + Long.toUnsignedString(table.target(edge));
            put(out, table.weighted() ? ends + between + weight(edge) + '\n' : ends + '\n');
        }
    }

    /** Fields of an edge list end on their line. */
    private void requireLines() {
        for (long vertex = 0; vertex < table.vertices(); vertex++) {
            String name = table.name(table.id(vertex));
            if (name.indexOf('\n') >= 0 || name.indexOf('\r') >= 0) {
                throw new InvalidInputException(
                        "the id %s has a line break, and fields of edge lists end on their line (write parquet or arrow)"
                                .formatted(Quote.of(name)));
            }
        }
    }

    private void writeTable(OutputStream out, TableFormat format) throws IOException {
        List<TableColumn> columns = new ArrayList<>();
        TableColumn.Kind ids = table.textIds() ? TableColumn.Kind.STRING : TableColumn.Kind.ID;
        columns.add(TableColumn.of(TableColumns.SOURCE, ids));
        columns.add(TableColumn.of(TableColumns.TARGET, ids));
        if (table.weighted()) {
            columns.add(TableColumn.of(SourceOptions.WEIGHT, TableColumn.Kind.FLOAT));
        }
        TableWriter writer = format.begin(out, columns);
        TableBatch batch = new TableBatch(columns);
        for (int edge = 0; edge < table.edges(); edge++) {
            putId(batch, 0, table.source(edge));
            putId(batch, 1, table.target(edge));
            if (table.weighted()) {
                batch.putDouble(2, table.weight(edge));
            }
            batch.endRow();
            if (batch.isFull()) {
                writer.write(batch);
                batch.clear();
            }
        }
        writer.write(batch);
        writer.end();
    }

    private void putId(TableBatch batch, int column, long id) {
        if (table.textIds()) {
            batch.putText(column, table.name(id));
        } else {
            batch.putLong(column, id);
        }
    }

    private void writeMatrix(OutputStream out) throws IOException {
        String field = !table.weighted() ? "pattern" : areWhole() ? "integer" : "real";
        put(
                out,
                "%s matrix coordinate %s %s\n%d %d %d\n"
                        .formatted(
                                MatrixMarketHeader.BANNER,
                                field,
                                table.directed() ? "general" : "symmetric",
                                table.vertices(),
                                table.vertices(),
                                table.edges()));
        for (int edge = 0; edge < table.edges(); edge++) {
            long row = table.rank(table.source(edge)) + 1;
            long column = table.rank(table.target(edge)) + 1;
            boolean below = table.directed() || row >= column; // one triangle stands for both
            String ends = below ? row + " " + column : column + " " + row;
            put(out, table.weighted() ? ends + " " + weight(edge) + "\n" : ends + "\n");
        }
    }

    private void writeArcs(OutputStream out) throws IOException {
        long loops = 0;
        for (int edge = 0; edge < table.edges(); edge++) {
            loops += table.source(edge) == table.target(edge) ? 1 : 0;
        }
        long arcs = table.directed() ? table.edges() : 2L * table.edges() - loops;
        put(out, "p sp %d %d\n".formatted(table.vertices(), arcs));
        for (int edge = 0; edge < table.edges(); edge++) {
            long source = table.rank(table.source(edge)) + 1;
            long target = table.rank(table.target(edge)) + 1;
            put(out, "a " + source + " " + target + " " + weight(edge) + "\n");
            if (!table.directed() && source != target) {
                put(out, "a " + target + " " + source + " " + weight(edge) + "\n");
            }
        }
    }

    private DrawnGraph drawn() {
        return new DrawnGraph(
                table.directed(),
                table.weighted(),
                table.vertices(),
                vertex -> table.name(table.id(vertex)),
                List.of(),
                () -> IntStream.range(0, table.edges()).mapToObj(this::drawnEdge).iterator());
    }

    private DrawnGraph.Edge drawnEdge(int edge) {
        return new DrawnGraph.Edge(
                table.name(table.source(edge)), table.name(table.target(edge)), table.weight(edge));
    }

    private void writeMetis(OutputStream out) throws IOException {
        EdgeRows made = new EdgeRows(table, false);
        rows = made;
        put(
                out,
                "%d %d%s\n"
                        .formatted(
                                made.vertices(), made.entries() / 2, table.weighted() ? " 1" : ""));
        for (int vertex = 0; vertex < made.vertices(); vertex++) {
            StringBuilder row = new StringBuilder();
            for (int i = made.first(vertex); i < made.first(vertex + 1); i++) {
                row.append(row.isEmpty() ? "" : " ").append(made.target(i) + 1L);
                if (table.weighted()) {
                    if (made.weight(i) == 0) {
                        throw new InvalidInputException(
                                "an edge has the weight 0, and METIS has only greater ones (write another format)");
                    }
                    row.append(' ').append(text(made.weight(i)));
                }
            }
            put(out, row.append('\n').toString());
        }
    }

    private void writeGap(OutputStream out) throws IOException {
        if (table.weighted() && !areWhole()) {
            throw new InvalidInputException(
                    "weights of a serialized graph are whole numbers of 32 bits, and some of these are none (leave weights out, or write another format)");
        }
        EdgeRows made = new EdgeRows(table, false);
        rows = made;
        ByteBuffer header = buffer(GapLayout.HEADER_BYTES);
        header.put((byte) (table.directed() ? 1 : 0));
        header.putLong(made.entries()).putLong(made.vertices());
        put(out, header);
        writeGap(out, made);
        if (table.directed()) {
            writeGap(out, new EdgeRows(table, true));
        }
    }

    private void writeGap(OutputStream out, EdgeRows made) throws IOException {
        ByteBuffer number = buffer(Long.BYTES);
        for (int vertex = 0; vertex <= made.vertices(); vertex++) {
            put(out, number.putLong(0, made.first(vertex)));
        }
        ByteBuffer entry = buffer(table.weighted() ? 2 * Integer.BYTES : Integer.BYTES);
        for (int i = 0; i < made.entries(); i++) {
            entry.putInt(0, made.target(i));
            if (table.weighted()) {
                entry.putInt(Integer.BYTES, (int) made.weight(i));
            }
            put(out, entry);
        }
    }

    private void writeBinary(OutputStream out, EdgeFileFormat format) throws IOException {
        ByteBuffer record = buffer(format.recordBytes());
        for (int edge = 0; edge < table.edges(); edge++) {
            long source = table.source(edge);
            long target = table.target(edge);
            if (source < 0
                    || source > Graph500Source.MAX_ID
                    || target < 0
                    || target > Graph500Source.MAX_ID) {
                throw new InvalidInputException(
                        "an edge from %s to %s does not fit: ids of %s are below 2^48 (write another format)"
                                .formatted(
                                        Long.toUnsignedString(source),
                                        Long.toUnsignedString(target),
                                        format.title()));
            }
            record.clear();
            format.put(record, source, target);
            put(out, record);
        }
    }

    /** The weights of a binary file's edges, which stand in a file of their own. */
    void writeWeights(OutputStream out) throws IOException {
        ByteBuffer weight = buffer(Float.BYTES);
        for (int edge = 0; edge < table.edges(); edge++) {
            put(out, weight.putFloat(0, table.weight(edge)));
        }
    }

    private boolean areWhole() {
        for (int edge = 0; edge < table.edges(); edge++) {
            float weight = table.weight(edge);
            if (weight != (int) weight) {
                return false;
            }
        }
        return true;
    }

    private String weight(int edge) {
        return text(table.weight(edge));
    }

    /** A weight as texts have it. */
    static String text(float weight) {
        return weight == (int) weight ? Integer.toString((int) weight) : Float.toString(weight);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void put(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All of a buffer, wherever it stands. */
    private static void put(OutputStream out, ByteBuffer bytes) throws IOException {
        byte[] copy = new byte[bytes.capacity()];
        bytes.get(0, copy);
        out.write(copy);
    }
}
