package org.starling.algorithms;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks core numbers by a witness: the round in which each vertex was peeled off.
 *
 * <p>Rules, for a vertex v with core number c and round r: (1) at least c neighbours have a core
 * number of c or more; (2) at most c neighbours have a round of r or later; (3) neighbours of
 * earlier rounds have core numbers of at most c.
 *
 * <p>Why that is enough: by (1) the vertices of core number c or more form a subgraph in which
 * everyone has c neighbours, so no number is too large. Were one too small, there would be a
 * subgraph H in which everyone has K neighbours although some vertices of H claim less than K. Of
 * these let v be of the earliest round. By (2) fewer than K of its neighbours in H are of its round
 * or later, so one is of an earlier round; that one claims K or more, since v is the earliest that
 * does not; and that breaks (3).
 *
 * <p>Two supersteps: numbers and rounds are published, then every edge is looked at once.
 */
final class KCoreCheck implements ShardProgram {
    static final String NAME = "algorithms.kcore.check";

    private IntState core;
    private IntState round;

    /** Core number in the upper half, round in the lower: one access to memory for both. */
    private LongMirror coreAndRound;

    private LongAggregator tooLarge;
    private LongAggregator tooSmall;
    private LongAggregator outOfTurn;

    /**
     * Runs the check.
     *
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(GraphSession session, String graph) {
        RunResult run = session.run(graph, NAME, Parameters.NONE);
        Verdict verdict = new Verdict(session, graph, "k-core", run);
        verdict.nobody("tooLarge", "has a core number above what its neighbours allow");
        verdict.nobody("tooSmall", "has a core number below what it was left with when peeled off");
        verdict.nobody("outOfTurn", "was peeled off after a neighbour with a larger core number");
    }

    @Override
    public void declare(Declaration graph) {
        core = graph.existingIntState(KCore.CORE);
        round = graph.existingIntState(KCore.ROUND);
        coreAndRound = graph.longMirror("coreAndRound", 0);
        tooLarge = graph.longAggregator("tooLarge", LongCombiner.MIN);
        tooSmall = graph.longAggregator("tooSmall", LongCombiner.MIN);
        outOfTurn = graph.longAggregator("outOfTurn", LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                long both = ((long) core.get(v) << 32) | Integer.toUnsignedLong(round.get(v));
                coreAndRound.publish(v, both);
            } else {
                check(shard.adjacency(), v);
            }
        }
    }

    private void check(Adjacency rows, long v) {
        int ownCore = core.get(v);
        int ownRound = round.get(v);
        int degree = rows.degree(v);
        int atLeastAsDeep = 0;
        int notEarlier = 0;
        boolean inTurn = true;
        for (int i = 0; i < degree; i++) {
            long there = coreAndRound.read(rows.neighbour(v, i));
            int itsCore = (int) (there >> 32);
            int itsRound = (int) there;
            if (itsCore >= ownCore) {
                atLeastAsDeep++;
            }
            if (itsRound >= ownRound) {
                notEarlier++;
            } else if (itsCore > ownCore) {
                inTurn = false;
            }
        }
        if (atLeastAsDeep < ownCore) {
            tooLarge.add(v);
        }
        if (notEarlier > ownCore) {
            tooSmall.add(v);
        }
        if (!inTurn) {
            outOfTurn.add(v);
        }
    }
}
