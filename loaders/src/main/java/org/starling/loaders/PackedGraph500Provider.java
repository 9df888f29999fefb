package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;

/**
 * Edge source {@code graph500-packed}: 12 bytes for each edge, as {@link
 * EdgeFileFormat#GRAPH500_PACKED} writes them; otherwise as {@link Graph500Provider}.
 */
public final class PackedGraph500Provider implements EdgeSourceProvider {
    @Override
    public String name() {
        return FileFormat.GRAPH500_PACKED.title();
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        return new Graph500Source(parameters, EdgeFileFormat.GRAPH500_PACKED);
    }
}
