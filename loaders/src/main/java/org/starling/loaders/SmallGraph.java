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
 * Reads a graph that is small enough to be drawn, with columns of its vertices, whole into memory:
 * vertices by their places in the order of ids, and each edge once.
 */
final class SmallGraph {
    /** Most elements of all columns. */
    private static final long MAX_ELEMENTS = 1_000_000;

    private static final String NONE = "-1";

    /**
     * An edge between places.
     *
     * @param source its beginning; in an undirected graph the end whose id comes first
     * @param target its other end
     * @param weight 1 in a graph without weights
     */
    private record Edge(int source, int target, float weight) {
        DrawnGraph.Edge between(List<String> names) {
            return new DrawnGraph.Edge(names.get(source), names.get(target), weight);
        }
    }

    private SmallGraph() {}

    /**
     * Reads a graph.
     *
     * @param columnNames of its vertices
     * @param title of the format that it is for
     * @throws InvalidInputException if it is not small, or has no such column
     */
    static DrawnGraph read(
            GraphSession session, String graph, List<String> columnNames, String title) {
        GraphInfo info = session.info(graph);
        if (info.vertices() > DotText.MAX_VERTICES || info.edges() > DotText.MAX_EDGES) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "%s is for graphs that can be drawn: at most %,d vertices and %,d edges, and \"%s\" has %,d and %,d; write a part of it (graph.project), or a table of its columns",
                            title,
                            DotText.MAX_VERTICES,
                            DotText.MAX_EDGES,
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
        List<DrawnGraph.Values> columns = new ArrayList<>();
        for (String name : columnNames) {
            columns.add(values(session, graph, name, places));
        }
        List<String> names = ids(session, info, idOf, places);
        return new DrawnGraph(
                info.directed(),
                info.weighted(),
                count,
                vertex -> names.get((int) vertex),
                columns,
                edges.stream().map(edge -> edge.between(names)).toList());
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

    private static DrawnGraph.Values values(
            GraphSession session, String graph, String name, int[] places) {
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
            return new DrawnGraph.Values(
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
}
