package org.starling.compute.internal.run;

import org.starling.graph.EdgeCursor;

/** A cursor that says which edge of which vertex it stands on. */
interface PlacedEdge extends EdgeCursor {
    /** Ordinal of the vertex whose edges these are. */
    long source();

    /** Index of the edge in the vertex's row. */
    int index();
}
