package org.starling.algorithms.cliques;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Parameters;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.TextOutput;

/**
 * Maximal cliques, counted by size and, on demand, written down.
 *
 * <p>Each shard solves the sub-problems ({@link CliqueKernel}) of its share of the ranks ({@link
 * RankShares}). If cliques are to be written, superstep 0 publishes the original ids and the search
 * is superstep 1; otherwise the search is superstep 0. Sub-problems that turn out to be long are
 * broken off there, and in the superstep behind it all shards share their branches: each of them
 * falls on a rank, as if scattered once more. What is left of a sub-problem is published at a
 * vertex of the shard that broke it off; a shard that has no further vertex breaks none off.
 *
 * <p>One instance per worker, confined to it; the index is shared by the workers of a node. Memory
 * per node: 8 bytes per edge and 16 per vertex (8 more for ids), and 4 per vertex for each worker.
 */
public final class CliquesProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.cliques";

    /** Parameter: integer, smaller cliques are neither counted nor written. */
    public static final String MINIMUM_SIZE = "minimumSize";

    /** Parameter: flag, whether the output {@link #CLIQUES} is wanted. */
    public static final String WRITE = "write";

    /** Parameter: flag, whether a sample of what is found is checked. */
    public static final String VERIFY = "verify";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Output: one clique per line. */
    public static final String CLIQUES = "cliques";

    /** Parameter: calls of the search before a sub-problem is shared; has a default. */
    public static final String MAX_CALLS = "maxCalls";

    /** Histogram: number of cliques by size. */
    public static final String SIZES = "cliqueSizes";

    /** Aggregate: number of cliques. */
    public static final String FOUND = "cliquesFound";

    /** Aggregate: cliques of the sample that are none, or not maximal. */
    public static final String WRONG = "wrongCliques";

    /** Aggregate: sub-problems that were solved twice. */
    public static final String RECOUNTED = "recountedProblems";

    /** Aggregate: those of them where the two solutions have different numbers of cliques. */
    public static final String MISCOUNTED = "miscountedProblems";

    /** Calls of the search before a sub-problem is shared, about 0.1 s of work. */
    static final long MOST_CALLS = 1L << 20;

    private final int minimumSize;
    private final boolean writes;
    private final boolean verifies;
    private final long seed;
    private final long maxCalls;

    private Adjacency rows;
    private long vertices;
    private PerNode<CliqueIndex> index;

    /** What is left of the sub-problems that were broken off, in the order of shards. */
    private PerNode<LongArrayList> brokenOff;

    /** What is left of a sub-problem: its rank, and below it the first branch that is left. */
    private LongMirror rests;

    private Histogram sizes;
    private TextOutput output;
    private LongMirror ids;
    private LongAggregator found;
    private LongAggregator wrong;
    private LongAggregator recounted;
    private LongAggregator miscounted;
    private @Nullable Worker worker;

    CliquesProgram(Parameters parameters) {
        minimumSize = Math.toIntExact(parameters.integer(MINIMUM_SIZE));
        writes = parameters.flag(WRITE);
        verifies = parameters.flag(VERIFY);
        seed = parameters.integer(SEED);
        maxCalls = parameters.integer(MAX_CALLS, MOST_CALLS);
    }

    /** What a worker keeps from shard to shard. */
    private record Worker(
            CliqueIndex index,
            CliqueCollector collector,
            CliqueKernel kernel,
            @Nullable CliqueCheck check) {}

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        OrientedGraph.requireFits(graph.graph(), "clique search");
        vertices = graph.graph().vertices();
        int count = Math.toIntExact(vertices);
        Adjacency whole = graph.wholeGraph();
        rows = whole;
        index = graph.perNode("cliqueIndex", () -> CliqueIndex.of(whole, count));
        rests = graph.longMirror("rests", BranchCut.NOTHING);
        brokenOff = graph.perNode("brokenOff", this::findBrokenOff);
        sizes = graph.histogram(SIZES);
        output = graph.textOutput(CLIQUES);
        ids = graph.longMirror("originalIds", -1);
        found = graph.longAggregator(FOUND, LongCombiner.SUM);
        wrong = graph.longAggregator(WRONG, LongCombiner.SUM);
        recounted = graph.longAggregator(RECOUNTED, LongCombiner.SUM);
        miscounted = graph.longAggregator(MISCOUNTED, LongCombiner.SUM);
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
            if (shard.superstep() == (writes ? 1 : 0)) {
                search(shard, worker);
            } else {
                share(shard, worker);
            }
        }
    }

    private LongArrayList findBrokenOff() {
        LongArrayList found = new LongArrayList();
        for (long vertex = 0; vertex < vertices; vertex++) {
            long rest = rests.read(vertex);
            if (rest != BranchCut.NOTHING) {
                found.add(rest);
            }
        }
        return found;
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
        RankShares shares = worker.index().shares();
        long end = shares.end(shard);
        long free = shard.first();
        for (long position = shares.begin(shard); position < end; position++) {
            int rank = shares.rank(position);
            long before = collector.found();
            boolean breaksOff = free < shard.end();
            int left = worker.kernel().enumerate(rank, breaksOff ? maxCalls : Long.MAX_VALUE);
            if (left != BranchCut.NOTHING) {
                rests.publish(free++, (long) rank << Integer.SIZE | left);
            } else if (worker.check() != null && worker.check().takesProblem(rank)) {
                compare(worker.check().recount(rank), collector.found() - before);
            }
        }
        collector.flush();
        found.add(collector.found() - foundBefore);
        wrong.add(collector.wrong() - wrongBefore);
    }

    /** Explores this shard's share of the branches that were left. Sums go on where they were. */
    private void share(Shard shard, Worker worker) {
        CliqueCollector collector = worker.collector();
        long foundBefore = collector.found();
        long wrongBefore = collector.wrong();
        RankShares shares = worker.index().shares();
        long begin = shares.begin(shard);
        long end = shares.end(shard);
        for (long rest : brokenOff.get()) {
            int rank = (int) (rest >>> Integer.SIZE);
            worker.kernel()
                    .resume(
                            rank,
                            (int) rest,
                            branch -> {
                                long drawn = shares.rank((rank + (long) branch) % vertices);
                                return begin <= drawn && drawn < end;
                            });
        }
        collector.flush();
        boolean first = shard.index() == 0;
        found.add(collector.found() - foundBefore + (first ? found.value() : 0));
        wrong.add(collector.wrong() - wrongBefore + (first ? wrong.value() : 0));
        recounted.add(first ? recounted.value() : 0);
        miscounted.add(first ? miscounted.value() : 0);
    }

    private void compare(long expected, long actual) {
        recounted.add(1);
        if (expected != actual) {
            miscounted.add(1);
        }
    }
}
