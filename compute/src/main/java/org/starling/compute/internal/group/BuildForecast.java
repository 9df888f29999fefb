package org.starling.compute.internal.group;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.graph.BuildOptions;
import org.starling.graph.SourceDescription;

/**
 * What memory a graph takes, from what its source says before it is read.
 *
 * @param neededBytes while it is made, on all peers together
 * @param keptBytes when it is there, at most, without replicas
 */
public record BuildForecast(long neededBytes, long keptBytes) {
    private static final double VERTEX_BYTES = 24;

    /** A forecast by what is stored for a vertex and an edge. */
    public static BuildForecast of(SourceDescription source, BuildOptions options) {
        int target = AdjacencyLayout.targetBytes(source.vertexCount(), options.wideNeighbours());
        double weight = source.weighted() ? 4 : 0;
        double asRead = (source.dense() ? 2 * target : 24) + weight;
        int directions = options.incoming() ? 2 : 1;
        double sorted = directions * (2 * target + weight);
        double rows = directions * (target + 0.5 + weight);
        double needed =
                source.vertexCount() * (38.0 + target)
                        + source.edgeCount() * (Math.max(asRead, sorted) + rows / 2);
        double kept = source.vertexCount() * VERTEX_BYTES + source.edgeCount() * rows;
        return new BuildForecast((long) Math.ceil(needed), (long) Math.ceil(kept));
    }
}
