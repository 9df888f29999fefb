package org.starling.compute.internal.graph;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;

/** A graph's descriptor as a chunk: JSON, so that people and other versions can read it. */
public final class DescriptorChunk {
    private static final Logger LOG = LogManager.getLogger(DescriptorChunk.class);
    private static final Gson GSON = new Gson();

    /** Names under which descriptors stand in the directory. */
    private static final Pattern NAME = Pattern.compile("job/(\\d{1,8})/graph/([0-9a-f]{1,16})");

    /**
     * A graph that a job has made and that goes with it, as the directory has it.
     *
     * @param job the job
     * @param chunk its descriptor
     */
    public record Owned(long job, long chunk) {
        /** How names of what jobs have made begin. */
        public static final String PREFIX = "job/";

        /** What a name says; empty if it is one of something else. */
        public static Optional<Owned> of(String name) {
            Matcher match = NAME.matcher(name);
            return match.matches()
                    ? Optional.of(
                            new Owned(
                                    Long.parseLong(match.group(1)),
                                    Long.parseUnsignedLong(match.group(2), 16)))
                    : Optional.empty();
        }

        /** The name in the directory. */
        public String name() {
            return "job/" + job + "/graph/" + Long.toHexString(chunk);
        }
    }

    private DescriptorChunk() {}

    /**
     * Writes a descriptor into a new chunk of a slave.
     *
     * @param chunks with the durability that the graph has
     */
    public static long write(ChunkService chunks, int owner, GraphDescriptor descriptor) {
        byte[] bytes = text(descriptor).getBytes(StandardCharsets.UTF_8);
        long chunk = chunks.createOn(owner, new int[] {bytes.length});
        try {
            put(chunks, chunk, bytes);
            return chunk;
        } catch (StoreException failed) {
            removeQuietly(chunks, chunk); // nobody knows of it
            throw failed;
        }
    }

    private static void put(ChunkService chunks, long chunk, byte[] bytes) {
        try {
            chunks.put(chunk, bytes);
        } catch (IndeterminateException unheard) {
            LOG.info("a descriptor is written once more: {}", unheard.getMessage());
            chunks.put(chunk, bytes); // the same again does no harm, and a job need not end of it
        }
    }

    private static void removeQuietly(ChunkService chunks, long chunk) {
        try {
            chunks.remove(chunk);
        } catch (StoreException e) {
            LOG.warn(
                    "chunk {} of a descriptor that could not be written stays: {}",
                    ChunkId.toString(chunk),
                    e.getMessage());
        }
    }

    /** What the chunk says. */
    public static String text(GraphDescriptor descriptor) {
        return GSON.toJson(descriptor);
    }

    /** Reads a descriptor. */
    public static GraphDescriptor read(ChunkService chunks, long chunk) {
        return GSON.fromJson(
                new String(chunks.get(chunk), StandardCharsets.UTF_8), GraphDescriptor.class);
    }

    /** Reads what may have been removed, so that the chunk is not there or another one is. */
    public static Optional<GraphDescriptor> find(ChunkService chunks, long chunk) {
        try {
            return Optional.ofNullable(read(chunks, chunk))
                    .filter(graph -> graph.name() != null && graph.shardFirsts() != null);
        } catch (ChunkNotFoundException | JsonParseException gone) {
            LOG.debug("{} is no descriptor any more", ChunkId.toString(chunk), gone);
            return Optional.empty();
        }
    }
}
