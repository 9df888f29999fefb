package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.RowCursor;

/**
 * A graph on the driver's side: its ids, labels and edges. Filled once, confined to the driver.
 *
 * <p>Costs about a hundred bytes per vertex and 8 per edge.
 */
final class SmallGraph {
    private final String name;
    private final List<Long> ids = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final List<long[]> rows = new ArrayList<>();

    private SmallGraph(String name) {
        this.name = name;
    }

    /**
     * Reads a graph.
     *
     * @param labels by original id; empty if vertices have none
     * @throws InvalidInputException if there are labels but a vertex has none
     */
    static SmallGraph read(GraphSession session, String name, Map<Long, String> labels) {
        SmallGraph graph = new SmallGraph(name);
        try (RowCursor cursor = session.rows(name)) {
            while (cursor.next()) {
                long[] row = new long[cursor.degree()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = cursor.target(i);
                }
                graph.ids.add(cursor.id());
                graph.rows.add(row);
                graph.labels.add(labels.isEmpty() ? "" : label(session, name, cursor.id(), labels));
            }
        }
        return graph;
    }

    private static String label(
            GraphSession session, String name, long id, Map<Long, String> labels) {
        String label = labels.get(id);
        if (label == null) {
            throw new InvalidInputException(
                    "vertex %s of graph \"%s\" has no label; add a line for it"
                            .formatted(session.shown(name, id), name));
        }
        return label;
    }

    String name() {
        return name;
    }

    int vertices() {
        return ids.size();
    }

    /** Original id of a vertex. */
    long id(int vertex) {
        return ids.get(vertex);
    }

    /** Label of a vertex; empty if there are none. */
    String label(int vertex) {
        return labels.get(vertex);
    }

    /** Labels that some vertex has. */
    Set<String> labels() {
        return new LinkedHashSet<>(labels);
    }

    /** The vertices of these labels, and the edges between them. */
    SmallGraph labelled(Set<String> wanted) {
        int[] number = new int[vertices()];
        SmallGraph part = new SmallGraph(name);
        for (int vertex = 0; vertex < number.length; vertex++) {
            number[vertex] = -1;
            if (wanted.contains(labels.get(vertex))) {
                number[vertex] = part.vertices();
                part.ids.add(ids.get(vertex));
                part.labels.add(labels.get(vertex));
            }
        }
        for (int vertex = 0; vertex < number.length; vertex++) {
            if (number[vertex] >= 0) {
                part.rows.add(
                        Arrays.stream(rows.get(vertex))
                                .map(target -> number[(int) target])
                                .filter(target -> target >= 0)
                                .toArray());
            }
        }
        return part;
    }

    /** Two vertices for each edge, as it is stored. */
    long[] edges() {
        return IntStream.range(0, vertices())
                .boxed()
                .flatMapToLong(vertex ->
                        Arrays.stream(rows.get(vertex))
                                .flatMap(target -> LongStream.of(vertex, target)))
                .toArray();
    }

    /** For each vertex the vertices that edges lead to. */
    BitSet targets(int vertex) {
        BitSet targets = new BitSet();
        for (long target : rows.get(vertex)) {
            targets.set((int) target);
        }
        return targets;
    }
}
