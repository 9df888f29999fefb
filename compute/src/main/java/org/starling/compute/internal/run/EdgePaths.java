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
     * @param senders rows by which a sender finds its receivers, to push
     * @param sending own vertices by their number of receivers
     * @param receivers rows by which a receiver finds its senders, to pull
     * @param receiving own vertices by their number of senders
     */
    record Path(Rows senders, RowLengths sending, Rows receivers, RowLengths receiving) {}

    /** Paths of a channel; an undirected graph has one, whatever the direction. */
    static EdgePaths of(StoredGraph graph, EdgeDirection direction) {
        Path forwards = new Path(graph.out(), graph.sources(), graph.in(), graph.receivers());
        if (direction == EdgeDirection.OUTGOING || !graph.descriptor().directed()) {
            return new EdgePaths(List.of(forwards));
        }
        Path backwards = new Path(graph.in(), graph.receivers(), graph.out(), graph.sources());
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
