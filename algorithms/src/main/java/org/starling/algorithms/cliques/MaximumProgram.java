package org.starling.algorithms.cliques;

import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.Master;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Finds a largest clique and marks its members.
 *
 * <p>Superstep 0 finds cliques quickly ({@link MaximumKernel#greedy}), which gives a first bound.
 * Then come slices of sub-problems: those of the smallest ranks, where the graph is densest, first,
 * each slice having twice the ranks of all before it. Workers of a node share what they have found
 * at once ({@link Incumbent}), nodes after each slice. At the end the node that found the best
 * clique tells its members, and they mark themselves.
 *
 * <p>One instance per worker, confined to it. Memory per node: 4 bytes per edge and 12 per vertex,
 * 4 per vertex for each worker, and matrices of at most d²/4 bytes for degeneracy d.
 */
public final class MaximumProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.maximumclique";

    /** State ({@code int}): 1 for members of the clique, 0 for others. */
    public static final String MEMBER = "maximumClique";

    /** Histogram with one bucket: calls of the search. */
    public static final String CALLS = "calls";

    /** Ranks of the first slice. */
    private static final long FIRST_SLICE = 64;

    /** No slice any more: members are told. */
    private static final long TELL = -1;

    /** Members mark themselves. */
    private static final long MARK = -2;

    private long vertices;
    private PerNode<MaximumIndex> shared;
    private IntState member;
    private VertexChannel marks;
    private LongAggregator best;
    private LongGlobal known;

    /** The rank behind the slice, {@link #TELL} or {@link #MARK}. */
    private LongGlobal sliceEnd;

    private Histogram calls;
    private @Nullable Worker worker;

    /** What a worker keeps from shard to shard. */
    @SuppressWarnings("ArrayRecordComponent") // a buffer; nobody compares workers
    private record Worker(MaximumIndex index, MaximumKernel kernel, int[] buffer) {}

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        OrientedGraph.requireFits(graph.graph(), "clique search");
        vertices = graph.graph().vertices();
        int count = Math.toIntExact(vertices);
        Adjacency whole = graph.wholeGraph();
        shared = graph.perNode("maximum", () -> MaximumIndex.of(whole, count));
        member = graph.intState(MEMBER, 0);
        marks = graph.vertexChannel("marks");
        best = graph.longAggregator("best", LongCombiner.MAX);
        known = graph.longGlobal("known", 0);
        sliceEnd = graph.longGlobal("sliceEnd", 0);
        calls = graph.histogram(CALLS);
    }

    /** The members of the largest clique so far are in the memory of the node that found it. */
    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public void compute(Shard shard) {
        if (worker == null) {
            worker = hire(shared.get());
        }
        Incumbent incumbent = worker.index().incumbent();
        incumbent.raise(known.get());
        if (shard.superstep() == 0) {
            incumbent.raise(Incumbent.markOfSize(greedy(shard, worker)));
        } else if (sliceEnd.get() == TELL) {
            tellMembers(worker.index());
        } else if (sliceEnd.get() == MARK) {
            markMembers(shard);
        } else {
            searchSlice(shard, worker);
        }
        best.add(incumbent.mark());
    }

    private Worker hire(MaximumIndex index) {
        MaximumKernel kernel =
                new MaximumKernel(index.graph(), index.incumbent(), count -> calls.add(0, count));
        return new Worker(index, kernel, new int[index.graph().largestDegree()]);
    }

    private static int greedy(Shard shard, Worker worker) {
        RankShares shares = worker.index().shares();
        long end = shares.end(shard);
        int largest = 0;
        for (long position = shares.begin(shard); position < end; position++) {
            int rank = shares.rank(position);
            if (worker.index().graph().degree(rank) >= largest) {
                largest = Math.max(largest, worker.kernel().greedy(rank, worker.buffer()));
            }
        }
        return largest;
    }

    private void searchSlice(Shard shard, Worker worker) {
        long end = sliceEnd.get();
        long begin = end == FIRST_SLICE ? 0 : end / 2;
        int floor = Incumbent.size(known.get());
        RankShares shares = worker.index().shares();
        long positionEnd = shares.end(shard);
        for (long position = shares.begin(shard); position < positionEnd; position++) {
            int rank = shares.rank(position);
            if (rank >= begin && rank < end) {
                worker.kernel().search(rank, floor);
            }
        }
    }

    private void tellMembers(MaximumIndex index) {
        int[] members = index.incumbent().takeMembers();
        if (members != null) {
            for (int rank : members) {
                long ordinal = index.graph().order().ordinal(rank);
                marks.send(ordinal, ordinal);
            }
        }
    }

    private void markMembers(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (marks.hasReceived(v)) {
                member.set(v, 1);
            }
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        known.set(best.value());
        long end = sliceEnd.get();
        if (end == TELL) {
            sliceEnd.set(MARK);
        } else if (end != MARK) {
            sliceEnd.set(end == 0 ? FIRST_SLICE : end < vertices ? 2 * end : TELL);
            master.activateAll();
        }
    }
}
