package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.RowCursor;
import org.starling.graph.VertexId;

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
                graph.labels.add(labels.isEmpty() ? "" : label(name, cursor.id(), labels));
            }
        }
        return graph;
    }

    private static String label(String name, long id, Map<Long, String> labels) {
        String label = labels.get(id);
        if (label == null) {
            throw new InvalidInputException(
                    "vertex %s of graph \"%s\" has no label; add a line for it"
                            .formatted(VertexId.text(id), name));
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

    /**
     * Edges between chosen vertices.
     *
     * @param number number of each chosen vertex; −1 for others
     * @return two numbers for each edge, as it is stored
     */
    List<Long> edges(int[] number) {
        List<Long> edges = new ArrayList<>();
        for (int vertex = 0; vertex < number.length; vertex++) {
            if (number[vertex] >= 0) {
                for (long target : rows.get(vertex)) {
                    if (number[(int) target] >= 0) {
                        edges.add((long) number[vertex]);
                        edges.add((long) number[(int) target]);
                    }
                }
            }
        }
        return edges;
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
