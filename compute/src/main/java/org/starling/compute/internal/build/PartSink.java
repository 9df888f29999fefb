package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.SourceDescription;

/** Takes edges from one reading thread, drops self-loops. Confined to that thread. */
final class PartSink implements EdgeSink {
    private final SourceDescription source;
    private final EdgeRecords layout;
    private final StopSign stop;
    private final Records edges;
    private final LongOpenHashSet ids = new LongOpenHashSet();
    private long selfLoops;

    /**
     * Starts with no edges.
     *
     * @param layout of edges as read: ranks of a dense source, ids of a sparse one
     */
    PartSink(SourceDescription source, EdgeRecords layout, Slabs slabs, StopSign stop) {
        this.source = source;
        this.stop = stop;
        this.layout = layout;
        this.edges = new Records(slabs, layout.bytes());
    }

    @Override
    public void edge(long from, long to, float weight) {
        stop.check();
        if (source.dense()) {
            long first = ordinal(from);
            long second = ordinal(to);
            if (first == second) {
                selfLoops++;
            } else {
                layout.write(edges.add(), first, second, weight);
            }
            return;
        }
        ids.add(IdRanges.ordered(from));
        if (from == to) {
            selfLoops++;
        } else {
            ids.add(IdRanges.ordered(to));
            layout.write(edges.add(), IdRanges.ordered(from), IdRanges.ordered(to), weight);
        }
    }

    @Override
    public void vertex(long id) {
        stop.check();
        if (source.dense()) {
            ordinal(id);
        } else {
            ids.add(IdRanges.ordered(id));
        }
    }

    /** Edges; those of a sparse source with ids as {@link IdRanges#ordered} has them. */
    Records edges() {
        return edges;
    }

    /** Ids that were named, as {@link IdRanges#ordered} has them. */
    LongOpenHashSet ids() {
        return ids;
    }

    long selfLoops() {
        return selfLoops;
    }

    private long ordinal(long id) {
        long ordinal = id - source.firstId();
        if (ordinal < 0 || ordinal >= source.vertexCount()) {
            throw new InvalidInputException(
                    "vertex id "
                            + Long.toUnsignedString(id)
                            + " is outside "
                            + Long.toUnsignedString(source.firstId())
                            + " to "
                            + Long.toUnsignedString(source.firstId() + source.vertexCount() - 1));
        }
        return ordinal;
    }
}
