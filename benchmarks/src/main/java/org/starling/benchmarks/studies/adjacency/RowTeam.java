package org.starling.benchmarks.studies.adjacency;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that share all rows of a graph, block by block of about as many neighbours. Owned by the
 * thread that made it.
 */
final class RowTeam implements AutoCloseable {
    private static final int BLOCKS_PER_THREAD = 64;

    private final int threads;
    private final ExecutorService workers;
    private final int[] firsts;

    /** Does something with a block of rows and gives a number. */
    @FunctionalInterface
    interface BlockSum {
        long of(int block, int first, int end);
    }

    /** A team of so many threads over plain rows. */
    RowTeam(CodedRows plain, int threads) {
        this.threads = threads;
        this.workers =
                Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
        int blocks = threads * BLOCKS_PER_THREAD;
        this.firsts = new int[blocks + 1];
        int vertex = 0;
        for (int block = 0; block < blocks; block++) {
            while (vertex < plain.vertices()
                    && plain.edgesBefore(vertex) * blocks < plain.edges() * block) {
                vertex++;
            }
            firsts[block] = vertex;
        }
        firsts[blocks] = plain.vertices();
        firsts[0] = 0;
    }

    /** Number of blocks. */
    int blocks() {
        return firsts.length - 1;
    }

    /** Adds up the numbers of all blocks. */
    long sum(BlockSum blockSum) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Callable<Long> member =
                () -> {
                    long sum = 0;
                    int block;
                    while ((block = next.getAndIncrement()) < blocks()) {
                        sum += blockSum.of(block, firsts[block], firsts[block + 1]);
                    }
                    return sum;
                };
        long sum = 0;
        for (Future<Long> part : workers.invokeAll(Collections.nCopies(threads, member))) {
            sum += result(part);
        }
        return sum;
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }

    private static long result(Future<Long> done) throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a block of rows failed", broken.getCause());
        }
    }
}
