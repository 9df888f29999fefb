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
 * Reads edge lists; see {@link EdgeListProvider}. Several threads read different parts at the same
 * time. What the first line of data tells is found once and then kept.
 */
final class EdgeListSource implements EdgeSource {

    private final Parameters parameters;

    /** Guarded by this. */
    private @Nullable Opened opened;

    EdgeListSource(Parameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened file = opened();
        VertexFile vertices = file.vertices();
        return new SourceDescription(
                file.text().parts() + (vertices == null ? 0 : vertices.parts()),
                false,
                0,
                Math.max(
                        file.estimate().vertices(),
                        vertices == null ? 0 : vertices.likelyVertices()),
                file.estimate().lines(),
                file.format().weighted(),
                vertices == null ? List.of() : vertices.properties(),
                file.format().columns().properties(),
                file.estimate().stringBytes()
                        + (vertices == null ? 0 : vertices.likelyStringBytes()),
                file.format().textIds());
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened file = opened();
        VertexFile vertices = file.vertices();
        if (vertices != null && part >= file.text().parts()) {
            return vertices.read(part - file.text().parts(), sink);
        }
        EdgeListReader reader = new EdgeListReader(file.text(), file.format());
        return reader.read(part, sink);
    }

    @Override
    public void check(List<PartSummary> parts) {
        long edges = parts.stream().mapToLong(PartSummary::entries).sum();
        if (edges == 0) {
            throw new InvalidInputException(
                    parameters.text("file") + ": there is no edge in the file");
        }
    }

    private synchronized Opened opened() throws IOException {
        Opened known = opened;
        if (known == null) {
            TextFile text = TextFile.open(parameters);
            EdgeListFormat format = new EdgeListProbe(text, parameters).format();
            known = new Opened(text, format, EdgeListSample.of(text, format), vertices());
            opened = known;
        }
        return known;
    }

    private @Nullable VertexFile vertices() throws IOException {
        if (!parameters.has("vertices")) {
            return null;
        }
        Parameters file =
                Parameters.of("file", parameters.text("vertices"))
                        .with("ids", parameters.text("ids", "number"));
        return VertexFile.open(
                parameters.has("partBytes")
                        ? file.with("partBytes", parameters.integer("partBytes"))
                        : file);
    }

    /** A file that exists, how to read it, what it probably holds, and the vertices beside it. */
    private record Opened(
            TextFile text,
            EdgeListFormat format,
            EdgeListSample.Estimate estimate,
            @Nullable VertexFile vertices) {}
}
