package org.starling.loaders;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.WholeFile;

/**
 * Writes the graph of one file into another one, in another format. The edges lie in memory
 * meanwhile; the file appears whole or not at all. Confined to one thread.
 */
public final class GraphConversion {
    private static final Set<FileFormat> WRITTEN =
            Set.of(
                    FileFormat.EDGE_LIST,
                    FileFormat.METIS,
                    FileFormat.MATRIX_MARKET,
                    FileFormat.DIMACS,
                    FileFormat.GAP,
                    FileFormat.GRAPH500,
                    FileFormat.GRAPH500_PACKED,
                    FileFormat.GRAPHML,
                    FileFormat.PARQUET,
                    FileFormat.ARROW,
                    FileFormat.DOT);
    private static final Set<FileFormat> BINARY =
            Set.of(
                    FileFormat.GAP,
                    FileFormat.GRAPH500,
                    FileFormat.GRAPH500_PACKED,
                    FileFormat.PARQUET,
                    FileFormat.ARROW);
    private static final int BUFFER_BYTES = 1 << 18;

    private final EdgeTable table;
    private long selfLoops;
    private long duplicates;

    private GraphConversion(EdgeTable table) {
        this.table = table;
    }

    /**
     * What was written.
     *
     * @param vertices number of vertices
     * @param edges number of edges
     * @param directed whether they have directions
     * @param weighted whether they have weights
     * @param renumbered whether vertices have other numbers now, in the order of their ids
     * @param skippedSelfLoops edges left out because the format has no room for them
     * @param skippedDuplicates the same of repeated ones
     * @param leftOut properties that were not written
     */
    public record Written(
            long vertices,
            long edges,
            boolean directed,
            boolean weighted,
            boolean renumbered,
            long skippedSelfLoops,
            long skippedDuplicates,
            List<String> leftOut) {}

    /** Whether such files are written. */
    public static boolean isWritten(FileFormat format) {
        return WRITTEN.contains(format);
    }

    /**
     * Converts a file.
     *
     * @param from format of the source
     * @param parameters of the source; {@code directed} says what the graph is taken for
     * @param file where to; its ending says how it is packed
     * @throws InvalidInputException if the source makes no sense, or the format can't hold it
     */
    public static Written convert(FileFormat from, Parameters parameters, Path file, FileFormat to)
            throws IOException {
        Packing packing = Packing.named(file);
        if (!isWritten(to)) {
            throw new InvalidInputException("%s is read but not written".formatted(to.title()));
        }
        if (BINARY.contains(to) && packing != Packing.NONE) {
            throw new InvalidInputException(
                    "%s: a file of format %s is not written compressed, since it could not be read then (leave %s out of its name)"
                            .formatted(file, to.title(), packing.ending()));
        }
        boolean directed = parameters.flag(SourceOptions.DIRECTED);
        if (to == FileFormat.METIS && directed) {
            throw new InvalidInputException(
                    "edges of METIS have no direction, and those of this file have one (say that it does not matter: undirected)");
        }
        EdgeTable table = EdgeTable.read(from.source(parameters), directed);
        return new GraphConversion(table).write(file, packing, to);
    }

    private Written write(Path file, Packing packing, FileFormat to) throws IOException {
        boolean weights =
                table.weighted() && (to == FileFormat.GRAPH500 || to == FileFormat.GRAPH500_PACKED);
        try (WholeFile whole = WholeFile.create(file);
                WholeFile second =
                        weights ? WholeFile.create(EdgeFileFormat.weightsOf(file)) : null) {
            GraphFileWriter writer = new GraphFileWriter(table);
            try (OutputStream out = stream(whole, packing)) {
                writer.write(out, to, String.valueOf(file.getFileName()).contains(".csv"));
            }
            if (second != null) {
                try (OutputStream out = stream(second, Packing.NONE)) {
                    writer.writeWeights(out);
                }
                second.commit();
            }
            whole.commit();
            selfLoops = writer.selfLoops();
            duplicates = writer.duplicates();
        }
        boolean oneBased =
                to == FileFormat.METIS || to == FileFormat.MATRIX_MARKET || to == FileFormat.DIMACS;
        boolean isBinary = to == FileFormat.GRAPH500 || to == FileFormat.GRAPH500_PACKED;
        boolean ranked = oneBased || to == FileFormat.GAP || (table.textIds() && isBinary);
        return new Written(
                table.vertices(),
                table.edges() - selfLoops - duplicates,
                table.directed(),
                table.weighted(),
                ranked && table.isRenumbered(oneBased ? 1 : 0),
                selfLoops,
                duplicates,
                List.copyOf(table.properties()));
    }

    private static OutputStream stream(WholeFile file, Packing packing) throws IOException {
        return new BufferedOutputStream(
                packing.pack(
                        new BufferedOutputStream(
                                Channels.newOutputStream(file.channel()), BUFFER_BYTES)),
                BUFFER_BYTES);
    }
}
