package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.compute.PeerMemory;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;

/**
 * Reads explained runs from JSON: what {@link RunRecord#tree} made. What is not of the form is an
 * {@link IllegalArgumentException}.
 */
final class RunTree {
    private RunTree() {}

    static RunRecord run(Map<?, ?> run) {
        List<PeerMemory> memory = new ArrayList<>();
        for (Object peer : ProgressTree.list(run.get("memory"))) {
            memory.add(peer(ProgressTree.map(peer)));
        }
        List<SuperstepRecord> history = new ArrayList<>();
        for (Object superstep : ProgressTree.list(run.get("history"))) {
            history.add(superstep(ProgressTree.map(superstep)));
        }
        return new RunRecord(
                ProgressTree.text(run, "program"),
                ProgressTree.text(run, "graph"),
                (int) ProgressTree.integer(run, "supersteps"),
                ProgressTree.number(run, "seconds"),
                memory,
                ProgressTree.integer(run, "expectedMostMessages"),
                ProgressTree.flag(run, "incoming"),
                history);
    }

    private static PeerMemory peer(Map<?, ?> peer) {
        return new PeerMemory(
                (int) ProgressTree.integer(peer, "node"),
                ProgressTree.integer(peer, "expectedBytes"),
                ProgressTree.integer(peer, "availableBytes"),
                ProgressTree.integer(peer, "takenBytes"));
    }

    private static SuperstepRecord superstep(Map<?, ?> superstep) {
        return new SuperstepRecord(
                (int) ProgressTree.integer(superstep, "first"),
                (int) ProgressTree.integer(superstep, "last"),
                ProgressTree.integer(superstep, "frontier"),
                ProgressTree.text(superstep, "direction"),
                ProgressTree.integer(superstep, "messages"),
                ProgressTree.integer(superstep, "bytes"),
                ProgressTree.number(superstep, "seconds"),
                (int) ProgressTree.integer(superstep, "slowestShard"),
                ProgressTree.number(superstep, "slowestSeconds"));
    }
}
