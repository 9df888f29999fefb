package org.starling.loaders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;

/** All that a source gives: edges, named vertices, and the values of both as texts. */
final class Recorded implements EdgeSink {
    final List<Edges.Edge> edges = new ArrayList<>();
    final List<Map<String, String>> edgeValues = new ArrayList<>();
    final Map<Long, Map<String, String>> vertices = new TreeMap<>();

    /** Reads a source as the engine would. */
    static Recorded of(EdgeSource source) throws IOException {
        Recorded recorded = new Recorded();
        List<PartSummary> summaries = new ArrayList<>();
        int parts = source.describe().parts();
        for (int part = 0; part < parts; part++) {
            summaries.add(source.read(part, recorded));
        }
        source.check(summaries);
        return recorded;
    }

    @Override
    public void edge(long source, long target, float weight) {
        edges.add(new Edges.Edge(source, target, weight));
        edgeValues.add(Map.of());
    }

    @Override
    public void edge(long source, long target, float weight, PropertyValues values) {
        edges.add(new Edges.Edge(source, target, weight));
        edgeValues.add(texts(values));
    }

    @Override
    public void vertex(long id) {
        vertices.put(id, Map.of());
    }

    @Override
    public void vertex(long id, PropertyValues values) {
        vertices.put(id, texts(values));
    }

    /** The hash of all edges in an order of their own, with ends as if counted from 0. */
    long hash(long firstId, boolean directed) {
        List<Edges.Edge> ordered = new ArrayList<>();
        for (Edges.Edge edge : edges) {
            long from = edge.source() - firstId;
            long to = edge.target() - firstId;
            boolean turned = !directed && from > to;
            ordered.add(new Edges.Edge(turned ? to : from, turned ? from : to, edge.weight()));
        }
        Collections.sort(ordered);
        EdgeHash hash = new EdgeHash();
        for (Edges.Edge edge : ordered) {
            hash.add(hash.edges(), edge.source(), edge.target(), edge.weight());
        }
        return hash.edgeHash() ^ Long.rotateLeft(hash.weightHash(), 1);
    }

    private static Map<String, String> texts(PropertyValues values) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < values.properties().size(); i++) {
            Property property = values.properties().get(i);
            texts.put(
                    property.name(),
                    property.type() == PropertyType.STRING
                            ? values.string(i)
                            : number(property.type(), values.bits(i, 0)));
        }
        return texts;
    }

    private static String number(PropertyType type, long bits) {
        return switch (type) {
            case FLOAT -> Float.toString(Float.intBitsToFloat((int) bits));
            case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case BOOLEAN, INT, LONG, STRING -> Long.toString(bits);
        };
    }
}
