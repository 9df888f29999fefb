package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.net.Transports;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.node.ChunkMessage.Values;

/**
 * An owner that takes requests and does not answer, as one does that hangs or was cut off, while
 * another one is about to follow it.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SilentOwnerTest {
    private static final int ASKER = 1;
    private static final int SILENT = 2;
    private static final int NEXT = 3;
    private static final long ZONE = ChunkId.zoneOf(SILENT, 0);
    private static final long CHUNK = ChunkId.ofZone(ZONE, 5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Far less than the time-out. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private final LoopbackHub hub = new LoopbackHub();
    private final Network asker = network(ASKER);
    private final Network silent = network(SILENT);
    private final Network next = network(NEXT);
    private final LocalChunks local = new LocalChunks(ASKER, 1 << 20);
    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<Responder<Values>> unanswered = new ConcurrentLinkedQueue<>();

    /** What the directory says from now on; null while it does not answer. */
    private volatile CompletableFuture<List<ZoneInfo>> directory = says(SILENT, 1);

    @AfterEach
    void closeAll() {
        local.close();
        asker.close();
        silent.close();
        next.close();
    }

    @Test
    void isNotWaitedForWhenTheDirectoryNamesAnother() {
        silent.serveAsync(ChunkMessage.GET, Execution.INLINE, (source, get, to) -> fallSilent(to));
        silent.serveAsync(
                ChunkMessage.PUT, Execution.INLINE, (source, put, to) -> directory = says(NEXT, 2));
        next.serve(
                ChunkMessage.GET,
                Execution.WORKER,
                (source, get) -> new Values(new byte[] {ChunkMessage.PRESENT}, new byte[][] {{7}}));
        next.serve(ChunkMessage.PUT, Execution.WORKER, (source, put) -> new Outcomes(0, List.of()));

        assertThat(chunks(TIMEOUT).getAsync(CHUNK))
                .succeedsWithin(SOON)
                .satisfies(value -> assertThat(value).containsExactly(7));
        directory = says(SILENT, 3);
        assertThat(chunks(TIMEOUT).putAsync(CHUNK, new byte[1])).succeedsWithin(SOON);
    }

    @Test
    void isWaitedForAndAskedOnceAsLongAsItIsTheOwner() {
        silent.serveAsync(
                ChunkMessage.GET,
                Execution.INLINE,
                (source, get, to) -> {
                    asked.incrementAndGet();
                    CompletableFuture.delayedExecutor(2500, TimeUnit.MILLISECONDS)
                            .execute(() ->
                                    to.respond(
                                            new Values(
                                                    new byte[] {ChunkMessage.PRESENT},
                                                    new byte[][] {{8}})));
                });

        assertThat(chunks(TIMEOUT).get(CHUNK)).containsExactly(8);

        assertThat(asked).hasValue(1);
    }

    @Test
    void isNamedTogetherWithWhatElseIsWaitedFor() {
        silent.serveAsync(
                ChunkMessage.GET,
                Execution.INLINE,
                (source, get, to) -> {
                    unanswered.add(to);
                    directory = new CompletableFuture<>();
                });

        assertThatThrownBy(() -> chunks(Duration.ofSeconds(3)).get(CHUNK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("node 2")
                .hasMessageContaining("Get(1000)")
                .hasMessageContaining("the directory has been asked who owns it now");
    }

    private void fallSilent(Responder<Values> responder) {
        unanswered.add(responder);
        directory = says(NEXT, 2);
    }

    private static CompletableFuture<List<ZoneInfo>> says(int owner, long epoch) {
        return CompletableFuture.completedFuture(
                List.of(
                        new ZoneInfo(
                                ZONE, owner, epoch, List.of(4), false, false, List.of(), false)));
    }

    private Network network(int node) {
        return Network.open(node, Transports.loopback(hub), NetConfig.defaults());
    }

    private ChunkService chunks(Duration timeout) {
        OwnedChunks owned =
                new OwnedChunks(local, null, new Lease(Duration.ofSeconds(1), System::nanoTime), 2);
        Locations locations = new Locations(ASKER, owned::owns, node -> true, zone -> directory);
        return new RoutedChunks(
                new WriteBatch.WriteContext(
                        locations,
                        new Retries(timeout, System::nanoTime),
                        new ZoneTags(0),
                        local,
                        owned,
                        new RemoteChunks(
                                asker,
                                node -> true,
                                node -> CompletableFuture.completedFuture(true),
                                () -> false,
                                locations::ownerNow,
                                timeout)),
                () -> true,
                Durability.PROCESS,
                true);
    }
}
