package org.starling.loaders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;

/** Reads whole sources as the engine would: describe, all parts, check. */
final class Edges {

    private Edges() {}

    /** An edge as the sink got it. */
    record Edge(long source, long target, float weight) implements Comparable<Edge> {

        @Override
        public int compareTo(Edge other) {
            int bySource = Long.compare(source, other.source);
            int byTarget = Long.compare(target, other.target);
            return bySource != 0
                    ? bySource
                    : byTarget != 0 ? byTarget : Float.compare(weight, other.weight);
        }
    }

    /** The source of that name, found as the engine finds it. */
    static EdgeSource source(String name, Parameters parameters) {
        for (EdgeSourceProvider provider : ServiceLoader.load(EdgeSourceProvider.class)) {
            if (provider.name().equals(name)) {
                return provider.create(parameters);
            }
        }
        throw new AssertionError("no provider " + name);
    }

    /** All edges, sorted. */
    static List<Edge> of(String name, Parameters parameters) throws IOException {
        return of(source(name, parameters));
    }

    /** All edges, sorted; parts are read in an order that is not theirs. */
    static List<Edge> of(EdgeSource source) throws IOException {
        List<Edge> edges = new ArrayList<>();
        int parts = source.describe().parts();
        PartSummary[] summaries = new PartSummary[parts];
        for (int part = parts - 1; part >= 0; part--) {
            summaries[part] = source.read(part, sink(edges));
        }
        source.check(List.of(summaries));
        Collections.sort(edges);
        return edges;
    }

    private static EdgeSink sink(List<Edge> edges) {
        return new EdgeSink() {
            @Override
            public void edge(long source, long target, float weight) {
                edges.add(new Edge(source, target, weight));
            }

            @Override
            public void vertex(long id) {
                throw new AssertionError("vertex " + id + " named on its own");
            }
        };
    }
}
