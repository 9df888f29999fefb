package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;

/**
 * Reads files of vertices and edges with attributes, GraphML and GML, as one part. Such a file is
 * read twice: first for its counts, attributes and their types, then for the graph; so it is known
 * to be whole before the first edge is given.
 */
final class ElementSource implements EdgeSource, Oriented {
    private static final String USUAL_WEIGHT = "weight";

    private final Parameters parameters;
    private final Function<TextFile, ElementFile> format;
    private final Kept<Opened> opened = new Kept<>(this::open);

    /**
     * A source.
     *
     * @param parameters {@code file}; {@code directed}, {@code weight}
     * @param format opens a file
     */
    ElementSource(Parameters parameters, Function<TextFile, ElementFile> format) {
        this.parameters = parameters;
        this.format = format;
    }

    private record Opened(
            TextFile text,
            boolean directed,
            long vertices,
            long edges,
            long undirectedEdges,
            long stringBytes,
            @Nullable String weight,
            PropertyColumns vertexColumns,
            PropertyColumns edgeColumns) {}

    private Opened open() throws IOException {
        TextFile text = TextFile.open(parameters);
        Count count = new Count();
        ElementFile.Said said = format.apply(text).walk(count);
        if (count.vertices == 0 && count.edges == 0) {
            throw new InvalidInputException(
                    text.path() + ": there is neither a vertex nor an edge in the file");
        }
        String weight = weight(text, said.edges());
        return new Opened(
                text,
                said.directed(),
                count.vertices,
                count.edges,
                count.undirected + (said.directed() ? 0 : count.silent),
                count.stringBytes,
                weight,
                columns(text, said.nodes(), null),
                columns(text, said.edges(), weight));
    }

    private @Nullable String weight(TextFile text, ElementFile.Types edges) {
        Map<String, PropertyType> types = edges.all();
        if (SourceOptions.leavesOutWeights(parameters)) {
            return null;
        }
        String wanted =
                parameters.has(SourceOptions.WEIGHT)
                        ? parameters.text(SourceOptions.WEIGHT)
                        : USUAL_WEIGHT;
        if (edges.isLeftOut(wanted)) {
            throw new InvalidInputException(
                    "%s: an edge has %s twice or as a list, so it is no weight (give each edge one number, or leave weights out by \"weight\": \"none\")"
                            .formatted(text.path(), Quote.of(wanted)));
        }
        if (!parameters.has(SourceOptions.WEIGHT)) {
            PropertyType usual = types.get(USUAL_WEIGHT);
            return usual != null && ElementFile.Types.isNumber(usual) ? USUAL_WEIGHT : null;
        }
        PropertyType type = types.get(wanted);
        if (type == null || !ElementFile.Types.isNumber(type)) {
            throw new InvalidInputException(
                    "%s: \"weight\" is %s, but edges have no attribute of that name that is a number (they have %s)"
                            .formatted(
                                    text.path(),
                                    Quote.of(wanted),
                                    types.isEmpty() ? "none" : types));
        }
        return wanted;
    }

    private static PropertyColumns columns(
            TextFile text, ElementFile.Types types, @Nullable String weight) {
        List<Property> properties = new ArrayList<>();
        types.all()
                .forEach((name, type) -> {
                    if (!name.equals(weight)) {
                        try {
                            properties.add(Property.of(name, type));
                        } catch (InvalidInputException wrong) {
                            throw new InvalidInputException(
                                    text.path() + ": " + wrong.getMessage(), wrong);
                        }
                    }
                });
        return new PropertyColumns(List.copyOf(properties), -1);
    }

    @Override
    public boolean directed() throws IOException {
        return opened.get().directed;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened graph = opened.get();
        return new SourceDescription(
                1,
                false,
                0,
                graph.vertices,
                graph.edges + (parameters.flag(SourceOptions.DIRECTED) ? graph.undirectedEdges : 0),
                graph.weight != null,
                graph.vertexColumns.properties(),
                graph.edgeColumns.properties(),
                graph.stringBytes);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened graph = opened.get();
        ElementFile file = format.apply(graph.text);
        file.walk(new Giver(graph, file, sink, parameters.flag(SourceOptions.DIRECTED)));
        return new PartSummary(graph.vertices + graph.edges, graph.vertices, graph.edges, 0);
    }

    /** Counts. Confined to one thread. */
    private static final class Count implements Elements {
        private long vertices;
        private long edges;
        private long undirected;
        private long silent;
        private long stringBytes;

