package org.starling.loaders;

/**
 * Edge source {@code graph500}: 16 bytes for each edge, source and target as 64-bit numbers,
 * little-endian, as {@link EdgeFileFormat#GRAPH500} writes them. Edges have no direction. If there
 * is a file of the same name with {@code .weights} behind it, it holds a 32-bit floating point
 * number for each edge: its weight. Ids are sparse, 0 to 2⁴⁸ − 1.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether edges stand for both
 * directions), {@code weight} ({@code none} leaves weights out), {@code partBytes} (size of parts,
 * 4 MiB).
 */
public final class Graph500Provider extends FormatProvider {
    public Graph500Provider() {
        super(FileFormat.GRAPH500);
    }
}
