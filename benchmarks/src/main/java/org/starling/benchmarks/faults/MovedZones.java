package org.starling.benchmarks.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreNode;
import org.starling.store.ZoneMove;

/**
 * What it cost those who read that zones went from one living peer to another.
 *
 * @param chunks written before, and read back after
 * @param bytes of payload of each
 * @param moves each of them
 * @param moveNanos from the question to the new owner, of each
 * @param readNanos the longest of the reads that came one after the other during each move
 * @param quietNanos likewise, in the second before the first move
 * @param lost chunks that could not be read back
 * @param wrong chunks with other bytes than were written
 */
record MovedZones(
        long chunks,
        int bytes,
        List<ZoneMove> moves,
        List<Long> moveNanos,
        List<Long> readNanos,
        long quietNanos,
        long lost,
        long wrong) {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Reads one chunk of each zone after the other, as long as it is not told to end. */
    private static final class Reader implements AutoCloseable {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final Thread thread;
        private long begunNanos;
        private long longestNanos;

        Reader(StoreNode client, List<Long> ids) {
            thread =
                    Thread.ofPlatform()
                            .name("reader")
                            .start(() -> {
                                for (int i = 0; !isOver.get(); i = (i + 1) % ids.size()) {
                                    begin();
                                    byte[] _ = client.chunks().get(ids.get(i));
                                    end();
                                }
                            });
        }

        private synchronized void begin() {
            begunNanos = System.nanoTime();
        }

        private synchronized void end() {
            longestNanos = Math.max(longestNanos, System.nanoTime() - begunNanos);
        }

        /** The longest read since the last call, with that which has not ended. */
        synchronized long takeLongest() {
            long now = System.nanoTime();
            long longest = Math.max(longestNanos, now - begunNanos);
            longestNanos = 0;
            return longest;
        }

        @Override
        public void close() {
            isOver.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Moves zones until the peers' memories are even. */
    static MovedZones of(StoreNode client, RecoveryLoad load, Consumer<String> progress) {
        List<ZoneMove> moves = new ArrayList<>();
        List<Long> moveNanos = new ArrayList<>();
        List<Long> readNanos = new ArrayList<>();
        long quiet;
        try (Reader reader = new Reader(client, List.copyOf(load.oneOfEachZone().keySet()))) {
            pause();
            long _ = reader.takeLongest(); // connections, and code that is not compiled yet
            pause();
            quiet = reader.takeLongest();
            long begun = System.nanoTime();
            Optional<ZoneMove> move = client.rebalance();
            while (move.isPresent()) {
                moves.add(move.get());
                moveNanos.add(System.nanoTime() - begun);
                readNanos.add(reader.takeLongest());
                progress.accept(
                        "%,d bytes went from node %d to node %d in %d ms; the longest read took %.1f ms"
                                .formatted(
                                        move.get().bytes(),
                                        move.get().from(),
                                        move.get().to(),
                                        TimeUnit.NANOSECONDS.toMillis(moveNanos.getLast()),
                                        millis(readNanos.getLast())));
                begun = System.nanoTime();
                move = client.rebalance();
            }
        }
        progress.accept("reading all back");
        load.check();
        return new MovedZones(
                load.count(),
                load.bytes(),
                moves,
                moveNanos,
                readNanos,
                quiet,
                load.lost(),
                load.wrong());
    }

    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("chunks", chunks);
        tree.put("moves", moves.size());
        tree.put("largestZoneBytes", moves.stream().mapToLong(ZoneMove::bytes).max().orElse(0));
        tree.put("moveMillisMedian", millis(median(moveNanos)));
        tree.put("readMillisMedian", millis(median(readNanos)));
        tree.put("readMillisLongest", millis(longest(readNanos)));
        tree.put("quietMillisLongest", millis(quietNanos));
        tree.put("lost", lost);
        tree.put("wrong", wrong);
        return tree;
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e5) / 10.0;
    }

    private static long median(List<Long> nanos) {
        return nanos.isEmpty() ? 0 : nanos.stream().sorted().toList().get(nanos.size() / 2);
    }

    private static long longest(List<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static void pause() {
        long until = System.nanoTime() + QUIET_NANOS;
        while (System.nanoTime() - until < 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
