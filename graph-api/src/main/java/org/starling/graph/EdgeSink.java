package org.starling.graph;

/** Takes the edges of one part. Confined to the thread that reads the part. */
public interface EdgeSink {
    /**
     * An edge.
     *
     * @param source original id, an unsigned number of 64 bits
     * @param target original id, an unsigned number of 64 bits
     * @param weight its weight; ignored where the source has none
     */
    void edge(long source, long target, float weight);

    /** A vertex, perhaps without edges. Only sparse sources need to name them. */
    void vertex(long id);
}
