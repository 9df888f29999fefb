package org.starling.compute.internal.group;

import java.io.IOException;
import java.util.List;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.graph.BuildOptions;
import org.starling.graph.EdgeSource;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.SourceDescription;

/**
 * What memory a graph takes, from what its source says before it is read.
 *
 * @param neededBytes while it is made, on all peers together
 * @param keptBytes when it is there, at most, without replicas
 */
public record BuildForecast(long neededBytes, long keptBytes) {
    private static final double VERTEX_BYTES = 24;

    /** A different string lies where it was read, where its shard is made, and in the chunk. */
    private static final double STRING_COPIES = 3;

    /** Of an id that is a text: places in tables and what sorting takes, twice. */
    private static final double TEXT_BYTES = 96;

    /** What a source says; if it can't, that is an {@link InvalidInputException}. */
    public static SourceDescription describe(EdgeSource source) {
        try {
            return source.describe();
        } catch (IOException e) {
            throw new InvalidInputException("cannot read the edges: " + FileTrouble.reason(e), e);
        }
    }

    /** A forecast by what is stored for a vertex and an edge. */
    public static BuildForecast of(SourceDescription source, BuildOptions options) {
        int target = AdjacencyLayout.targetBytes(source.vertexCount(), options.wideNeighbours());
        double weight = source.weighted() ? 4 : 0;
        double ofVertex = bytes(source.vertexProperties());
        double ofEdge = bytes(source.edgeProperties());
        double asRead = (source.dense() ? 2 * target : 24) + weight + ofEdge;
        int directions = options.incoming() ? 2 : 1;
        int ends = options.directed() ? 1 : 2;
        double sorted = directions * (2 * target + weight) + ends * ofEdge;
        double rows = directions * (target + 0.5 + weight) + ends * ofEdge;
        long strings = source.stringBytes();
        double needed =
                strings * STRING_COPIES
                        + (source.textIds() ? source.vertexCount() * TEXT_BYTES : 0)
                        + source.vertexCount() * (38.0 + target + 2 * ofVertex)
                        + source.edgeCount() * (Math.max(asRead, sorted) + rows / 2);
        double kept =
                strings
                        + source.vertexCount() * (VERTEX_BYTES + ofVertex)
                        + source.edgeCount() * rows;
        return new BuildForecast((long) Math.ceil(needed), (long) Math.ceil(kept));
    }

    private static long bytes(List<Property> properties) {
        return properties.stream().mapToLong(one -> StoredProperty.type(one).width()).sum();
    }
}
