package org.starling.algorithms;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks the states that a breadth-first search left, after the Graph500 specification's validation
 * rules.
 *
 * <p>Rules: (1) the source alone has level 0, and itself as its parent; (2) an unreached vertex has
 * no parent; (3) a reached vertex's parent is a neighbour one level up; (4) no edge leads from a
 * reached vertex to an unreached one or to one more than a level further. By (3) there is a path as
 * short as the level says, by (4) none is shorter, so the rules hold for correct levels only.
 *
 * <p>In directed graphs a vertex does not see who points at it. There (3) is counted from the other
 * side: edges u → v with u the parent of v must be as many as there are reached vertices besides
 * the source, and since edges are simple and each vertex has one parent, none can be missing.
 *
 * <p>Two supersteps: levels are published, then every edge is looked at once.
 *
 * <p>Parameter: {@value BfsProgram#SOURCE}, an original id.
 */
final class BfsCheck implements ShardProgram {
    static final String NAME = "algorithms.bfs.check";

    private static final int UNREACHED = -1;

    private final long source;
    private boolean directed;
    private long vertices;
    private IntState level;
    private LongState parent;
    private IntMirror levels;
    private LongMirror parents;
    private LongAggregator falseRoot;
    private LongAggregator falseOrphan;
    private LongAggregator falseParent;
    private LongAggregator falseEdge;
    private LongAggregator roots;
    private LongAggregator children;
    private LongAggregator treeEdges;

    BfsCheck(Parameters parameters) {
        source = parameters.integer(BfsProgram.SOURCE);
    }

    /**
     * Runs the check.
     *
     * @param source original id of the vertex that the search started from
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(GraphSession session, String graph, long source) {
        RunResult run = session.run(graph, NAME, Parameters.of(BfsProgram.SOURCE, source));
        Verdict verdict = new Verdict(session, graph, "breadth-first search", run);
        verdict.nobody("falseRoot", "has level 0 but is not the source with itself as its parent");
        verdict.nobody("falseOrphan", "has a parent although it was not reached");
        verdict.nobody("falseParent", "has a parent that is not a neighbour one level up");
        verdict.nobody("falseEdge", "has a neighbour that should have been reached from it");
        long found = run.longAggregate("roots");
        verdict.all(found == 1, "there are " + found + " vertices of level 0 instead of one");
        if (session.info(graph).directed()) {
            long missing = run.longAggregate("children") - run.longAggregate("treeEdges");
            verdict.all(missing == 0, missing + " vertices have a parent without an edge to them");
        }
    }

    @Override
    public void declare(Declaration graph) {
        directed = graph.graph().directed();
        vertices = graph.graph().vertices();
        level = graph.existingIntState(Bfs.LEVEL);
        parent = graph.existingVertexState(Bfs.PARENT);
        levels = graph.intMirror("levels", UNREACHED);
        parents = graph.longMirror("parents", UNREACHED);
        falseRoot = graph.longAggregator("falseRoot", LongCombiner.MIN);
        falseOrphan = graph.longAggregator("falseOrphan", LongCombiner.MIN);
        falseParent = graph.longAggregator("falseParent", LongCombiner.MIN);
        falseEdge = graph.longAggregator("falseEdge", LongCombiner.MIN);
        roots = graph.longAggregator("roots", LongCombiner.SUM);
        children = graph.longAggregator("children", LongCombiner.SUM);
        treeEdges = graph.longAggregator("treeEdges", LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            publish(shard);
        } else {
            for (long v = shard.first(); v < shard.end(); v++) {
                int own = level.get(v);
                if (own < 0) {
                    checkUnreached(v, own);
                } else {
                    checkParent(shard, v, own);
                    checkEdges(shard.adjacency(), v, own);
                }
            }
        }
    }

    private void publish(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            int own = level.get(v);
            if (own >= 0) {
                levels.publish(v, own);
                if (directed) {
                    parents.publish(v, parent.get(v));
                }
            }
        }
    }

    private void checkUnreached(long v, int own) {
        if (own != UNREACHED || parent.get(v) != UNREACHED) {
            falseOrphan.add(v);
        }
    }

    private void checkParent(Shard shard, long v, int own) {
        long above = parent.get(v);
        if (own == 0) {
            roots.add(1);
            if (above != v || shard.id(v) != source) {
                falseRoot.add(v);
            }
            return;
        }
        children.add(1);
        boolean sound =
                above >= 0
                        && above < vertices
                        && levels.read(above) == own - 1
                        && (directed || shard.adjacency().contains(v, above));
        if (!sound) {
            falseParent.add(v);
        }
    }

    private void checkEdges(Adjacency rows, long v, int own) {
        int degree = rows.degree(v);
        for (int i = 0; i < degree; i++) {
            long target = rows.neighbour(v, i);
            int there = levels.read(target);
            if (there < 0 || there > own + 1) {
                falseEdge.add(v);
            } else if (directed && there == own + 1 && parents.read(target) == v) {
                treeEdges.add(1);
            }
        }
    }
}
