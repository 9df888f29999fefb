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
    private final AdjacencyLayout layout;
    private final Bitmap settled;
    private final Edges edges;

    /** -1 before the first vertex. */
    private long ordinal = -1;

    private int superstep;
    private long settledEdges;

    VertexCursor(StoredGraph graph, Bitmap settled) {
        this.graph = graph;
        this.rows = new RowWindow(graph.out());
        this.layout = graph.out().layout();
        this.settled = settled;
        this.edges = new Edges();
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

    /** Its window on the outgoing rows. */
    RowWindow rows() {
        return rows;
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
        if (ordinal < 0) {
            return "no vertex yet";
        }
        // The text may be kept by another peer, which is not asked in the middle of a failure.
        String name = graph.descriptor().textIds() ? "vertex number " : "vertex ";
        return name + Long.toUnsignedString(id()) + " (ordinal " + ordinal + ")";
    }

    private final class Edges implements PlacedEdge {
        private final int targetBytes = layout.targetBytes();
        private final boolean weighted = layout.weighted();

        /** A weight takes as many bytes as a narrow target, or half as many as a wide one. */
        private final int weightShift = targetBytes / AdjacencyLayout.WEIGHT_BYTES - 1;

        private long targets;
        private long at;
        private long end;

        private void reset(long entry) {
            targets = AdjacencyLayout.targets(entry);
            at = targets - targetBytes;
            end = layout.targetsEnd(targets, layout.degreeOf(entry));
        }

        @Override
        public boolean next() {
            at += targetBytes;
            return at < end;
        }

        @Override
        public long target() {
            return AdjacencyLayout.load(at, targetBytes);
        }

        @Override
        public long source() {
            return ordinal;
        }

        @Override
        public int index() {
            return (int) ((at - targets) / targetBytes);
        }

        /** The weights begin where the targets end. */
        @Override
        public float weight() {
            return weighted ? NativeMemory.getFloat(end + ((at - targets) >> weightShift)) : 1f;
        }
    }
}
