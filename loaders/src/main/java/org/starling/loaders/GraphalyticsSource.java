package org.starling.loaders;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads vertex and edge files; see {@link GraphalyticsProvider}. The vertex file's parts come
 * first. Several threads read different parts at the same time.
 */
final class GraphalyticsSource implements EdgeSource {
    static final String VERTICES = "vertices";
    static final String EDGES = "edges";
    static final String WEIGHTED = "weighted";
    static final String VERTEX_COUNT = "vertexCount";
    static final String EDGE_COUNT = "edgeCount";

    private final Parameters parameters;
    private final EdgeListFormat format;
    private final Kept<Opened> opened = new Kept<>(this::open);

    GraphalyticsSource(Parameters parameters) {
        this.parameters = parameters;
        this.format = new EdgeListFormat(Separator.BLANKS, parameters.flag(WEIGHTED));
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened files = opened.get();
        return new SourceDescription(
                files.vertices.parts() + (files.edges == null ? 0 : files.edges.parts()),
                false,
                0,
                count(VERTEX_COUNT, files.vertices),
                count(EDGE_COUNT, files.edges),
                format.weighted());
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened files = opened.get();
        int vertexParts = files.vertices.parts();
        if (part < vertexParts || files.edges == null) {
            return new VertexListReader(files.vertices).read(part, sink);
        }
        return new EdgeListReader(files.edges, format).read(part - vertexParts, sink);
    }

    @Override
    public void check(List<PartSummary> parts) {
        long vertices = parts.stream().mapToLong(PartSummary::vertices).sum();
        long edges = parts.stream().mapToLong(PartSummary::entries).sum();
        requireCount(VERTICES, VERTEX_COUNT, vertices);
        requireCount(EDGES, EDGE_COUNT, edges);
    }

    private long count(String promise, @Nullable TextFile lines) throws IOException {
        if (parameters.has(promise)) {
            return parameters.integer(promise);
        }
        return lines == null
                ? 0
                : EdgeListSample.of(lines, new EdgeListFormat(Separator.BLANKS, false)).lines();
    }

    private void requireCount(String file, String promise, long found) {
        long promised = parameters.integer(promise, found);
        if (promised != found) {
            throw new InvalidInputException(
                    "%s: there are %d %s in the file, but %d were promised (is it complete?)"
                            .formatted(parameters.text(file), found, file, promised));
        }
    }

    private Opened open() throws IOException {
        return new Opened(TextFile.open(file(VERTICES)), TextFile.openUnlessEmpty(file(EDGES)));
    }

    private Parameters file(String name) {
        return SourceOptions.file(parameters, parameters.text(name));
    }

    /** Files that exist; an edge file may be empty, and then counts as none. */
    private record Opened(TextFile vertices, @Nullable TextFile edges) {}
}
