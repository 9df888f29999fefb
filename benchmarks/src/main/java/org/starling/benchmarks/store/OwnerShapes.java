package org.starling.benchmarks.store;

import java.util.ArrayList;
import java.util.List;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * Replicated chunks at the node that owns them, beside volatile ones of the same node. Has a
 * cluster with three storing peers in this process. Used by one thread.
 */
final class OwnerShapes implements Shape.Place {
    private static final int PEERS = 3;
    private static final int HEAP_FACTOR = 4;

    private final TempFolder folder = TempFolder.create("starling-bench");
    private final List<StoreNode> nodes = new ArrayList<>();
    private final ChunkService service;
    private final Load kept;
    private final Load replicated;
    private final long buffer;

    OwnerShapes(int chunks, int bytes) {
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config =
                StoreConfig.defaults()
                        .withReplicationFactor(PEERS - 1)
                        .withHeapBytes((long) HEAP_FACTOR * chunks * bytes + (64L << 20));
        NodeOptions options = NodeOptions.loopback(hub, config);
        nodes.add(
                StoreNode.startSuperpeer(
                        options.withDataDirectory(folder.path().resolve("superpeer"))));
        for (int i = 0; i < PEERS; i++) {
            nodes.add(
                    StoreNode.startPeer(
                            options.withDataDirectory(folder.path().resolve("peer" + i))));
        }
        service = nodes.get(1).chunks();
        kept = Load.make(service.with(Durability.MEMORY), chunks, bytes);
        replicated = Load.make(service.with(Durability.PROCESS), chunks, bytes);
        buffer = NativeMemory.reserve(bytes);
    }

    @Override
    public List<Shape> shapes() {
        return List.of(
                Shape.intoMemory("get of a volatile chunk into memory", service, kept, buffer),
                Shape.intoMemory(
                        "get of a replicated chunk into memory", service, replicated, buffer),
                Shape.array("get of a volatile chunk as an array", service, kept),
                Shape.array("get of a replicated chunk as an array", service, replicated));
    }

    @Override
    public void close() {
        NativeMemory.release(buffer, kept.bytes());
        nodes.reversed().forEach(StoreNode::close);
        folder.close();
    }
}
