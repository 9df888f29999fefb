package org.starling.compute;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program's run, explained: what it was expected to take, and what it took.
 *
 * @param program name of the program
 * @param graph name of the graph
 * @param supersteps number of supersteps
 * @param seconds time of the supersteps
 * @param columnBytes memory of all columns that the program declared, on each peer, if every vertex
 *     uses them: known before the run
 * @param mostMessages messages of a superstep in which every vertex broadcasts on every channel:
 *     known before the run
 * @param incoming whether rows of incoming edges are stored; without them everything is pushed
 * @param history what happened, superstep by superstep; a long run's are put together so that there
 *     are at most {@link #MAX_RECORDS}
 */
public record RunRecord(
        String program,
        String graph,
        int supersteps,
        double seconds,
        long columnBytes,
        long mostMessages,
        boolean incoming,
        List<SuperstepRecord> history) {
    /** Most records of a run. */
    public static final int MAX_RECORDS = 1024;

    /** Copies the list. */
    public RunRecord {
        history = List.copyOf(history);
    }

    /** As a JSON tree. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("program", program);
        tree.put("graph", graph);
        tree.put("supersteps", (long) supersteps);
        tree.put("seconds", seconds);
        tree.put("expectedColumnBytesPerPeer", columnBytes);
        tree.put("expectedMostMessages", mostMessages);
        tree.put("incoming", incoming);
        tree.put(
                "mostMessages",
                history.stream().mapToLong(SuperstepRecord::messages).max().orElse(0));
        tree.put("history", history.stream().map(SuperstepRecord::tree).toList());
        return tree;
    }
}
