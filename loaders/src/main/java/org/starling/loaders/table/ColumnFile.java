package org.starling.loaders.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table in a file that stores it column by column, in groups of rows. Immutable; several threads
 * read different groups at the same time.
 */
public interface ColumnFile {
    /** The most rows of a file, and of one group. */
    long MAX_ROWS = 1L << 40;

    /** The most groups of a file. */
    int MAX_GROUPS = 1 << 20;

    /** The most columns of a file. */
    int MAX_COLUMNS = 1 << 14;

    /** The most bytes of a text; a graph takes far shorter ones. */
    int MAX_TEXT_BYTES = 1 << 24;

    /**
     * A column of a file.
     *
     * @param name its name
     * @param kind what its values are; null if such values are not read
     * @param type its type in the words of the format, for people
     * @param optional whether a value may be missing
     */
    record Column(String name, TableColumn.@Nullable Kind kind, String type, boolean optional) {}

    /** Takes rows. */
    interface Sink {
        /**
         * Takes a batch, which is used again afterwards; false if no more is wanted.
         *
         * @param firstRow the number of its first row in the file, from 0
         */
        boolean take(TableBatch batch, long firstRow);
    }

    /**
     * Opens a file.
     *
     * @param format PARQUET or ARROW
     * @throws org.starling.graph.InvalidInputException if the file is not what its format says
     */
    static ColumnFile open(Path path, TableFormat format) throws IOException {
        return switch (format) {
            case PARQUET -> ParquetFile.open(path);
            case ARROW -> ArrowFile.open(path);
            case CSV, TSV, JSON_LINES ->
                    throw new IllegalArgumentException(format + " stores no columns");
        };
    }

    /** Where the file is. */
    Path path();

    /** Its columns. */
    List<Column> columns();

    /** Number of groups. */
    int groups();

    /** Number of rows of a group. */
    long rows(int group);

    /** Number of all rows. */
    default long rows() {
        long rows = 0;
        for (int group = 0; group < groups(); group++) {
            rows += rows(group);
        }
        return rows;
    }

    /**
     * Reads columns of a group, in the order in which they are named.
     *
     * @param wanted indexes of columns whose kinds are read
     * @throws org.starling.graph.InvalidInputException if the file is not what its format says
     */
    void read(int group, List<Integer> wanted, Sink sink) throws IOException;
}
