package org.starling.compute.cluster;

import java.util.List;
import org.starling.compute.script.JsonRecord;

/**
 * A graph that a cluster keeps, as people see it.
 *
 * @param name its name
 * @param vertices number of vertices
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction
 * @param weighted whether edges have weights
 * @param ids what its vertices are called by
 * @param columns its columns
 * @param bytes memory of one copy: rows, ids and columns
 * @param copies how many nodes hold it; the fewest that hold any part of it
 */
public record GraphView(
        String name,
        long vertices,
        long edges,
        boolean directed,
        boolean weighted,
        Ids ids,
        List<Column> columns,
        long bytes,
        int copies)
        implements JsonRecord {
    /** What vertices are called by. */
    public enum Ids {
        /** Unsigned numbers of 64 bits. */
        NUMBER,
        /** Texts. */
        TEXT
    }

    /**
     * A column.
     *
     * @param name its name
     * @param type of its values, in lower case; {@code float[3]} for vectors of three
     * @param of {@code vertex} or {@code edge}
     */
    public record Column(String name, String type, String of) {}

    /** Copies the list. */
    public GraphView {
        columns = List.copyOf(columns);
    }
}
