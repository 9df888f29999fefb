package org.starling.compute;

import java.util.Comparator;
import java.util.List;

/**
 * A program's run, explained: what it was expected to take, and what it took.
 *
 * @param program name of the program
 * @param graph name of the graph
 * @param supersteps number of supersteps
 * @param seconds time of the supersteps
 * @param memory of each peer, the one that took most first; its prediction beside it
 * @param expectedMostMessages messages of a superstep in which every vertex broadcasts on every
 *     channel: known before the run
 * @param resumes whether a loss would have it go on in the middle
 * @param incoming whether rows of incoming edges are stored; without them everything is pushed
 * @param history what happened, superstep by superstep; a long run's are put together so that there
 *     are at most {@link #MAX_RECORDS}
 */
public record RunRecord(
        String program,
        String graph,
        int supersteps,
        double seconds,
        List<PeerMemory> memory,
        long expectedMostMessages,
        boolean resumes,
        boolean incoming,
        List<SuperstepRecord> history) {
    /** Most records of a run. */
    public static final int MAX_RECORDS = 1024;

    /** Copies and sorts the lists. */
    public RunRecord {
        memory =
                memory.stream()
                        .sorted(
                                Comparator.comparingLong(PeerMemory::takenBytes)
                                        .reversed()
                                        .thenComparingInt(PeerMemory::node))
                        .toList();
        history = List.copyOf(history);
    }

    /** Most messages of a superstep; where several are put together, their mean counts. */
    public long mostMessages() {
        return history.stream()
                .mapToLong(r -> r.messages() / (r.last() - r.first() + 1))
                .max()
                .orElse(0);
    }
}
