package org.starling.loaders;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;

/** A graph as GraphML: XML with typed attributes of vertices. */
final class GraphMlText {
    private GraphMlText() {}

    static void write(DrawnGraph graph, OutputStream out) throws IOException {
        put(
                out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
        List<DrawnGraph.Values> columns = graph.columns();
        for (int i = 0; i < columns.size(); i++) {
            put(
                    out,
                    "  <key id=\"v%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n"
                            .formatted(i, escaped(columns.get(i).name()), type(columns.get(i))));
        }
        if (graph.weighted()) {
            put(
                    out,
                    "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n");
        }
        put(
                out,
                "  <graph edgedefault=\"%s\">\n"
                        .formatted(graph.directed() ? "directed" : "undirected"));
        for (long vertex = 0; vertex < graph.vertices(); vertex++) {
            String data = data(columns, vertex);
            String begin = "    <node id=\"" + escaped(graph.names().apply(vertex)) + "\"";
            put(out, begin + (data.isEmpty() ? "/>\n" : ">" + data + "</node>\n"));
        }
        for (DrawnGraph.Edge edge : graph.edges()) {
            put(
                    out,
                    "    <edge source=\""
                            + escaped(edge.source())
                            + "\" target=\""
                            + escaped(edge.target())
                            + (graph.weighted()
                                    ? "\"><data key=\"weight\">"
                                            + GraphFileWriter.text(edge.weight())
                                            + "</data></edge>\n"
                                    : "\"/>\n"));
        }
        put(out, "  </graph>\n</graphml>\n");
    }

    private static String data(List<DrawnGraph.Values> columns, long vertex) {
        StringBuilder data = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            String text = columns.get(i).text(vertex);
            if (text != null) {
                data.append("<data key=\"v%d\">%s</data>".formatted(i, escaped(text)));
            }
        }
        return data.toString();
    }

    private static String type(DrawnGraph.Values column) {
        return column.length() > 1 ? PropertyType.STRING.toString() : column.type().toString();
    }

    /**
     * A text as it stands in attributes and elements.
     *
     * @throws InvalidInputException if XML can't have one of its characters
     */
    static String escaped(String text) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            @Nullable String escape =
                    switch (character) {
                        case '&' -> "&amp;";
                        case '<' -> "&lt;";
                        case '>' -> "&gt;";
                        case '"' -> "&quot;";
                        case '\t', '\n', '\r' -> "&#" + (int) character + ";";
                        default -> null;
                    };
            if (escape == null && (character < ' ' || character >= '\uFFFE')) {
                throw new InvalidInputException(
                        "%s has the character U+%04X, which GraphML can't have; leave the column out, or write another format"
                                .formatted(Quote.of(text), (int) character));
            }
            made.append(escape == null ? String.valueOf(character) : escape);
        }
        return made.toString();
    }

    private static void put(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
