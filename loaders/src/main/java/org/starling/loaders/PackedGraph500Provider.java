package org.starling.loaders;

/**
 * Edge source {@code graph500-packed}: 12 bytes for each edge, as {@link
 * EdgeFileFormat#GRAPH500_PACKED} writes them; otherwise as {@link Graph500Provider}.
 */
public final class PackedGraph500Provider extends FormatProvider {
    public PackedGraph500Provider() {
        super(FileFormat.GRAPH500_PACKED);
    }
}
