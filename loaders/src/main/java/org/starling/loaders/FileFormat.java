package org.starling.loaders;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.loaders.table.TableFormat;

/** The formats of files that graphs are read from, with the names that scripts give them. */
@SuppressWarnings("ImmutableEnumChecker") // makers have no state, the lists are copies
public enum FileFormat {
    /** Lines of two ids, and perhaps a weight or columns that a header names. */
    EDGE_LIST("edgelist", EdgeListSource::new, "el", "wel", "csv", "tsv", "edges"),
    /** A line of neighbours for each vertex. */
    METIS("metis", MetisSource::new, "graph", "metis"),
    /** The datasets of LDBC Graphalytics. */
    GRAPHALYTICS("graphalytics", GraphalyticsSource::new, "properties"),
    /** Sparse matrices. */
    MATRIX_MARKET("mtx", MatrixMarketSource::new, "mtx"),
    /** Arcs of road networks, edges of colouring problems. */
    DIMACS("dimacs", DimacsSource::new, "gr", "dimacs", "col"),
    /** Serialized graphs of the GAP Benchmark Suite. */
    GAP("gap", GapSource::new, "sg", "wsg"),
    /** Binary edges of 16 bytes. */
    GRAPH500(
            "graph500",
            parameters -> new Graph500Source(parameters, EdgeFileFormat.GRAPH500),
            "graph500"),
    /** Binary edges of 12 bytes. */
    GRAPH500_PACKED(
            "graph500-packed",
            parameters -> new Graph500Source(parameters, EdgeFileFormat.GRAPH500_PACKED),
            "graph500-packed"),
    /** XML with attributes. */
    GRAPHML("graphml", parameters -> new ElementSource(parameters, GraphMlFile::new), "graphml"),
    /** Nested lists of keys and values. */
    GML("gml", parameters -> new ElementSource(parameters, GmlFile::new), "gml"),
    /** Rows of targets with the index of each vertex's first. */
    LIGRA("ligra", LigraSource::new, "adj"),
    /** Compressed lists of successors, with properties beside them. */
    WEBGRAPH("webgraph", WebGraphSource::new, "graph"),
    /** Tables by columns, of Apache Parquet. */
    PARQUET("parquet", parameters -> new ColumnSource(parameters, TableFormat.PARQUET), "parquet"),
    /** Tables by columns, of Apache Arrow: files, also called Feather, and streams. */
    ARROW(
            "arrow",
            parameters -> new ColumnSource(parameters, TableFormat.ARROW),
            "arrow",
            "feather",
            "ipc",
            "arrows"),
    /** Triples of RDF. */
    NTRIPLES("ntriples", TripleSource::new, "nt", "ntriples"),
    /** Small graphs for programs that draw; written, not read. */
    DOT("dot", FileFormat::refuseDot, "dot", "gv");

    private final String title;
    private final Function<Parameters, EdgeSource> maker;
    private final List<String> endings;

    FileFormat(String title, Function<Parameters, EdgeSource> maker, String... endings) {
        this.title = title;
        this.maker = maker;
        this.endings = List.of(endings);
    }

    /** The name in scripts, which is that of the edge source. */
    public String title() {
        return title;
    }

    /** Whether graphs are read from such files. */
    public boolean isRead() {
        return this != DOT;
    }

    /**
     * Whether files are tables of edges: columns have names, several files are one table, and
     * tables of vertices may stand beside them.
     */
    public boolean isTable() {
        return this == EDGE_LIST || isByColumns();
    }

    /** Whether ids of such files are always texts. */
    public boolean hasTextIds() {
        return this == NTRIPLES;
    }

    /** Whether lines of such files that make no sense can be passed over. */
    public boolean isOfLines() {
        return this == EDGE_LIST || this == NTRIPLES;
    }

    /** Whether such files are binary, and store tables column by column. */
    public boolean isByColumns() {
        return this == PARQUET || this == ARROW;
    }

    /**
     * The format of that name.
     *
     * @throws InvalidInputException if there is none
     */
    public static FileFormat named(String name) {
        List<String> titles = new ArrayList<>();
        for (FileFormat format : values()) {
            if (format.title.equals(name)) {
                return format;
            }
            if (format.isRead()) {
                titles.add(format.title);
            }
        }
        throw new InvalidInputException(
                "\"format\" must be one of %s, found \"%s\""
                        .formatted(String.join(", ", titles), name));
    }

    /**
     * The format that the ending of a file's name tells, whatever it is packed with; {@code .graph}
     * is METIS.
     */
    public static Optional<FileFormat> ofName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        String bare = name.substring(0, name.length() - Packing.named(file).ending().length());
        for (FileFormat format : values()) {
            for (String ending : format.endings) {
                if (bare.endsWith("." + ending)) {
                    return Optional.of(format);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a file is a {@code .graph} of WebGraph: properties beside it say so.
     *
     * @throws InvalidInputException if the file is these properties, or such a graph compressed
     *     once more
     */
    public static boolean isWebGraph(Path file) throws IOException {
        return WebGraphHeader.isBeside(file);
    }

    /** A source that reads such a file; nothing is read yet. */
    public EdgeSource source(Parameters parameters) {
        return maker.apply(parameters);
    }

    /**
     * Whether a file says that its edges have directions; false if it says nothing.
     *
     * @param parameters as for {@link #source}
     * @throws InvalidInputException if it can't be read
     */
    public boolean directed(Parameters parameters) throws IOException {
        return source(parameters) instanceof Oriented file && file.directed();
    }

    private static EdgeSource refuseDot(Parameters parameters) {
        throw new InvalidInputException(
                "%s: DOT is written but not read; load the file that it was made of, or say \"format\""
                        .formatted(parameters.text("file")));
    }
}
