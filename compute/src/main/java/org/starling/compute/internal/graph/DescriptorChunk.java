package org.starling.compute.internal.graph;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ChunkService;
import org.starling.store.IndeterminateException;

/** A graph's descriptor as a chunk: JSON, so that people and other versions can read it. */
public final class DescriptorChunk {
    private static final Logger LOG = LogManager.getLogger(DescriptorChunk.class);
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
        try {
            chunks.put(chunk, bytes);
        } catch (IndeterminateException unheard) {
            LOG.info("a descriptor is written once more: {}", unheard.getMessage());
            chunks.put(chunk, bytes); // the same again does no harm, and a job need not end of it
        }
        return chunk;
    }

    /** Reads a descriptor. */
    public static GraphDescriptor read(ChunkService chunks, long chunk) {
        return GSON.fromJson(
                new String(chunks.get(chunk), StandardCharsets.UTF_8), GraphDescriptor.class);
    }
}
