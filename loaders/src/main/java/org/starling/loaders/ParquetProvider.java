package org.starling.loaders;

/**
 * Edge source {@code parquet}: tables of edges, and perhaps of vertices, in files of Apache
 * Parquet. Columns {@code source} and {@code target} hold the ends of edges, {@code weight} their
 * weight, {@code id} the ids of vertices; every other column is a property, of the type that the
 * file says. Row groups are read in parallel.
 *
 * <p>Parameters: {@code file} (absolute path), or {@code files} (several); {@code vertices} (a file
 * of vertices, or several), {@code ids} ({@code number} or {@code text}), {@code source}, {@code
 * target}, {@code weight} (columns of other names; weight {@code none} leaves weights out), {@code
 * columns} (texts {@code name:type}: {@code none} leaves a column out, a type with {@code ?} allows
 * missing values, which stand for 0 or false).
 */
public final class ParquetProvider extends FormatProvider {
    public ParquetProvider() {
        super(FileFormat.PARQUET);
    }
}
