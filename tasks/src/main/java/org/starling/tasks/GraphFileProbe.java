package org.starling.tasks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.loaders.FileFormat;
import org.starling.loaders.UnpackedText;

/**
 * Tells formats of files, by name and by their first bytes.
 *
 * <p>Binary formats are told by their names alone, whatever their bytes look like, and WebGraph by
 * the properties beside it. Of the others, what has a word or a banner of its own is told by that,
 * and then by its name. Names of lists ({@code .csv}, {@code .el} and the like) go before what
 * follows: GML has {@code graph [} behind nothing but comments and what it says of itself. Without
 * a telling name a file is METIS if its first line is a possible header ({@code vertices edges [fmt
 * [ncon]]} with no more edges than fit) and the lines after it are lists of neighbours of different
 * lengths; the lines of an edge list all have the same number of fields. A METIS file in which
 * every vertex has as many neighbours as the header has fields is taken for an edge list: then the
 * script must say what it is.
 */
final class GraphFileProbe {
    /** Bytes looked at, after unpacking; a cut last line is left out. */
    private static final int PROBED_BYTES = 1 << 16;

    private static final int MIN_HEADER_FIELDS = 2;
    private static final int MAX_HEADER_FIELDS = 4;
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");
    private static final Pattern WHOLE_NUMBERS = Pattern.compile("\\d{1,18}([ \\t]+\\d{1,18})*+");
    private static final Pattern DIMACS_HEADER = Pattern.compile("p[ \\t]++(sp|edge|col)[ \\t]");
    private static final Pattern GML_SAYS = Pattern.compile("(Creator|Version|Comment)[ \\t]++\\S");
    private static final Pattern GML_GRAPH_OPENS = Pattern.compile("\\bgraph[ \\t]*+\\[");
    private static final Pattern TRIPLE =
            Pattern.compile(
                    "[ \\t]*+(?:<[A-Za-z][A-Za-z0-9+.-]*+:[^ <>]*+>|_:[^ \\t<>\"]++)[ \\t]*+<[^ <>]++>[ \\t]*+[<_\"].*\\.[ \\t]*+(?:#.*+)?");
    private static final Set<FileFormat> BINARY =
            EnumSet.of(
                    FileFormat.GAP,
                    FileFormat.GRAPH500,
                    FileFormat.GRAPH500_PACKED,
                    FileFormat.PARQUET,
                    FileFormat.ARROW);

    private GraphFileProbe() {}

    /** The format of a file. */
    static FileFormat format(Path file) throws IOException {
        FileFormat named = FileFormat.ofName(file).orElse(null);
        if (named != null && BINARY.contains(named)) {
            return named;
        }
        if (FileFormat.isWebGraph(file)) {
            return FileFormat.WEBGRAPH;
        }
        byte[] first = first(file);
        String text = new String(first, StandardCharsets.ISO_8859_1);
        String begin = text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text;
        FileFormat told = byBanner(begin);
        if (told != null) {
            return told;
        }
        if (named == FileFormat.EDGE_LIST) {
            return FileFormat.EDGE_LIST;
        }
        if (looksLikeGml(begin.lines().toList())) {
            return FileFormat.GML;
        }
        if (named != null) {
            return named;
        }
        return looksLikeMetis(lines(first, text)) ? FileFormat.METIS : FileFormat.EDGE_LIST;
    }

    private static @Nullable FileFormat byBanner(String text) {
        if (text.regionMatches(true, 0, "%%MatrixMarket", 0, "%%MatrixMarket".length())) {
            return FileFormat.MATRIX_MARKET;
        }
        if (text.startsWith("AdjacencyGraph") || text.startsWith("WeightedAdjacencyGraph")) {
            return FileFormat.LIGRA;
        }
        if (text.startsWith("PAR1")) {
            return FileFormat.PARQUET;
        }
        if (text.startsWith("ARROW1\0") || text.startsWith("\u00FF\u00FF\u00FF\u00FF")) {
            return FileFormat.ARROW;
        }
        String begin = text.stripLeading();
        if (begin.startsWith("<?xml") || begin.startsWith("<!") || begin.startsWith("<graphml")) {
            return FileFormat.GRAPHML;
        }
        List<String> lines = text.lines().toList();
        if (looksLikeTriples(lines)) {
            return FileFormat.NTRIPLES;
        }
        return looksLikeDimacs(lines) ? FileFormat.DIMACS : null;
    }

