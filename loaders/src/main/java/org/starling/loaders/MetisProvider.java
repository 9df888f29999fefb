package org.starling.loaders;

/**
 * Edge source {@code metis}: a header {@code vertices edges [fmt [ncon]]}, then one line per vertex
 * with its neighbours, counted from 1; lines that begin with {@code %} are comments, an empty line
 * is an isolated vertex. Edge weights (fmt 1) are numbers greater than 0; sizes and weights of
 * vertices are skipped. Ids are dense, from 1.
 *
 * <p>Every edge stands in the lines of both its ends and is given once; that both lines agree, and
 * that the header tells the truth, is checked. Parameters: {@code file} (absolute path), {@code
 * partBytes} (size of parts, 4 MiB). Source of the format: the manual of METIS 5, section 4.1.
 */
public final class MetisProvider extends FormatProvider {
    public MetisProvider() {
        super(FileFormat.METIS);
    }
}
