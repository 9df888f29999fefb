package org.starling.loaders;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.WholeFile;

/**
 * Formats in which small graphs are written for programs that draw, with columns of their vertices
 * as attributes.
 */
@SuppressWarnings("ImmutableEnumChecker") // the methods have no state
public enum SmallGraphFormat {
    /** XML with typed attributes. */
    GRAPHML(FileFormat.GRAPHML, GraphMlText::write),
    /** The language of Graphviz. */
    DOT(FileFormat.DOT, DotText::write);

    private final FileFormat format;
    private final Text text;

    /** How a graph is written. */
    private interface Text {
        void write(DrawnGraph graph, OutputStream out) throws IOException;
    }

    SmallGraphFormat(FileFormat format, Text text) {
        this.format = format;
        this.text = text;
    }

    /** The name in scripts. */
    public String title() {
        return format.title();
    }

    /** All names. */
    public static String[] titles() {
        return Arrays.stream(values()).map(SmallGraphFormat::title).toArray(String[]::new);
    }

    /** The format of that name, if there is one. */
    public static Optional<SmallGraphFormat> named(String name) {
        return Arrays.stream(values()).filter(one -> one.title().equals(name)).findFirst();
    }

    /** The format that the ending of a file's name tells, whatever it is packed with. */
    public static Optional<SmallGraphFormat> ofName(Path file) {
        return FileFormat.ofName(file).flatMap(found -> named(found.title()));
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
        DrawnGraph small = SmallGraph.read(session, graph, columns, title());
        try (WholeFile whole = WholeFile.create(file)) {
            try (OutputStream out =
                    new BufferedOutputStream(
                            Packing.named(file).pack(Channels.newOutputStream(whole.channel())))) {
                text.write(small, out);
            }
            whole.commit();
        }
        return small.vertices();
    }
}