    /** Whether a triple comes first, behind nothing but comments and empty lines. */
    private static boolean looksLikeTriples(List<String> lines) {
        for (String line : lines) {
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                return TRIPLE.matcher(line).matches();
            }
        }
        return false;
    }

    /** Whether the header is there, behind nothing but comments and empty lines. */
    private static boolean looksLikeDimacs(List<String> lines) {
        for (String line : lines) {
            boolean comment = line.equals("c") || line.startsWith("c ") || line.startsWith("c\t");
            if (!comment && !line.isBlank()) {
                return DIMACS_HEADER.matcher(line).lookingAt();
            }
        }
        return false;
    }

    /** Whether a graph opens, behind nothing but comments and what such files say of themselves. */
    private static boolean looksLikeGml(List<String> lines) {
        boolean named = false; // the word graph was a line of its own
        boolean said = false;
        for (String whole : lines) {
            String line = whole.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (named) {
                return line.startsWith("[");
            }
            said |= GML_SAYS.matcher(line).lookingAt();
            if (said && GML_GRAPH_OPENS.matcher(line).find()) {
                return true;
            }
            named = line.equals("graph");
            if (!named && !said) {
                return GML_GRAPH_OPENS.matcher(line).lookingAt();
            }
        }
        return false;
    }

    static boolean looksLikeMetis(List<String> lines) {
        int header = 0;
        while (header < lines.size() && lines.get(header).startsWith("%")) {
            header++;
        }
        if (header == lines.size() || !isHeader(lines.get(header))) {
            return false;
        }
        String[] counts = fields(lines.get(header));
        long vertices = Long.parseLong(counts[0]);
        boolean differentLengths = false;
        for (String line : lines.subList(header + 1, lines.size())) {
            String row = line.strip();
            if (row.startsWith("#")) {
                return false; // no comment of METIS
            }
            if (row.startsWith("%") || row.isEmpty()) {
                continue; // a vertex without neighbours tells nothing: lists have empty lines, too
            }
            String[] fields = fields(row);
            differentLengths |= fields.length != counts.length;
            if (counts.length == MIN_HEADER_FIELDS && !areNeighbours(row, fields, vertices)) {
                return false;
            }
        }
        return differentLengths;
    }

    private static boolean isHeader(String line) {
        if (!WHOLE_NUMBERS.matcher(line.strip()).matches()) {
            return false;
        }
        String[] fields = fields(line);
        if (fields.length < MIN_HEADER_FIELDS || fields.length > MAX_HEADER_FIELDS) {
            return false;
        }
        double vertices = Long.parseLong(fields[0]);
        double edges = Long.parseLong(fields[1]);
        return edges <= vertices * (vertices - 1) / 2;
    }

    /** Without weights (a header of two fields) a row is nothing but vertices, from 1. */
    private static boolean areNeighbours(String row, String[] fields, long vertices) {
        if (fields.length > 0 && !WHOLE_NUMBERS.matcher(row).matches()) {
            return false;
        }
        for (String field : fields) {
            long neighbour = Long.parseLong(field);
            if (neighbour < 1 || neighbour > vertices) {
                return false;
            }
        }
        return true;
    }

    private static String[] fields(String line) {
        return BLANKS.splitAsStream(line).filter(field -> !field.isEmpty()).toArray(String[]::new);
    }

    private static byte[] first(Path file) throws IOException {
        try (InputStream stream = UnpackedText.open(file)) {
            return stream.readNBytes(PROBED_BYTES);
        }
    }

    private static List<String> lines(byte[] bytes, String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        if (bytes.length == PROBED_BYTES && !lines.isEmpty()) {
            lines.removeLast();
        }
        return lines;
    }
}
