package org.starling.compute;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;

/**
 * Edges between vertices whose ids are texts, and a property of some of these: how long the text
 * is. A test keeps them in memory and names them to clusters of this process.
 */
public final class TextEdges implements EdgeSource {
    /** Name of the provider. */
    public static final String NAME = "test.texts";

    /** Name of the property. */
    public static final String LENGTH = "length";

    /** Texts that are easily taken for one another, or cut. */
    static final List<String> TRAPS =
            List.of(
                    "7",
                    "007",
                    "07",
                    "a b",
                    "a  b",
                    "a\tb",
                    " a",
                    "a ",
                    "\"a\"",
                    "a\"b",
                    "\u00E9",
                    "e\u0301",
                    "\uD83D\uDE00",
                    "\uFFFD",
                    "\uFB01",
                    "#note",
                    "%",
                    "-1",
                    "\u0000",
                    "a\nb",
                    "a,b;c",
                    "null",
                    "x".repeat(40_000),
                    "x".repeat(39_999) + "y");

    private static final Map<String, TextEdges> KNOWN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** An edge. */
    record Edge(String from, String to) {}

    private final int parts;
    private final boolean valued;
    private final List<Edge> edges = new ArrayList<>();
    private final List<String> vertices = new ArrayList<>();

    private TextEdges(int parts, boolean valued) {
        this.parts = parts;
        this.valued = valued;
    }

    /** None yet. */
    public static TextEdges inParts(int parts) {
        return new TextEdges(parts, false);
    }

    /** The same, whose vertices have the property. */
    public static TextEdges valued(int parts) {
        return new TextEdges(parts, true);
    }

    /** Random edges between some people and {@link #TRAPS}, with duplicates and self-loops. */
    public static TextEdges random(long seed, int people, int count) {
        return new TextEdges(5, false).fill(seed, people, count);
    }

    /** The same, whose vertices have the property. */
    public static TextEdges randomValued(long seed, int people, int count) {
        return new TextEdges(5, true).fill(seed, people, count);
    }

    private TextEdges fill(long seed, int people, int count) {
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(TRAPS);
        for (int i = 0; i < people; i++) {
            names.add("https://example.org/people/" + Integer.toString(random.nextInt(), 36));
        }
        for (int i = 0; i < count; i++) {
            edge(names.get(random.nextInt(names.size())), names.get(random.nextInt(names.size())));
        }
        names.forEach(this::vertex);
        return this;
    }

    /** Adds an edge. */
    public TextEdges edge(String from, String to) {
        edges.add(new Edge(from, to));
        return this;
    }

    /** Adds a vertex. */
    public TextEdges vertex(String id) {
        if (!valued || !vertices.contains(id)) {
            vertices.add(id);
        }
        return this;
    }

    /** Adds a vertex, whether or not it is there. */
    public TextEdges vertexAgain(String id) {
        vertices.add(id);
        return this;
    }

    /** Parameters that lead the provider to these edges. */
    public Parameters named() {
        String key = "texts-" + NUMBERS.incrementAndGet();
        KNOWN.put(key, this);
        return Parameters.of("key", key);
    }

    /** All ids in their order. */
    public SortedSet<String> ids() {
        SortedSet<String> ids = new TreeSet<>(TextEdges::compare);
        edges.forEach(edge -> ids.addAll(List.of(edge.from, edge.to)));
        ids.addAll(vertices);
        return ids;
    }

    /** Neighbours of all vertices in the undirected graph. */
    public SortedMap<String, SortedSet<String>> neighbours() {
        SortedMap<String, SortedSet<String>> rows = new TreeMap<>(TextEdges::compare);
        ids().forEach(id -> rows.put(id, new TreeSet<>(TextEdges::compare)));
        for (Edge edge : edges) {
            if (!edge.from.equals(edge.to)) {
                Objects.requireNonNull(rows.get(edge.from)).add(edge.to);
                Objects.requireNonNull(rows.get(edge.to)).add(edge.from);
            }
        }
        return rows;
    }

    /** The order of ids: that of their bytes, which is the order of their code points. */
    public static int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            if (left.charAt(i) != right.charAt(i)) {
                return Integer.compare(rank(left.charAt(i)), rank(right.charAt(i)));
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + Character.MAX_VALUE : unit;
    }

    /** Lines of a file; an end of a line in quotation marks is none. */
    public static List<String> lines(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> lines = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            quoted ^= text.charAt(at) == '"';
            if (text.charAt(at) == '\n' && !quoted) {
                lines.add(text.substring(from, at));
                from = at + 1;
            }
        }
        return lines;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public SourceDescription describe() {
        return new SourceDescription(
                parts,
                false,
                0,
                2L * edges.size() + vertices.size(),
                edges.size(),
                false,
                valued ? List.of(Property.of(LENGTH, PropertyType.INT)) : List.of(),
                List.of(),
                ids().stream().mapToLong(id -> utf8(id).length).sum(),
                true);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        for (int i = part; i < edges.size(); i += parts) {
            sink.edge(number(edges.get(i).from, sink), number(edges.get(i).to, sink), 1);
        }
        PropertyValues values = new PropertyValues(describe().vertexProperties());
        for (int i = part; i < vertices.size(); i += parts) {
            if (valued) {
                values.setLong(0, 0, vertices.get(i).length());
                sink.vertex(number(vertices.get(i), sink), values);
            } else {
                sink.vertex(number(vertices.get(i), sink));
            }
        }
        return new PartSummary(0, 0, edges.size(), 0);
    }

    private static long number(String id, EdgeSink sink) {
        byte[] utf8 = utf8("<" + id + ">");
        return sink.number(utf8, 1, utf8.length - 2);
    }

    /** Finds what tests have named. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return Objects.requireNonNull(KNOWN.get(parameters.text("key")));
        }
    }
}
