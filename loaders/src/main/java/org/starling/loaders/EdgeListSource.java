package org.starling.loaders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.SourceDescription;

/**
 * Reads edge lists; see {@link EdgeListProvider}. The parts of all files of edges come first, in
 * their order, then those of vertices. Several threads read different parts at the same time. What
 * the first line of data tells is found once and then kept.
 */
final class EdgeListSource implements EdgeSource {
    /** Parameter: several files of edges, which are one list. */
    static final String FILES = "files";

    private static final String FILE = "file";
    private static final String VERTICES = "vertices";

    private final Parameters parameters;
    private final Kept<Opened> opened = new Kept<>(this::open);

    /**
     * A source.
     *
     * @throws InvalidInputException if the separator is none
     */
    EdgeListSource(Parameters parameters) {
        if (parameters.has("separator")) {
            Separator.named(parameters.text("separator"));
        }
        this.parameters = parameters;
    }

    /**
     * Files that exist, how to read them, what they probably hold, and the vertices beside them.
     */
    private record Opened(
            List<Edges> edges, EdgeListSample.Estimate estimate, List<VertexFile> vertices) {
        EdgeListFormat format() {
            return edges.getFirst().format;
        }
    }

    /** A file of edges and how to read it. */
    private record Edges(TextFile text, EdgeListFormat format) {}

    private Opened open() throws IOException {
        List<TextFile> texts = new ArrayList<>();
        for (String name : SourceOptions.names(parameters, FILES, FILE)) {
            texts.add(TextFile.open(file(name)));
        }
        List<Edges> edges = new ArrayList<>();
        TextFile first = texts.getFirst();
        EdgeListFormat format = new EdgeListProbe(first, parameters).format();
        for (TextFile text : texts) {
            edges.add(new Edges(text, edges.isEmpty() ? format : ofFile(first, format, text)));
        }
        List<VertexFile> vertices = new ArrayList<>();
        if (parameters.has(VERTICES)) {
            for (String name : SourceOptions.names(parameters, VERTICES, VERTICES)) {
                vertices.add(VertexFile.open(file(name)));
            }
            requireSameColumns(vertices);
        }
        return new Opened(
                List.copyOf(edges), EdgeListSample.of(texts, format), List.copyOf(vertices));
    }

    private Parameters file(String name) {
        return SourceOptions.file(parameters, name).with("ids", parameters.text("ids", "number"));
    }

    /** How another file is to be read, which may begin with the header of the first one. */
    private static EdgeListFormat ofFile(TextFile first, EdgeListFormat format, TextFile other)
            throws IOException {
        FieldReader fields = new FieldReader(format.separator());
        try (ByteCursor cursor = other.cursor()) {
            boolean found = DataLines.findFirst(cursor);
            long start = cursor.offset();
            if (!found || !format.hasHeader()) {
                return format.ofFile(-1, start);
            }
            List<String> line = fields.readLine(cursor);
            try (ByteCursor header = first.cursorAt(format.header())) {
                boolean same = line != null && line.equals(fields.readLine(header));
                return format.ofFile(same ? start : -1, start);
            }
        }
    }

    private static void requireSameColumns(List<VertexFile> files) {
        for (VertexFile file : files) {
            List<Property> wanted = files.getFirst().properties();
            if (!file.properties().equals(wanted)) {
                throw new InvalidInputException(
                        "%s: its header differs from that of %s, and both are vertices of one graph (give them the same columns)"
                                .formatted(file.path(), files.getFirst().path()));
            }
        }
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened files = opened.get();
        List<VertexFile> vertices = files.vertices;
        long likelyVertices = vertices.stream().mapToLong(VertexFile::likelyVertices).sum();
        long likelyBytes = vertices.stream().mapToLong(VertexFile::likelyStringBytes).sum();
        int parts =
                files.edges.stream().mapToInt(one -> one.text.parts()).sum()
                        + vertices.stream().mapToInt(VertexFile::parts).sum();
        return new SourceDescription(
                parts,
                false,
                0,
                Math.max(files.estimate.vertices(), likelyVertices),
                files.estimate.lines(),
                files.format().weighted(),
                vertices.isEmpty() ? List.of() : vertices.getFirst().properties(),
                files.format().columns().properties(),
                files.estimate.stringBytes() + likelyBytes,
                files.format().textIds());
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened files = opened.get();
        int left = part;
        for (Edges edges : files.edges) {
            if (left < edges.text.parts()) {
                return new EdgeListReader(edges.text, edges.format, BadLines.isSkip(parameters))
                        .read(left, sink);
            }
            left -= edges.text.parts();
        }
        for (VertexFile vertices : files.vertices) {
            if (left < vertices.parts()) {
                return vertices.read(left, sink);
            }
            left -= vertices.parts();
        }
        throw new IllegalArgumentException("there is no part " + part);
    }

    @Override
    public void check(List<PartSummary> parts) {
        long edges = parts.stream().mapToLong(PartSummary::entries).sum();
        long skipped = parts.stream().mapToLong(PartSummary::skipped).sum();
        if (edges == 0) {
            throw new InvalidInputException(
                    "%s: there is no edge in the file%s"
                            .formatted(
                                    SourceOptions.names(parameters, FILES, FILE).getFirst(),
                                    skipped == 0 ? "" : ", only lines that are none"));
        }
    }

    @Override
    public List<String> explainSkipped(List<PartSummary> parts) throws IOException {
        List<String> reasons = new ArrayList<>();
        int part = 0;
        for (Edges edges : opened.get().edges) {
            EdgeListReader reader = new EdgeListReader(edges.text, edges.format);
            for (int i = 0; i < edges.text.parts(); i++) {
                for (long offset : parts.get(part).firstSkipped()) {
                    String reason = reader.explain(offset);
                    if (reason != null && reasons.size() < PartSummary.MAX_FIRST_SKIPPED) {
                        reasons.add(reason);
                    }
                }
                part++;
                if (reasons.size() == PartSummary.MAX_FIRST_SKIPPED) {
                    return reasons;
                }
            }
        }
        return reasons;
    }
}
