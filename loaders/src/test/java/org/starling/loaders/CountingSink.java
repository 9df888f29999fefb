package org.starling.loaders;

import org.starling.graph.EdgeSink;

/** Counts edges and forgets them. */
final class CountingSink implements EdgeSink {

    long edges;
    long sum;

    @Override
    public void edge(long source, long target, float weight) {
        edges++;
        sum += source ^ target;
    }

    @Override
    public void vertex(long id) {
        sum += id;
    }
}
