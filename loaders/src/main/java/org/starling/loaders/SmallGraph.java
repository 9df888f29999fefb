package org.starling.loaders;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;
import org.starling.graph.RowCursor;
import org.starling.graph.StateCursor;
import org.starling.graph.TextId;

/**
 * A graph that is small enough to be drawn, with columns of its vertices, whole in memory: vertices
 * by their places in the order of ids, and each edge once. Immutable.
 */
final class SmallGraph implements DrawnGraph {
    /** Most vertices that are written: nobody draws more. */
    static final int MAX_VERTICES = DotText.MAX_VERTICES;

    /** Most edges that are written. */
    static final int MAX_EDGES = DotText.MAX_EDGES;

    /** Most elements of all columns. */
    private static final long MAX_ELEMENTS = 1_000_000;

    private static final String NONE = "-1";

    private final GraphInfo info;
    private final List<String> ids;
    private final List<Values> columns;
    private final List<Edge> edges;

    /**
     * An edge between places.
     *
     * @param source its beginning; in an undirected graph the end whose id comes first
     * @param target its other end
     * @param weight 1 in a graph without weights
     */
    private record Edge(int source, int target, float weight) {}

    private SmallGraph(GraphInfo info, List<String> ids, List<Values> columns, List<Edge> edges) {
        this.info = info;
        this.ids = ids;
        this.columns = columns;
        this.edges = edges;
    }

    /**
     * Reads a graph.
     *
     * @param names of columns of its vertices
     * @param title of the format that it is for
     * @throws InvalidInputException if it is not small, or has no such column
     */
    static SmallGraph read(GraphSession session, String graph, List<String> names, String title) {
        GraphInfo info = session.info(graph);
        if (info.vertices() > MAX_VERTICES || info.edges() > MAX_EDGES) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "%s is for graphs that can be drawn: at most %,d vertices and %,d edges, and \"%s\" has %,d and %,d; write a part of it (graph.project), or a table of its columns",
                            title,
                            MAX_VERTICES,
                            MAX_EDGES,
                            graph,
                            info.vertices(),
                            info.edges()));
        }
        int count = (int) info.vertices();
        long[] idOf = new long[count];
        List<long[]> ends = new ArrayList<>();
        List<Float> weights = new ArrayList<>();
        try (RowCursor rows = session.rows(graph)) {
            while (rows.next()) {
                idOf[(int) rows.ordinal()] = rows.id();
                for (int i = 0; i < rows.degree(); i++) {
                    ends.add(new long[] {rows.ordinal(), rows.target(i)});
                    weights.add(rows.weight(i));
                }
            }
        }
        int[] places = places(idOf);
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            int source = places[(int) ends.get(i)[0]];
            int target = places[(int) ends.get(i)[1]];
            if (info.directed() || source <= target) {
                edges.add(new Edge(source, target, weights.get(i)));
            }
        }
        edges.sort(Comparator.comparingInt(Edge::source).thenComparingInt(Edge::target));
        List<Values> columns = new ArrayList<>();
        for (String name : names) {
            columns.add(values(session, graph, name, places));
        }
        return new SmallGraph(info, ids(session, info, idOf, places), columns, edges);
    }

    /** The place of each ordinal in the order of ids. */
    private static int[] places(long[] idOf) {
        long[] sorted = Arrays.stream(idOf).map(id -> id ^ Long.MIN_VALUE).sorted().toArray();
        return Arrays.stream(idOf)
                .mapToInt(id -> Arrays.binarySearch(sorted, id ^ Long.MIN_VALUE))
                .toArray();
    }

    private static List<String> ids(
            GraphSession session, GraphInfo info, long[] idOf, int[] places) {
        long[] inOrder = new long[idOf.length];
        for (int i = 0; i < idOf.length; i++) {
            inOrder[places[i]] = idOf[i];
        }
        return info.textIds() && inOrder.length > 0
                ? session.texts(info.name(), inOrder)
                : Arrays.stream(inOrder).mapToObj(Long::toUnsignedString).toList();
    }

    private static Values values(GraphSession session, String graph, String name, int[] places) {
        try (StateCursor cursor = session.read(graph, name)) {
            if ((long) places.length * cursor.length() > MAX_ELEMENTS) {
                throw new InvalidInputException(
                        "column \"%s\" has %d elements for each vertex, too many for a picture; leave it out, or write a table"
                                .formatted(name, cursor.length()));
            }
            String[] texts = new String[places.length];
            while (cursor.next()) {
                texts[places[(int) cursor.ordinal()]] = text(cursor, session.info(graph));
            }
            return new Values(
                    name,
                    cursor.showsIds() ? PropertyType.STRING : cursor.type(),
                    cursor.length(),
                    Arrays.asList(texts));
        }
    }

    private static @Nullable String text(StateCursor cursor, GraphInfo info) {
        String text = cursor.text();
        if (!cursor.showsIds()) {
            return text;
        }
        if (text.equals(NONE)) {
            return null;
        }
        return info.textIds() ? TextId.fields(text).getFirst() : text;
    }

    @Override
    public boolean directed() {
        return info.directed();
    }

    @Override
    public boolean weighted() {
        return info.weighted();
    }

    @Override
    public long vertices() {
        return ids.size();
    }

    @Override
    public String name(long vertex) {
        return ids.get((int) vertex);
    }

    @Override
    public List<Values> columns() {
        return columns;
    }

    @Override
    public int edges() {
        return edges.size();
    }

    @Override
    public String source(int edge) {
        return ids.get(edges.get(edge).source());
    }

    @Override
    public String target(int edge) {
        return ids.get(edges.get(edge).target());
    }

    @Override
    public float weight(int edge) {
        return edges.get(edge).weight();
    }
}
