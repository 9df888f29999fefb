package org.starling.algorithms.cliques;

import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.TextOutput;

/**
 * Maximal cliques, counted by size and, on demand, written down.
 *
 * <p>Each shard solves the sub-problems ({@link CliqueKernel}) of the vertices whose ranks are
 * scattered to its range. If cliques are to be written, superstep 0 publishes the original ids and
 * the search is superstep 1; otherwise the search is superstep 0.
 *
 * <p>One instance per worker, confined to it; the index is shared by the workers of a node. Memory
 * per node: 8 bytes per edge and 16 per vertex (8 more for ids), and 4 per vertex for each worker.
 */
final class CliquesProgram implements ShardProgram {
    private final int minimumSize;
    private final boolean writes;
    private final boolean verifies;
    private final long seed;

    private Adjacency rows;
    private PerNode<CliqueIndex> index;
    private Histogram sizes;
    private TextOutput output;
    private LongMirror ids;
    private LongAggregator found;
    private LongAggregator wrong;
    private LongAggregator recounted;
    private LongAggregator miscounted;
    private @Nullable Worker worker;

    /**
     * @param minimumSize smaller cliques are not looked for
     * @param writes whether cliques are to be written
     * @param verifies whether a sample is to be checked
     * @param seed what the sample depends on
     */
    CliquesProgram(int minimumSize, boolean writes, boolean verifies, long seed) {
        this.minimumSize = minimumSize;
        this.writes = writes;
        this.verifies = verifies;
        this.seed = seed;
    }

    /** What a worker keeps from shard to shard. */
    private record Worker(
            CliqueIndex index,
            CliqueCollector collector,
            CliqueKernel kernel,
            @Nullable CliqueCheck check) {}

    @Override
    public void declare(Declaration graph) {
        OrientedGraph.requireFits(graph.graph(), "clique search");
        int vertices = Math.toIntExact(graph.graph().vertices());
        Adjacency whole = graph.wholeGraph();
        rows = whole;
        index = graph.perNode("cliqueIndex", () -> CliqueIndex.of(whole, vertices));
        sizes = graph.histogram(CliquesProvider.SIZES);
        output = graph.textOutput(CliquesProvider.CLIQUES);
        ids = graph.longMirror("originalIds", -1);
        found = graph.longAggregator(CliquesProvider.FOUND, LongCombiner.SUM);
        wrong = graph.longAggregator(CliquesProvider.WRONG, LongCombiner.SUM);
        recounted = graph.longAggregator(CliquesProvider.RECOUNTED, LongCombiner.SUM);
        miscounted = graph.longAggregator(CliquesProvider.MISCOUNTED, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (writes && shard.superstep() == 0) {
            for (long vertex = shard.first(); vertex < shard.end(); vertex++) {
                ids.publish(vertex, shard.id(vertex));
            }
        } else {
            if (worker == null) {
                worker = hire(index.get());
            }
            search(shard, worker);
        }
    }

    private Worker hire(CliqueIndex shared) {
        int largest = shared.smaller().largestDegree() + 1;
        CliqueLines lines =
                writes ? new CliqueLines(output, ids, shared.smaller().order(), largest) : null;
        CliqueCheck check =
                verifies
                        ? new CliqueCheck(rows, shared.smaller().order(), minimumSize, seed)
                        : null;
        CliqueCollector collector = new CliqueCollector(sizes, largest, lines, check);
        CliqueKernel kernel =
                new CliqueKernel(shared.smaller(), shared.larger(), minimumSize, collector);
        return new Worker(shared, collector, kernel, check);
    }

    private void search(Shard shard, Worker worker) {
        CliqueCollector collector = worker.collector();
        long foundBefore = collector.found();
        long wrongBefore = collector.wrong();
        for (long position = shard.first(); position < shard.end(); position++) {
            int rank = worker.index().scattering().at(position);
            long before = collector.found();
            worker.kernel().enumerate(rank);
            if (worker.check() != null && worker.check().takesProblem(rank)) {
                compare(worker.check().recount(rank), collector.found() - before);
            }
        }
        collector.flush();
        found.add(collector.found() - foundBefore);
        wrong.add(collector.wrong() - wrongBefore);
    }

    private void compare(long expected, long actual) {
        recounted.add(1);
        if (expected != actual) {
            miscounted.add(1);
        }
    }
}
