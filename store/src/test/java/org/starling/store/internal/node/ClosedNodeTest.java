package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreException;

/** What a node that has been closed answers to who goes on using it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ClosedNodeTest {
    private static final String SENTENCE = "this node has been closed";

    /** Far less than the time-out of requests, which is 10 s. */
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    @TempDir Path folder;

    @Test
    void refusesEverythingAtOnceAndSaysThatItIsClosed() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 3, StoredCluster.config())) {
            Node user = cluster.peer(0);
            ChunkService chunks = user.chunks();
            ChunkService others = cluster.peer(1).chunks();
            long own = chunks.with(Durability.PROCESS).create(8);
            long replicated = others.with(Durability.PROCESS).create(8);
            long never = others.with(Durability.PROCESS).create(8);
            long volatileOne = others.with(Durability.MEMORY).create(8);
            assertThat(chunks.get(replicated)).hasSize(8);

            user.close();

            Map<String, Runnable> uses = new LinkedHashMap<>();
            uses.put("get of its own", () -> chunks.get(own));
            uses.put("get of another's", () -> chunks.get(replicated));
            uses.put("get of a volatile one", () -> chunks.get(volatileOne));
            uses.put("size", () -> chunks.size(replicated));
            uses.put("owner", () -> chunks.readRange(never, 1));
            uses.put("put", () -> chunks.put(replicated, new byte[4]));
            uses.put("put of a volatile one", () -> chunks.put(volatileOne, new byte[4]));
            uses.put("batch", () -> throwFirst(() -> chunks.get(new long[] {replicated})));
            uses.put("create", () -> chunks.create(5));
            uses.put("createOn", () -> chunks.createOn(2, new int[] {5}));
            uses.put("names", () -> user.names().lookup("some"));
            uses.put("status", user::status);
            uses.forEach(ClosedNodeTest::assertRefused);
        }
    }

    @Test
    void endsAtOnceWhatWasUnderWay() {
        try (StoredCluster cluster = new StoredCluster(folder, 1, 3, StoredCluster.config())) {
            Node user = cluster.peer(0);
            long id = cluster.peer(1).chunks().with(Durability.PROCESS).create(8);
            assertThat(user.chunks().get(id)).hasSize(8);
            cluster.crashPeer(1);
            cluster.crashPeer(2);
            cluster.crashSuperpeer(0);
            CompletableFuture<byte[]> waiting = user.chunks().getAsync(id);

            assertThat(waiting).isNotDone();

            user.crash();

            assertThat(waiting).failsWithin(AT_ONCE);
        }
    }

    private static void throwFirst(Runnable batch) {
        Throwable failure = catchThrowable(batch::run);
        throw failure instanceof org.starling.store.BatchException all
                ? all.failures().values().iterator().next()
                : new StoreException(String.valueOf(failure), failure);
    }

    private static void assertRefused(String use, Runnable work) {
        long start = System.nanoTime();
        Throwable failure = catchThrowable(work::run);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as(use).isLessThan(AT_ONCE);
        assertThat(failure)
                .as(use)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(SENTENCE);
    }
}
