package org.starling.loaders;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;
import org.starling.graph.WholeFile;

/**
 * Formats in which small graphs are written for programs that draw, with columns of their vertices
 * as attributes.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are copies
public enum SmallGraphFormat {
    /** XML with typed attributes. */
    GRAPHML("graphml", "graphml") {
        @Override
        void write(Writer out, SmallGraph graph) throws IOException {
            out.write(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
            List<SmallGraph.Values> columns = graph.columns();
            for (int i = 0; i < columns.size(); i++) {
                out.write(
                        "  <key id=\"v%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n"
                                .formatted(i, xml(columns.get(i).name()), xmlType(columns.get(i))));
            }
            boolean weighted = graph.info().weighted();
            if (weighted) {
                out.write(
                        "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n");
            }
            out.write(
                    "  <graph edgedefault=\"%s\">\n"
                            .formatted(graph.info().directed() ? "directed" : "undirected"));
            for (int vertex = 0; vertex < graph.ids().size(); vertex++) {
                StringBuilder data = new StringBuilder();
                for (int i = 0; i < columns.size(); i++) {
                    String text = columns.get(i).texts().get(vertex);
                    if (text != null) {
                        data.append("<data key=\"v%d\">%s</data>".formatted(i, xml(text)));
                    }
                }
                String begin = "    <node id=\"" + xml(graph.ids().get(vertex)) + "\"";
                out.write(begin + (data.isEmpty() ? "/>\n" : ">" + data + "</node>\n"));
            }
            for (SmallGraph.Edge edge : graph.edges()) {
                out.write(
                        "    <edge source=\"%s\" target=\"%s\"%s"
                                .formatted(
                                        xml(graph.ids().get(edge.source())),
                                        xml(graph.ids().get(edge.target())),
                                        weighted
                                                ? "><data key=\"weight\">%s</data></edge>\n"
                                                        .formatted(
                                                                GraphFileWriter.text(edge.weight()))
                                                : "/>\n"));
            }
            out.write("  </graph>\n</graphml>\n");
        }
    },
    /** The language of Graphviz. */
    DOT("dot", "dot", "gv") {
        @Override
        void write(Writer out, SmallGraph graph) throws IOException {
            boolean directed = graph.info().directed();
            out.write(directed ? "digraph {\n" : "graph {\n");
            for (int vertex = 0; vertex < graph.ids().size(); vertex++) {
                StringBuilder attributes = new StringBuilder();
                for (SmallGraph.Values column : graph.columns()) {
                    String text = column.texts().get(vertex);
                    if (text != null) {
                        attributes
                                .append(attributes.isEmpty() ? "" : ", ")
                                .append(DotText.word(column.name()))
                                .append('=')
                                .append(DotText.word(text));
                    }
                }
                out.write(
                        "  "
                                + DotText.word(graph.ids().get(vertex))
                                + (attributes.isEmpty() ? "" : " [" + attributes + "]")
                                + ";\n");
            }
            for (SmallGraph.Edge edge : graph.edges()) {
                String weight = DotText.word(GraphFileWriter.text(edge.weight()));
                out.write(
                        "  "
                                + DotText.word(graph.ids().get(edge.source()))
                                + (directed ? " -> " : " -- ")
                                + DotText.word(graph.ids().get(edge.target()))
                                + (graph.info().weighted()
                                        ? " [weight=" + weight + ", label=" + weight + "]"
                                        : "")
                                + ";\n");
            }
            out.write("}\n");
        }
    };

    private final String title;
    private final List<String> endings;

    SmallGraphFormat(String title, String... endings) {
        this.title = title;
        this.endings = List.of(endings);
    }

    /** The name in scripts. */
    public String title() {
        return title;
    }

    /** All names. */
    public static String[] titles() {
        return Arrays.stream(values()).map(SmallGraphFormat::title).toArray(String[]::new);
    }

    /** The format of that name, if there is one. */
    public static Optional<SmallGraphFormat> named(String name) {
        return Arrays.stream(values()).filter(format -> format.title.equals(name)).findFirst();
    }

    /** The format that the ending of a file's name tells, whatever it is packed with. */
    public static Optional<SmallGraphFormat> ofName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        String bare = name.substring(0, name.length() - Packing.named(file).ending().length());
        return Arrays.stream(values())
                .filter(format -> format.endings.stream().anyMatch(one -> bare.endsWith("." + one)))
                .findFirst();
    }

    /**
     * Writes a graph into a file, which appears whole or not at all, and is packed if its name ends
     * that way.
     *
     * @param columns states, properties and published columns of vertices
     * @param file its absolute path without links
     * @return number of vertices
     * @throws InvalidInputException if the graph is not small, or has no such column
     */
    public long write(GraphSession session, String graph, List<String> columns, Path file)
            throws IOException {
        SmallGraph small = SmallGraph.read(session, graph, columns, title);
        try (WholeFile whole = WholeFile.create(file)) {
            try (Writer out =
                    new BufferedWriter(
                            new OutputStreamWriter(
                                    Packing.named(file)
                                            .pack(Channels.newOutputStream(whole.channel())),
                                    StandardCharsets.UTF_8))) {
                write(out, small);
            }
            whole.commit();
        }
        return small.ids().size();
    }

    abstract void write(Writer out, SmallGraph graph) throws IOException;

    private static String xmlType(SmallGraph.Values column) {
        return column.length() > 1 ? PropertyType.STRING.toString() : column.type().toString();
    }

    /**
     * A text as it stands in attributes and elements.
     *
     * @throws InvalidInputException if XML can't have one of its characters
     */
    static String xml(String text) {
        StringBuilder escaped = new StringBuilder();
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
            escaped.append(escape == null ? String.valueOf(character) : escape);
        }
        return escaped.toString();
    }
}
