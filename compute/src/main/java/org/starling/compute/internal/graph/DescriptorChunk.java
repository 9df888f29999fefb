package org.starling.compute.internal.graph;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import org.starling.store.ChunkService;

/** A graph's descriptor as a chunk: JSON, so that people and other versions can read it. */
public final class DescriptorChunk {
    private static final Gson GSON = new Gson();

    /** Prefix of names under which descriptors stand in the directory. */
    public static final String NAME_PREFIX = "graph/";

    private DescriptorChunk() {}

    /**
     * Writes a descriptor into a new chunk of a slave.
     *
     * @param chunks with the durability that the graph has
     */
    public static long write(ChunkService chunks, int owner, GraphDescriptor descriptor) {
        byte[] bytes = GSON.toJson(descriptor).getBytes(StandardCharsets.UTF_8);
        long chunk = chunks.createOn(owner, new int[] {bytes.length});
        chunks.put(chunk, bytes);
        return chunk;
    }

    /** Reads a descriptor. */
    public static GraphDescriptor read(ChunkService chunks, long chunk) {
        return GSON.fromJson(
                new String(chunks.get(chunk), StandardCharsets.UTF_8), GraphDescriptor.class);
    }
}
