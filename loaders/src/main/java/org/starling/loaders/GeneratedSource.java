package org.starling.loaders;

import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.JobFailedException;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * A generated graph, whose ids are dense from 0. Immutable.
 *
 * @param generator its name
 * @param vertices how many there are
 * @param edges how many there are
 * @param weighted whether edges have weights
 * @param items edges or vertices, whichever of them parts are cut of
 * @param maker makes the edges
 */
record GeneratedSource(
        String generator, long vertices, long edges, boolean weighted, long items, Maker maker)
        implements EdgeSource {

    /** Makes edges, on any thread. */
    @FunctionalInterface
    interface Maker {
        /** Makes those of the items from {@code first} up to {@code end}; how many they were. */
        long make(long first, long end, EdgeSink sink);
    }

    @Override
    public SourceDescription describe() {
        return new SourceDescription(GraphSize.parts(items), true, 0, vertices, edges, weighted);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        long perPart = GraphSize.partItems(items);
        long first = part * perPart;
        long end = Math.min(first + perPart, items);
        return new PartSummary(end - first, 0, maker.make(first, end, sink), 0);
    }

    /**
     * Compares the number of edges.
     *
     * @throws JobFailedException if parts are missing or were read twice
     */
    @Override
    public void check(List<PartSummary> parts) {
        long made = parts.stream().mapToLong(PartSummary::entries).sum();
        if (made != edges) {
            throw new JobFailedException(
                    "generator %s: %d edges arrived in %d parts, %d were due"
                            .formatted(generator, made, parts.size(), edges));
        }
    }
}
