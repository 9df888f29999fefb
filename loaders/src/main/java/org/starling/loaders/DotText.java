package org.starling.loaders;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * A small graph in the language DOT of Graphviz, for programs that draw. Vertices are named by
 * their ids, edges have their weight as attribute and as label. Confined to one thread.
 */
final class DotText {
    /** Most vertices that are written: nobody draws more. */
    static final int MAX_VERTICES = 10_000;

    /** Most edges that are written. */
    static final int MAX_EDGES = 100_000;

    private static final Pattern NUMERAL = Pattern.compile("-?\\d{1,20}");

    private final EdgeTable table;

    DotText(EdgeTable table) {
        this.table = table;
    }

    /**
     * Writes all.
     *
     * @throws InvalidInputException if it is no small graph
     */
    void write(OutputStream out) throws IOException {
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
        put(out, table.directed() ? "digraph {\n" : "graph {\n");
        for (long vertex = 0; vertex < table.vertices(); vertex++) {
            put(out, "  " + id(table.id(vertex)) + ";\n");
        }
        String between = table.directed() ? " -> " : " -- ";
        for (int edge = 0; edge < table.edges(); edge++) {
            put(out, "  " + id(table.source(edge)) + between + id(table.target(edge)));
            if (table.weighted()) {
                String weight = GraphFileWriter.text(table.weight(edge));
                put(out, " [weight=" + word(weight) + ", label=" + word(weight) + "]");
            }
            put(out, ";\n");
        }
        put(out, "}\n");
    }

    private String id(long id) {
        return word(table.name(id));
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
