package org.starling.loaders;

/**
 * Edge source {@code dimacs}: files of the DIMACS challenges. Behind {@code p sp vertices arcs}
 * stand arcs {@code a source target weight} (challenge 9, {@code .gr}), behind {@code p edge
 * vertices edges} edges {@code e one other} without direction and weight (challenge 2). Lines that
 * begin with {@code c} are comments; those with {@code n}, colours of vertices, are passed over in
 * files of edges and refused in files of arcs. Ids are dense, from 1.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether edges stand for both
 * directions), {@code weight} ({@code none} leaves weights out), {@code partBytes} (size of parts,
 * 4 MiB). Source of the format: 9th DIMACS implementation challenge, file formats.
 */
public final class DimacsProvider extends FormatProvider {
    public DimacsProvider() {
        super(FileFormat.DIMACS);
    }
}
