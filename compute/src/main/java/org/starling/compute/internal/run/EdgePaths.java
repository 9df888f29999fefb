package org.starling.compute.internal.run;

import java.util.List;
import org.starling.compute.internal.graph.RowLengths;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.graph.EdgeDirection;

/**
 * The rows along which a channel's broadcasts go: those of outgoing edges, of incoming ones, or
 * both one after the other. Immutable.
 *
 * @param paths one or two
 */
record EdgePaths(List<Path> paths) {
    /**
     * One way to go along every edge.
     *
     * @param graph the graph
     * @param forwards whether the way leads from an edge's source to its target
     */
    record Path(StoredGraph graph, boolean forwards) {
        /** Rows by which a sender finds its receivers, to push. */
        Rows senders() {
            return forwards ? graph.out() : graph.in();
        }

        /** Rows by which a receiver finds its senders, to pull. */
        Rows receivers() {
            return forwards ? graph.in() : graph.out();
        }

        /** Own vertices by their number of receivers. */
        RowLengths sending() {
            return forwards ? graph.sources() : graph.receivers();
        }

        /** Own vertices by their number of senders. */
        RowLengths receiving() {
            return forwards ? graph.receivers() : graph.sources();
        }

        /** False if receivers' rows are not stored. */
        boolean canPull() {
            return !forwards || graph.descriptor().incoming();
        }
    }

    /** Paths of a channel; an undirected graph has one, whatever the direction. */
    static EdgePaths of(StoredGraph graph, EdgeDirection direction) {
        Path forwards = new Path(graph, true);
        if (direction == EdgeDirection.OUTGOING || !graph.descriptor().directed()) {
            return new EdgePaths(List.of(forwards));
        }
        Path backwards = new Path(graph, false);
        return new EdgePaths(
                direction == EdgeDirection.INCOMING
                        ? List.of(backwards)
                        : List.of(forwards, backwards));
    }

    /** Number of paths: each goes along every edge once. */
    int count() {
        return paths.size();
    }
}
