package org.starling.algorithms.cliques;

import org.jspecify.annotations.Nullable;
import org.starling.graph.Histogram;

/**
 * Counts cliques by size and, if told so, has them written down and a sample of them checked.
 *
 * <p>Counts go to the engine's histogram every {@link #FLUSH_CLIQUES} cliques and at the end of a
 * shard. Confined to one worker. No allocation per clique.
 */
final class CliqueCollector implements CliqueSink {
    /** Cliques between two calls of the histogram. */
    static final int FLUSH_CLIQUES = 1 << 12;

    private final Histogram sizes;
    private final @Nullable CliqueLines lines;
    private final @Nullable CliqueCheck check;

    /** Cliques of each size that the histogram does not know yet. */
    private final long[] unflushed;

    private int unflushedCliques;
    private long found;
    private long wrong;

    /**
     * @param largest size of the largest clique there can be
     * @param lines where to write cliques, if they are wanted
     * @param check who judges a sample, if it is wanted
     */
    CliqueCollector(
            Histogram sizes,
            int largest,
            @Nullable CliqueLines lines,
            @Nullable CliqueCheck check) {
        this.sizes = sizes;
        this.lines = lines;
        this.check = check;
        this.unflushed = new long[largest + 1];
    }

    @Override
    public void clique(int[] members, int size) {
        found++;
        unflushed[size]++;
        if (lines != null) {
            lines.clique(members, size);
        }
        if (check != null
                && check.takesClique(members, size)
                && !check.isMaximalClique(members, size)) {
            wrong++;
        }
        if (++unflushedCliques == FLUSH_CLIQUES) {
            flush();
        }
    }

    /** Hands the counts to the histogram. */
    void flush() {
        for (int size = 0; size < unflushed.length; size++) {
            if (unflushed[size] != 0) {
                sizes.add(size, unflushed[size]);
                unflushed[size] = 0;
            }
        }
        unflushedCliques = 0;
    }

    /** Number of cliques so far. */
    long found() {
        return found;
    }

    /** Number of cliques so far that failed the check. */
    long wrong() {
        return wrong;
    }
}
