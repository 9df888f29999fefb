package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.RowWindow;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.graph.EdgeCursor;
import org.starling.graph.Vertex;
import org.starling.net.NativeMemory;

/**
 * The vertex that user code sees, and the cursor over its edges. One for each worker, confined to
 * its thread.
 */
final class VertexCursor implements Vertex {
    private final StoredGraph graph;
    private final RowWindow rows;
    private final int edgeShift;
    private final Bitmap settled;
    private final boolean weighted;
    private final Edges edges = new Edges();
    private long ordinal;
    private int superstep;
    private long settledEdges;

    VertexCursor(StoredGraph graph, Bitmap settled) {
        this.graph = graph;
        this.rows = new RowWindow(graph.out());
        this.edgeShift = graph.out().edgeShift();
        this.settled = settled;
        this.weighted = graph.descriptor().weighted();
    }

    /** Moves to a vertex of an own shard. */
    void moveTo(long newOrdinal) {
        ordinal = newOrdinal;
    }

    /** Sets the number of the superstep. */
    void enter(int newSuperstep) {
        superstep = newSuperstep;
    }

    /** Edges of vertices that settled through this cursor. */
    long settledEdges() {
        return settledEdges;
    }

    @Override
    public long id() {
        return graph.id(ordinal);
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public int degree() {
        return rows.degree(ordinal);
    }

    @Override
    public int inDegree() {
        return graph.in().degree(ordinal);
    }

    @Override
    public EdgeCursor edges() {
        edges.reset(rows.entry(ordinal));
        return edges;
    }

    @Override
    public void settle() {
        if (settled.set(ordinal)) {
            settledEdges += rows.degree(ordinal);
        }
    }

    @Override
    public int superstep() {
        return superstep;
    }

    @Override
    public String toString() {
        return "vertex " + Long.toUnsignedString(id()) + " (ordinal " + ordinal + ")";
    }

    private final class Edges implements EdgeCursor {
        private long at;
        private long end;

        private void reset(long entry) {
            long targets = AdjacencyLayout.targets(entry);
            at = targets - AdjacencyLayout.TARGET_BYTES;
            end =
                    targets
                            + (long) AdjacencyLayout.TARGET_BYTES
                                    * AdjacencyLayout.degree(entry, edgeShift);
            weightOffset = end - targets;
        }

        /** From a target to its weight: the weights begin where the targets end. */
        private long weightOffset;

        @Override
        public boolean next() {
            at += AdjacencyLayout.TARGET_BYTES;
            return at < end;
        }

        @Override
        public long target() {
            return AdjacencyLayout.target(at);
        }

        @Override
        public float weight() {
            return weighted ? NativeMemory.getFloat(at + weightOffset) : 1f;
        }
    }
}
