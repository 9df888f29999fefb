package org.starling.tasks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.starling.loaders.GraphalyticsProvider;
import org.starling.loaders.UnpackedText;

/**
 * Tells METIS files from edge lists, by name and by their first lines.
 *
 * <p>Without a telling name a file is METIS if its first line is a possible header ({@code vertices
 * edges [fmt [ncon]]} with no more edges than fit) and the lines after it are lists of neighbours
 * of different lengths; the lines of an edge list all have the same number of fields. A METIS file
 * in which every vertex has as many neighbours as the header has fields is taken for an edge list:
 * then the script must say what it is.
 */
final class GraphFileProbe {
    static final String EDGE_LIST = "edgelist";
    static final String METIS = "metis";
    static final String GRAPHALYTICS = GraphalyticsProvider.NAME;

    /** Bytes looked at, after unpacking; a cut last line is left out. */
    private static final int PROBED_BYTES = 1 << 16;

    private static final int MIN_HEADER_FIELDS = 2;
    private static final int MAX_HEADER_FIELDS = 4;
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");
    private static final Pattern WHOLE_NUMBERS = Pattern.compile("\\d{1,18}([ \\t]+\\d{1,18})*+");

    private GraphFileProbe() {}

    /** Name of the edge source that reads the file. */
    static String format(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (name.endsWith(".gz")) {
            name = name.substring(0, name.length() - ".gz".length());
        }
        if (name.endsWith(".properties")) {
            return GRAPHALYTICS;
        }
        boolean metis =
                name.endsWith(".graph") || name.endsWith(".metis") || looksLikeMetis(lines(file));
        return metis ? METIS : EDGE_LIST;
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
            if (row.startsWith("%")) {
                continue;
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

    private static List<String> lines(Path file) throws IOException {
        byte[] bytes;
        try (InputStream stream = UnpackedText.open(file)) {
            bytes = stream.readNBytes(PROBED_BYTES);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> lines = new ArrayList<>(text.lines().toList());
        if (bytes.length == PROBED_BYTES && !lines.isEmpty()) {
            lines.removeLast();
        }
        return lines;
    }
}
