package org.starling.benchmarks.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterException;
import org.starling.store.ChunkService;
import org.starling.store.ClusterStatus;
import org.starling.store.DataLostException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Sees, from a client, how a cluster gets over a loss. Used by one thread; probes run on threads of
 * their own. All times are those of {@link System#nanoTime}.
 *
 * @param client who looks
 */
record RecoveryWatch(StoreNode client) {
    /** Longest wait for anything. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** When the client is told that a member is lost; to be asked for before the loss. */
    CompletableFuture<Long> lossOf(int node) {
        CompletableFuture<Long> detected = new CompletableFuture<>();
        client.membership()
                .onLoss(lost -> {
                    if (lost.id() == node) {
                        detected.complete(System.nanoTime());
                    }
                });
        return detected;
    }

    /** Waits for a time. */
    static long await(CompletableFuture<Long> time, String what) {
        try {
            return time.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException missing) {
            throw new ClusterException(
                    what + " was not seen within " + PATIENCE.toSeconds() + " s", missing);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("waiting was interrupted", interrupted);
        }
    }

    /** When another superpeer than a killed one leads. */
    long leaderOtherThan(int superpeer) {
        return until(
                () -> {
                    int leader = client.status().leader();
                    return leader >= 0 && leader != superpeer;
                },
                "another leader");
    }

    /** When the directory takes a command. */
    long directoryAnswer(long id) {
        return until(
                () -> {
                    client.names().register("bench " + System.nanoTime(), id);
                    return true;
                },
                "an answer of the directory");
    }

    /** When every zone has all its copies; what counts is the state from now on. */
    long replicated() {
        return until(() -> client.status().allReplicated(), "all copies of every zone");
    }

    /** The state of the cluster, when it is known. */
    ClusterStatus status() {
        return client.status();
    }

    /**
     * Reads chunks until each has been answered.
     *
     * @param numbers by chunk id
     * @param bytes of each
     * @return when each was answered rightly; those that were not are left out
     */
    List<Long> answers(Map<Long, Long> numbers, int bytes) {
        ChunkService chunks = client.chunks();
        List<Long> times = new ArrayList<>();
        try (ExecutorService probes = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<@Nullable Long>> asked = new ArrayList<>();
            numbers.forEach((id, number) ->
                    asked.add(probes.submit(() -> answer(chunks, id, number, bytes))));
            for (Future<@Nullable Long> future : asked) {
                Long time = future.get();
                if (time != null) {
                    times.add(time);
                }
            }
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("waiting was interrupted", interrupted);
        }
        return times;
    }

    private static @Nullable Long answer(ChunkService chunks, long id, long number, int bytes) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            try {
                byte[] value = chunks.get(id);
                return ChunkPattern.isRight(number, bytes, value) ? System.nanoTime() : null;
            } catch (DataLostException lost) {
                return null;
            } catch (StoreException notYet) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        return null;
    }

    private static long until(BooleanSupplier condition, String what) {
        long start = System.nanoTime();
        String reason = "";
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            try {
                if (condition.getAsBoolean()) {
                    return System.nanoTime();
                }
            } catch (StoreException notYet) {
                reason = ": " + notYet.getMessage();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        throw new ClusterException(
                what + " was not seen within " + PATIENCE.toSeconds() + " s" + reason);
    }
}
