package org.starling.benchmarks.store;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.starling.benchmarks.harness.ChildJvm;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * Volatile chunks of a node in another process over Ethernet on the loopback interface: one request
 * after the other, several under way, and batches. One thread asks, and takes the oldest answer
 * before it asks for more.
 */
final class RemoteShapes implements Shape.Place {
    private static final int UNDER_WAY = 16;
    private static final int BATCH = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long HEAP_BYTES = 1L << 20;

    private final ChildJvm owner;
    private final StoreNode client;
    private final ChunkService service;
    private final Load load;

    RemoteShapes(int chunks, int bytes) {
        owner = ChildJvm.start("the owner", OwnerProcess.class, List.of(), List.of());
        String[] said = owner.ask("%d %d".formatted(chunks, bytes), PATIENCE).split(" ", -1);
        load = new Load(Long.parseLong(said[1]), chunks, bytes);
        InetAddress here = InetAddress.getLoopbackAddress();
        client =
                StoreNode.startPeer(
                        NodeOptions.ethernetPeer(
                                        new InetSocketAddress(here, 0),
                                        new InetSocketAddress(here, Integer.parseInt(said[0])),
                                        StoreConfig.defaults().withHeapBytes(HEAP_BYTES))
                                .withCapabilities(0));
        service = client.chunks().with(Durability.MEMORY);
    }

    @Override
    public List<Shape> shapes() {
        int chunks = load.chunks();
        return List.of(
                Shape.array("get, one after the other", service, load),
                underWay("get, %d under way", UNDER_WAY, 1, this::get),
                Shape.single(
                        "put, one after the other",
                        chunks,
                        index -> service.put(load.id(index), load.value(index))),
                underWay("put, %d under way", UNDER_WAY, 1, this::put),
                underWay("get of %2$d, %1$d under way", 1, BATCH, this::getAll),
                underWay("get of %2$d, %1$d under way", UNDER_WAY, BATCH, this::getAll),
                underWay("put of %2$d, %1$d under way", UNDER_WAY, BATCH, this::putAll));
    }

    private CompletableFuture<?> get(int[] indexes) {
        int index = indexes[0];
        return service.getAsync(load.id(index)).thenAccept(value -> load.check(index, value));
    }

    private CompletableFuture<?> put(int[] indexes) {
        return service.putAsync(load.id(indexes[0]), load.value(indexes[0]));
    }

    private CompletableFuture<?> getAll(int[] indexes) {
        return service.getAsync(ids(indexes)).thenAccept(values -> check(indexes, values));
    }

    private CompletableFuture<?> putAll(int[] indexes) {
        byte[][] values = new byte[indexes.length][];
        for (int i = 0; i < values.length; i++) {
            values[i] = load.value(indexes[i]);
        }
        return service.putAsync(ids(indexes), values);
    }

    private long[] ids(int[] indexes) {
        long[] ids = new long[indexes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = load.id(indexes[i]);
        }
        return ids;
    }

    private void check(int[] indexes, Chunks values) {
        for (int i = 0; i < indexes.length; i++) {
            load.check(indexes[i], values.get(i));
        }
    }

    private Shape underWay(
            String name, int width, int batch, Function<int[], CompletableFuture<?>> request) {
        Shape.RandomIndexes random = new Shape.RandomIndexes(load.chunks());
        return new Shape(
                name.formatted(width, batch),
                deadlineNanos -> {
                    Queue<CompletableFuture<?>> asked = new ArrayDeque<>();
                    long done = 0;
                    while (System.nanoTime() < deadlineNanos) {
                        if (asked.size() == width) {
                            await(asked.remove());
                        }
                        int[] indexes = new int[batch];
                        Arrays.setAll(indexes, i -> random.next());
                        asked.add(request.apply(indexes));
                        done += batch;
                    }
                    for (CompletableFuture<?> rest : asked) {
                        await(rest);
                    }
                    return done;
                });
    }

    private static void await(CompletableFuture<?> answer) throws InterruptedException {
        try {
            answer.get();
        } catch (ExecutionException failed) {
            throw new WrongResultException("a request failed: " + failed.getCause(), failed);
        }
    }

    @Override
    public void close() {
        client.close();
        owner.close();
    }
}
