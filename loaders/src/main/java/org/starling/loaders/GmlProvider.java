package org.starling.loaders;

/**
 * Edge source {@code gml}: {@code graph [ directed 0 node [ id 1 label "a" ] edge [ source 1 target
 * 2 weight 0.5 ] ]}. Keys of nodes and edges are properties, whose types follow from all their
 * values; {@code weight} of edges is their weight. Lists in nodes and edges (drawings), and keys
 * that one of them has twice, are passed over. Ids are whole numbers. Text is UTF-8 or Latin-1, and
 * may hold numbered entities.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether undirected edges stand for
 * both directions), {@code weight} (another key; {@code none} leaves weights out). Source of the
 * format: Himsolt, GML: a portable graph file format.
 */
public final class GmlProvider extends FormatProvider {
    public GmlProvider() {
        super(FileFormat.GML);
    }
}
