package org.starling.loaders;

/**
 * Edge source {@code graphml}: one graph of nodes and edges with typed attributes. Attributes are
 * properties; {@code weight} of edges is their weight. Ids are whole numbers, or {@code n} and a
 * whole number. Nested graphs, hyperedges and ports are refused, data of programs of their own
 * (drawings) is passed over. Nothing outside the file is read, and no entity is expanded.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether undirected edges stand for
 * both directions), {@code weight} (another attribute; {@code none} leaves weights out). Source of
 * the format: GraphML 1.0, the primer and its schema.
 */
public final class GraphMlProvider extends FormatProvider {
    public GraphMlProvider() {
        super(FileFormat.GRAPHML);
    }
}
