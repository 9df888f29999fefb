package org.starling.graph;

import java.util.List;

/**
 * What an edge source says before it is read.
 *
 * @param parts number of parts that can be read in parallel, at least 1
 * @param dense whether ids are the {@code vertexCount} consecutive numbers from {@code firstId} on
 * @param firstId smallest id of a dense source; 0 otherwise
 * @param vertexCount number of vertices of a dense source; otherwise an estimate
 * @param edgeCount number of edges that {@link EdgeSource#read} will give, exact or estimated
 * @param weighted whether edges carry weights
 * @param vertexProperties what {@link EdgeSink#vertex(long, PropertyValues)} is given
 * @param edgeProperties what {@link EdgeSink#edge(long, long, float, PropertyValues)} is given,
 *     beside the weight
 * @param stringBytes bytes of UTF-8 that all different values of strings take, about, and all
 *     different ids if they are texts
 * @param textIds whether ids are texts: then the source is not dense, and names vertices by what
 *     {@link EdgeSink#number} answers
 */
public record SourceDescription(
        int parts,
        boolean dense,
        long firstId,
        long vertexCount,
        long edgeCount,
        boolean weighted,
        List<Property> vertexProperties,
        List<Property> edgeProperties,
        long stringBytes,
        boolean textIds) {
    /** Checks the counts. */
    public SourceDescription {
        if (parts < 1 || vertexCount < 0 || edgeCount < 0 || stringBytes < 0) {
            throw new IllegalArgumentException(
                    "parts " + parts + ", vertices " + vertexCount + ", edges " + edgeCount);
        }
        if (dense && textIds) {
            throw new IllegalArgumentException("texts are not consecutive numbers");
        }
        vertexProperties = List.copyOf(vertexProperties);
        edgeProperties = List.copyOf(edgeProperties);
    }

    /** A source whose ids are numbers. */
    public SourceDescription(
            int parts,
            boolean dense,
            long firstId,
            long vertexCount,
            long edgeCount,
            boolean weighted,
            List<Property> vertexProperties,
            List<Property> edgeProperties,
            long stringBytes) {
        this(
                parts,
                dense,
                firstId,
                vertexCount,
                edgeCount,
                weighted,
                vertexProperties,
                edgeProperties,
                stringBytes,
                false);
    }

    /** A source whose properties have no strings. */
    public SourceDescription(
            int parts,
            boolean dense,
            long firstId,
            long vertexCount,
            long edgeCount,
            boolean weighted,
            List<Property> vertexProperties,
            List<Property> edgeProperties) {
        this(
                parts,
                dense,
                firstId,
                vertexCount,
                edgeCount,
                weighted,
                vertexProperties,
                edgeProperties,
                0);
    }

    /** A source without properties. */
    public SourceDescription(
            int parts,
            boolean dense,
            long firstId,
            long vertexCount,
            long edgeCount,
            boolean weighted) {
        this(parts, dense, firstId, vertexCount, edgeCount, weighted, List.of(), List.of());
    }
}
