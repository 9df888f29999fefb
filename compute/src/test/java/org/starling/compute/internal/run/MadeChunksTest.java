package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.net.LoopbackHub;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** What is told to be on disks is there, whoever has brought it. */
@Timeout(60)
final class MadeChunksTest {
    private static final long ATTEMPT = Attempt.of(Attempt.term(1, 1), 1);
    private static final int AT_ONCE = 16 << 20;

    @TempDir private Path folder;

    private final List<StoreNode> peers = new ArrayList<>();
    private final CountDownLatch isBringing = new CountDownLatch(1);
    private final CountDownLatch mayBring = new CountDownLatch(1);
    private final AtomicInteger brought = new AtomicInteger();
    private volatile @Nullable Thread failing;
    private volatile Throwable failure = new StoreException("on purpose");
    private StoreNode superpeer;

    @BeforeEach
    void start() {
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config = StoreConfig.defaults().withHeapBytes(4 * AT_ONCE);
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, config));
        for (int i = 0; i < 3; i++) {
            NodeOptions options = NodeOptions.loopback(hub, config);
            peers.add(StoreNode.startPeer(options.withDataDirectory(folder.resolve("peer-" + i))));
        }
        while (superpeer.promised() != Durability.POWER) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @AfterEach
    void end() {
        superpeer.close();
        peers.forEach(StoreNode::crash);
    }

    /** Lets nobody bring anything to backups before it may be. */
    private ChunkService slow(ChunkService chunks) {
        return (ChunkService)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ChunkService.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("replicate")) {
                                if (Thread.currentThread().equals(failing)) {
                                    throw failure;
                                }
                                isBringing.countDown();
                                mayBring.await();
                                brought.addAndGet((int) arguments[1]);
                            }
                            try {
                                Object result = method.invoke(chunks, arguments);
                                return result instanceof ChunkService view ? slow(view) : result;
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }

    private MadeChunks made() {
        StoreNode store = peers.getFirst();
        NodeContext node =
                new NodeContext(
                        store.nodeId(),
                        store.network(),
                        slow(store.chunks()),
                        new WorkerTeam("made", 0),
                        new ZeroedMemory(),
                        new MadeRecords(store.names()),
                        new MadeRemoval(store.names(), store.chunks(), store.nodeId()));
        return new MadeChunks(node, Kind.CHECKPOINT);
    }

    /** That of an attempt which has ended, say, and fails for its own reasons. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tellsOfWhatAnotherThreadCouldNotBring(boolean byError) throws Exception {
        if (byError) {
            failure = new OutOfMemoryError("on purpose");
        }
        mayBring.countDown();
        MadeChunks made = made();
        ChunkService process = peers.getFirst().chunks().with(Durability.PROCESS);
        long _ = made.make(ATTEMPT, process, new int[] {8}, _ -> {});
        CompletableFuture<Void> other =
                CompletableFuture.runAsync(() -> {
                    failing = Thread.currentThread();
                    long _ = made.make(ATTEMPT + 1, process, new int[] {AT_ONCE}, _ -> {});
                });
        assertThatThrownBy(() -> other.get(20, TimeUnit.SECONDS)).hasCause(failure);
        failing = null;

        assertThatThrownBy(() -> made.settle(ATTEMPT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("could not be brought to backups: on purpose");

        long _ = made.make(ATTEMPT + 2, process, new int[] {8}, _ -> {});
        made.settle(ATTEMPT + 2);
        assertThat(brought).hasValue(1);
    }

    @Test
    void waitsForWhatAnotherThreadIsBringing() throws Exception {
        MadeChunks made = made();
        ChunkService process = peers.getFirst().chunks().with(Durability.PROCESS);
        long _ = made.make(ATTEMPT, process, new int[] {8}, _ -> {});
        CompletableFuture<Void> other =
                CompletableFuture.runAsync(() -> {
                    long _ = made.make(ATTEMPT + 1, process, new int[] {AT_ONCE}, _ -> {});
                });
        isBringing.await();

        CompletableFuture<Void> settled = CompletableFuture.runAsync(() -> made.settle(ATTEMPT));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        boolean wasEarly = settled.isDone();
        mayBring.countDown();

        settled.get(20, TimeUnit.SECONDS);
        other.get(20, TimeUnit.SECONDS);
        assertThat(wasEarly).isFalse();
        assertThat(brought).hasValue(2);
    }
}
