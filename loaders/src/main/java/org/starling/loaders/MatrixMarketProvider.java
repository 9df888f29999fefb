package org.starling.loaders;

/**
 * Edge source {@code mtx}: square sparse matrices in the Matrix Market's coordinate form. An entry
 * {@code row column [value]} is an edge from row to column, its value the weight; a {@code
 * symmetric} file lists one triangle and stands for an undirected graph. Ids are dense, from 1;
 * rows without entries are vertices, too. Values must be finite and not negative.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether entries of a symmetric
 * file stand for both directions), {@code weight} ({@code none} leaves values out), {@code
 * partBytes} (size of parts, 4 MiB). Source of the format: NIST, The Matrix Market exchange
 * formats: initial design, 1996.
 */
public final class MatrixMarketProvider extends FormatProvider {
    public MatrixMarketProvider() {
        super(FileFormat.MATRIX_MARKET);
    }
}
