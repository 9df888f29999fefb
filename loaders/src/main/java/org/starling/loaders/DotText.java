package org.starling.loaders;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * A small graph in the language DOT of Graphviz, for programs that draw. Vertices are named by
 * their ids, edges have their weight as attribute and as label.
 */
final class DotText {
    /** Most vertices that are written: nobody draws more. */
    static final int MAX_VERTICES = 10_000;

    /** Most edges that are written. */
    static final int MAX_EDGES = 100_000;

    private static final Pattern NUMERAL = Pattern.compile("-?\\d{1,20}");

    private DotText() {}

    /**
     * Throws if a graph is too large to be drawn.
     *
     * @throws InvalidInputException with the remedy
     */
    static void requireSmall(EdgeTable table) {
        if (table.vertices() > MAX_VERTICES || table.edges() > MAX_EDGES) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "DOT is for graphs that can be drawn: at most %,d vertices and %,d edges, and this one has %,d and %,d; write a part of it (graph.project), or another format",
                            MAX_VERTICES,
                            MAX_EDGES,
                            table.vertices(),
                            table.edges()));
        }
    }

    static void write(DrawnGraph graph, OutputStream out) throws IOException {
        put(out, graph.directed() ? "digraph {\n" : "graph {\n");
        for (long vertex = 0; vertex < graph.vertices(); vertex++) {
            String attributes = attributes(graph, vertex);
            put(
                    out,
                    "  "
                            + word(graph.names().apply(vertex))
                            + (attributes.isEmpty() ? "" : " [" + attributes + "]")
                            + ";\n");
        }
        String between = graph.directed() ? " -> " : " -- ";
        for (DrawnGraph.Edge edge : graph.edges()) {
            put(out, "  " + word(edge.source()) + between + word(edge.target()));
            if (graph.weighted()) {
                String weight = word(GraphFileWriter.text(edge.weight()));
                put(out, " [weight=" + weight + ", label=" + weight + "]");
            }
            put(out, ";\n");
        }
        put(out, "}\n");
    }

    private static String attributes(DrawnGraph graph, long vertex) {
        StringBuilder attributes = new StringBuilder();
        for (DrawnGraph.Values column : graph.columns()) {
            String text = column.text(vertex);
            if (text != null) {
                attributes
                        .append(attributes.isEmpty() ? "" : ", ")
                        .append(word(column.name()))
                        .append('=')
                        .append(word(text));
            }
        }
        return attributes.toString();
    }

    /**
     * A text as DOT's ids and labels have it: bare if it is a whole number, else in quotation
     * marks, with what means something in them escaped.
     */
    static String word(String text) {
        if (NUMERAL.matcher(text).matches()) {
            return text;
        }
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\r", "")
                        .replace("\n", "\\n")
                + '"';
    }

    private static void put(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
