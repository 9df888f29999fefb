package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * A graph of LDBC Graphalytics as its properties file describes it: lines {@code graph.NAME.KEY =
 * VALUE}. Immutable.
 */
public final class GraphalyticsDataset {
    private static final String SUFFIX = ".properties";
    private static final long MAX_BYTES = 1 << 20;

    private final Path file;
    private final String name;
    private final Map<String, Property> properties;

    private record Property(String value, int line) {}

    private GraphalyticsDataset(Path file, String name, Map<String, Property> properties) {
        this.file = file;
        this.name = name;
        this.properties = properties;
    }

    /**
     * Reads a properties file.
     *
     * @param file {@code NAME.properties}; vertex and edge files lie beside it
     * @throws InvalidInputException with file, line and reason if it makes no sense
     */
    public static GraphalyticsDataset read(Path file) throws IOException {
        String fileName = String.valueOf(file.getFileName());
        if (!fileName.endsWith(SUFFIX)) {
            throw new InvalidInputException(
                    file + ": the name of a properties file ends with " + SUFFIX);
        }
        if (!Files.isRegularFile(file)) {
            throw new InvalidInputException(file + ": there is no such file (check the path)");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new InvalidInputException(file + ": too large to be a properties file");
        }
        String name = fileName.substring(0, fileName.length() - SUFFIX.length());
        List<String> lines = Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
        Map<String, Property> properties = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && line.charAt(0) != '#' && line.charAt(0) != '!') {
                put(properties, file, name, line, i + 1);
            }
        }
        return new GraphalyticsDataset(file, name, properties);
    }

    /** The graph's name: that of the file. */
    public String name() {
        return name;
    }

    /** The file that was read. */
    public Path file() {
        return file;
    }

    /** Whether edges have a direction. */
    public boolean directed() {
        Property property = require("directed", "which says whether edges have a direction");
        return switch (property.value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(property, "directed", "true or false");
        };
    }

    /** Whether edges have weights. */
    public boolean weighted() {
        return !list("edge-properties.names").isEmpty();
    }

    /** The vertex file and the edge file, which it may name itself. */
    public List<Path> files() {
        return List.of(Path.of(beside("vertex-file", ".v")), Path.of(beside("edge-file", ".e")));
    }

    /** Names of the algorithms that it lists, in its order; empty if it lists none. */
    public List<String> algorithms() {
        return list("algorithms");
    }

    /** Line of the list of algorithms, for complaints. */
    public int algorithmsLine() {
        return find("algorithms").map(Property::line).orElse(0);
    }

    /**
     * Parameters for the edge source {@code graphalytics}.
     *
     * @param weighted whether edges get their weights
     * @throws InvalidInputException if that is wanted of a graph without weights
     */
    public Parameters source(boolean weighted) {
        if (weighted && !weighted()) {
            throw new InvalidInputException(
                    file + ": edges have no weights: there is no " + key("edge-properties.names"));
        }
        Parameters source =
                Parameters.of(GraphalyticsSource.VERTICES, beside("vertex-file", ".v"))
                        .with(GraphalyticsSource.EDGES, beside("edge-file", ".e"))
                        .with(GraphalyticsSource.WEIGHTED, weighted);
        source = promise(source, GraphalyticsSource.VERTEX_COUNT, "meta.vertices");
        return promise(source, GraphalyticsSource.EDGE_COUNT, "meta.edges");
    }

    /**
     * Refuses a graph that has other vertices than the vertex file: an id may stand there once, and
     * all ends of edges must. Reads the vertex file once more.
     *
     * @param made number of vertices that the edge source has led to
     * @throws InvalidInputException with file and line if there is another number of ids
     */
    public void requireVertices(long made) throws IOException {
        Parameters source = source(false);
        TextFile vertices =
                TextFile.open(Parameters.of("file", source.text(GraphalyticsSource.VERTICES)));
        if (GraphalyticsAudit.count(vertices) == made) {
            return;
        }
        Parameters edges = Parameters.of("file", source.text(GraphalyticsSource.EDGES));
        new GraphalyticsAudit(vertices, TextFile.openUnlessEmpty(edges)).require();
    }

    /**
     * Refuses a weight that is not what edges have after their ends: only the first of several
     * properties can be read.
     *
     * @param key the property that names it, for example {@code sssp.weight-property}
     */
    public void requireFirstWeight(String key) {
        List<String> names = list("edge-properties.names");
        Optional<Property> property = find(key);
        if (property.isPresent()
                && !names.isEmpty()
                && !property.get().value.equals(names.getFirst())) {
            throw wrong(property.get(), key, "\"" + names.getFirst() + "\", the first of edges'");
        }
    }

    /** An original id; unsigned. */
    public long id(String key, String purpose) {
        Property property = require(key, purpose);
        try {
            return Long.parseUnsignedLong(property.value);
        } catch (NumberFormatException _) {
            throw wrong(property, key, "a vertex id");
        }
    }

    /** A whole number of at least 1. */
    public int count(String key, String purpose) {
        Property property = require(key, purpose);
        long value = whole(property, key);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw wrong(property, key, "a whole number from 1 to " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    /** A number. */
    public double number(String key, String purpose) {
        Property property = require(key, purpose);
        try {
            double value = Double.parseDouble(property.value);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException _) {
            throw wrong(property, key, "a number");
        }
        throw wrong(property, key, "a finite number");
    }

    private static void put(
            Map<String, Property> properties, Path file, String name, String line, int number) {
        int equals = line.indexOf('=');
        String key = equals < 0 ? line : line.substring(0, equals).strip();
        String prefix = "graph." + name + ".";
        if (equals < 0 || !key.startsWith(prefix)) {
            throw new InvalidInputException(
                    "%s:%d: expected \"%s… = …\", found %s"
                            .formatted(file, number, prefix, Quote.of(line)));
        }
        Property older =
                properties.put(
                        key.substring(prefix.length()),
                        new Property(line.substring(equals + 1).strip(), number));
        if (older != null) {
            throw new InvalidInputException(
                    "%s:%d: %s stands in line %d already".formatted(file, number, key, older.line));
        }
    }

    private Optional<Property> find(String key) {
        return Optional.ofNullable(properties.get(key));
    }

    private Property require(String key, String purpose) {
        return find(key)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "%s: there is no %s, %s".formatted(file, key(key), purpose)));
    }

    private List<String> list(String key) {
        return find(key).map(Property::value).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    /** A file beside this one: by the usual name, or by the one that is given. */
    private String beside(String key, String suffix) {
        Path usual = file.resolveSibling(name + suffix);
        if (Files.exists(usual) || find(key).isEmpty()) {
            return usual.toString();
        }
        return file.resolveSibling(require(key, "").value).normalize().toString();
    }

    private Parameters promise(Parameters source, String parameter, String key) {
        Optional<Property> property = find(key);
        if (property.isEmpty()) {
            return source;
        }
        long value = whole(property.get(), key);
        if (value < 0) {
            throw wrong(property.get(), key, "a whole number of 0 or more");
        }
        return source.with(parameter, value);
    }

    private long whole(Property property, String key) {
        try {
            return Long.parseLong(property.value);
        } catch (NumberFormatException _) {
            throw wrong(property, key, "a whole number");
        }
    }

    private InvalidInputException wrong(Property property, String key, String expected) {
        return new InvalidInputException(
                "%s:%d: %s must be %s, found %s"
                        .formatted(
                                file, property.line, key(key), expected, Quote.of(property.value)));
    }

    private String key(String key) {
        return "graph." + name + "." + key;
    }
}