        @Override
        public void node(String id, Map<String, String> attributes) {
            vertices++;
            add(attributes);
        }

        @Override
        public void edge(
                String source,
                String target,
                @Nullable Boolean directed,
                Map<String, String> attributes) {
            edges++;
            silent += directed == null ? 1 : 0;
            undirected += directed == null || directed ? 0 : 1;
            add(attributes);
        }

        private void add(Map<String, String> attributes) {
            for (String text : attributes.values()) {
                stringBytes += text.getBytes(StandardCharsets.UTF_8).length;
            }
        }
    }

    /** Gives elements to the engine. Confined to one thread. */
    private static final class Giver implements Elements {
        private final Opened graph;
        private final ElementFile file;
        private final EdgeSink sink;
        private final boolean bothWays;
        private final ElementIds ids = new ElementIds();
        private final PropertyValues ofVertex;
        private final PropertyValues ofEdge;
        private final Map<String, Integer> vertexIndexes;
        private final Map<String, Integer> edgeIndexes;

        Giver(Opened graph, ElementFile file, EdgeSink sink, boolean directed) {
            this.graph = graph;
            this.file = file;
            this.sink = sink;
            this.bothWays = directed;
            this.ofVertex = new PropertyValues(graph.vertexColumns.properties());
            this.ofEdge = new PropertyValues(graph.edgeColumns.properties());
            this.vertexIndexes = indexes(graph.vertexColumns);
            this.edgeIndexes = indexes(graph.edgeColumns);
        }

        private static Map<String, Integer> indexes(PropertyColumns columns) {
            Map<String, Integer> indexes = new HashMap<>();
            for (Property property : columns.properties()) {
                indexes.put(property.name(), indexes.size());
            }
            return indexes;
        }

        @Override
        public void node(String id, Map<String, String> attributes) throws IOException {
            long number = number(id);
            fill(graph.vertexColumns, vertexIndexes, attributes, ofVertex);
            sink.vertex(number, ofVertex);
        }

        @Override
        public void edge(
                String source,
                String target,
                @Nullable Boolean directed,
                Map<String, String> attributes)
                throws IOException {
            long from = number(source);
            long to = number(target);
            boolean oneWay = directed == null ? graph.directed : directed;
            if (oneWay && !bothWays && !graph.directed) {
                throw complaint(
                        "this edge has a direction, though the file says that its edges have none (load it with \"directed\": true, and undirected edges run both ways)");
            }
            float weight = weight(attributes);
            fill(graph.edgeColumns, edgeIndexes, attributes, ofEdge);
            sink.edge(from, to, weight, ofEdge);
            if (bothWays && !oneWay && from != to) {
                sink.edge(to, from, weight, ofEdge);
            }
        }

        private long number(String id) throws IOException {
            String wrong = ids.read(id);
            if (wrong != null) {
                throw complaint(wrong);
            }
            return ids.id();
        }

        private float weight(Map<String, String> attributes) throws IOException {
            if (graph.weight == null) {
                return 1f;
            }
            String text = attributes.get(graph.weight);
            if (text == null) {
                throw complaint(
                        "this edge has no %s, and others have one (give it one, or leave all weights out by \"weight\": \"none\")"
                                .formatted(Quote.of(graph.weight)));
            }
            float weight = Float.NaN;
            try {
                weight = Float.parseFloat(text);
            } catch (NumberFormatException none) {
                weight = Float.NaN; // and so refused below
            }
            if (weight >= 0f && weight < Float.POSITIVE_INFINITY) {
                return weight;
            }
            throw complaint(
                    "expected a weight that is a finite number and not negative, found %s (correct it, or leave all weights out by \"weight\": \"none\")"
                            .formatted(Quote.of(text)));
        }

        private void fill(
                PropertyColumns columns,
                Map<String, Integer> indexes,
                Map<String, String> attributes,
                PropertyValues into)
                throws IOException {
            into.clear();
            for (Map.Entry<String, String> one : attributes.entrySet()) {
                Integer index = indexes.get(one.getKey());
                String wrong = index == null ? null : columns.read(index, one.getValue(), into);
                if (wrong != null) {
                    throw complaint(wrong);
                }
            }
        }

        private InvalidInputException complaint(String wrong) throws IOException {
            return new InvalidInputException(file.place() + ": " + wrong);
        }
    }
}
