package org.starling.benchmarks.store;

import java.util.List;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.NodeOptions;
import org.starling.store.PinnedRange;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * Volatile chunks of the asking node itself, beside a copy from memory that nobody looks after. Has
 * a cluster in this process. Used by one thread.
 */
final class MemoryShapes implements Shape.Place {
    /** So much more than the payloads is needed for headers and rests of blocks. */
    private static final int HEAP_FACTOR = 3;

    private final StoreNode superpeer;
    private final StoreNode peer;
    private final ChunkService service;
    private final Load load;
    private final long buffer;
    private final long plain;
    private final PinnedRange pinned;

    MemoryShapes(int chunks, int bytes) {
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config =
                StoreConfig.defaults()
                        .withHeapBytes((long) HEAP_FACTOR * chunks * bytes + (64L << 20));
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, config));
        peer = StoreNode.startPeer(NodeOptions.loopback(hub, config));
        service = peer.chunks();
        load = Load.make(service, chunks, bytes);
        buffer = NativeMemory.reserve(bytes);
        plain = NativeMemory.reserve(plainBytes());
        for (int i = 0; i < chunks; i++) {
            NativeMemory.putLong(plain + (long) i * bytes, i);
        }
        pinned = service.pin(load.first(), chunks);
        pinned.close(); // its addresses stay: nothing here removes or resizes
    }

    @Override
    public List<Shape> shapes() {
        int bytes = load.bytes();
        int chunks = load.chunks();
        byte[] value = load.value(0);
        return List.of(
                Shape.single(
                        "plain copy",
                        chunks,
                        index -> {
                            NativeMemory.copy(plain + (long) index * bytes, buffer, bytes);
                            load.check(index, NativeMemory.getLong(buffer));
                        }),
                Shape.single(
                        "pinned address",
                        chunks,
                        index -> {
                            NativeMemory.copy(pinned.address(index), buffer, bytes);
                            load.check(index, NativeMemory.getLong(buffer));
                        }),
                Shape.intoMemory("get into memory", service, load, buffer),
                Shape.array("get an array", service, load),
                Shape.single(
                        "put from memory",
                        chunks,
                        index -> {
                            NativeMemory.putLong(buffer, index);
                            service.put(load.id(index), buffer, bytes);
                        }),
                Shape.single(
                        "put an array",
                        chunks,
                        index -> {
                            Load.mark(value, index);
                            service.put(load.id(index), value);
                        }));
    }

    @Override
    public void close() {
        NativeMemory.release(buffer, load.bytes());
        NativeMemory.release(plain, plainBytes());
        peer.close();
        superpeer.close();
    }

    private long plainBytes() {
        return (long) load.chunks() * load.bytes();
    }
}
