package org.starling.loaders;

import org.starling.graph.EdgeSink;
import org.starling.graph.TextId;

/** Takes what nobody wants, and still refuses ids that are none. */
final class Nowhere implements EdgeSink {
    @Override
    public void edge(long source, long target, float weight) {}

    @Override
    public void vertex(long id) {}

    @Override
    public long number(byte[] utf8, int offset, int length) {
        TextId.require(utf8, offset, length);
        return 0;
    }
}
