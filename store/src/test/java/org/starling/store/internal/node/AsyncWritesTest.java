package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/** Writes of a node to its own chunks while too few backups are there. */
@Timeout(60)
final class AsyncWritesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    @TempDir private Path root;
    private StoredCluster cluster;
    private ChunkService chunks;
    private long chunk;

    @BeforeEach
    void loseTheBackups() {
        cluster = new StoredCluster(root, 1, 3, StoredCluster.config().withRequestTimeout(TIMEOUT));
        Node owner = cluster.peer(0);
        StoredCluster.await(
                () -> owner.promised().compareTo(Durability.PROCESS) >= 0, "enough backups");
        chunks = owner.chunks().with(Durability.PROCESS);
        chunk = chunks.create(8);
        chunks.put(chunk, new byte[8]);
        cluster.crashPeer(1);
        cluster.crashPeer(2);
        StoredCluster.await(() -> owner.membership().nodes().size() == 2, "the loss");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Tag("slow")
    @Test
    void anAsynchronousPutDoesNotHoldItsCallerUp() {
        long begun = System.nanoTime();

        List<CompletableFuture<Void>> puts =
                List.of(
                        chunks.putAsync(chunk, new byte[8]),
                        chunks.putAsync(new long[] {chunk}, new byte[][] {new byte[8]}),
                        chunks.removeAsync(new long[] {chunk}));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.dividedBy(3));
        assertThat(puts).noneMatch(CompletableFuture::isDone);
        for (CompletableFuture<Void> put : puts) {
            assertThatThrownBy(() -> put.get(3 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                    .hasMessageContaining("backup");
        }
    }
}
