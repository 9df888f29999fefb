package org.starling.compute.internal.group;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StoredColumn;

/**
 * How far a job has come, as it is committed: the graphs and states with which a task begins, and
 * perhaps the middle of a run of that task. Its bytes are JSON, so that people can read them; of a
 * {@link Manifest} they have the chunk alone.
 *
 * @param task the task that comes next, or is under way
 * @param graphs chunk of each graph's descriptor by name
 * @param versions of those of them that a program has changed
 * @param kept those of them that outlive the job, with the published columns that the job sees
 * @param parts states in checkpoints, older ones first
 * @param redo runs since the last of these checkpoints, to be done again
 * @param events losses so far
 * @param members role of each node that the job works with, or has lost without an event that says
 *     so
 * @param inRun the middle of a run; null if there is none
 */
record Progress(
        int task,
        SortedMap<String, Long> graphs,
        SortedMap<String, GraphVersion> versions,
        SortedMap<String, List<StoredColumn>> kept,
        List<StatePart> parts,
        List<RunRequest> redo,
        List<RecoveryEvent> events,
        SortedMap<Integer, String> members,
        @Nullable RunCheckpoint inRun) {
    private static final int VERSION = 7;

    private record Committed(int version, Progress progress) {}

    /** The start of a job. */
    static Progress nothing() {
        return new Progress(
                0,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                List.of(),
                List.of(),
                new TreeMap<>(),
                null);
    }

    /** What is committed. */
    byte[] bytes() {
        return gson(chunk -> new Manifest(chunk, new long[0], new long[0]))
                .toJson(new Committed(VERSION, this))
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @param manifests reads a manifest's chunk
     * @throws IllegalArgumentException if it is something else
     */
    static Progress of(byte[] bytes, LongFunction<Manifest> manifests) {
        try {
            String json = new String(bytes, StandardCharsets.UTF_8);
            Committed committed = gson(manifests).fromJson(json, Committed.class);
            if (committed == null || committed.version != VERSION) {
                throw new IllegalArgumentException("a job's progress in an unknown layout");
            }
            return committed.progress;
        } catch (JsonParseException e) {
            throw new IllegalArgumentException("a job's progress that is damaged", e);
        }
    }

    private static Gson gson(LongFunction<Manifest> manifests) {
        JsonSerializer<Manifest> writer = (manifest, _, _) -> new JsonPrimitive(manifest.chunk());
        JsonDeserializer<Manifest> reader = (json, _, _) -> manifests.apply(json.getAsLong());
        return new GsonBuilder()
                .registerTypeAdapter(Manifest.class, writer)
                .registerTypeAdapter(Manifest.class, reader)
                .create();
    }
}
