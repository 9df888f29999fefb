package org.starling.compute.internal.group;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.run.MasterRunState;

/**
 * A {@link Progress} as bytes, and manifests of checkpoints as numbers.
 *
 * <pre>
 *   0        4         8      12
 *   +--------+---------+------+--------+-------+------+--------+------+--------+
 *   | magic  | version | task | graphs | parts | redo | events | crew | in run |    big-endian
 *   +--------+---------+------+--------+-------+------+--------+------+--------+
 *     int      int       int
 *
 *   list    count (4), elements             text    bytes (4), UTF-8
 *   graph   name (text), chunk (8)
 *   part    checkpoint (8), graph (text), list of states, manifest (8)
 *   state   name (text), number of its type (1)
 *   run     graph, program, parameters (texts), largest number of supersteps (4)
 *   event   node (4), role (text), superstep (4), resumed at (4), seconds (8)
 *   crew    node (4), role (text)
 *   in run  0 (1), or 1 (1), checkpoint (8), task (4), run of the task (4), run, manifest (8),
 *           superstep (4), all active (1), mirrors (1), directions, last directions (each: count
 *           (4), 1 byte each), pending (8), messages (8), computed (8), aggregates, globals (each:
 *           count (4), 8 bytes each)
 * </pre>
 *
 * A manifest is the number of shards, the chunk of each, and histograms, 8 bytes each (see {@link
 * Histograms}).
 */
final class ProgressLayout {
    private static final int MAGIC = 0x53545250;
    private static final int VERSION = 2;

    /** Bound of each list; more would not fit into a commit. */
    private static final int MAX_COUNT = 1 << 16;

    private ProgressLayout() {}

    /** Chunks and histograms of a manifest. */
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Manifest(long[] chunks, long[] histograms) {}

    /** Finds the chunks and histograms of the checkpoint whose manifest is in a chunk. */
    interface Manifests {
        Manifest read(long chunk);
    }

    static byte[] write(Progress progress) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(progress.task());
            out.writeInt(progress.graphs().size());
            for (var graph : progress.graphs().entrySet()) {
                writeText(out, graph.getKey());
                out.writeLong(graph.getValue());
            }
            out.writeInt(progress.parts().size());
            for (StatePart part : progress.parts()) {
                writePart(out, part);
            }
            out.writeInt(progress.redo().size());
            for (RunRequest run : progress.redo()) {
                writeRun(out, run);
            }
            out.writeInt(progress.events().size());
            for (RecoveryEvent event : progress.events()) {
                writeEvent(out, event);
            }
            out.writeInt(progress.crew().size());
            for (var member : progress.crew().entrySet()) {
                out.writeInt(member.getKey());
                writeText(out, member.getValue());
            }
            writeInRun(out, progress.inRun());
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot fail", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Progress read(byte[] bytes, Manifests manifests) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readInt() != MAGIC || in.readInt() != VERSION) {
                throw new IllegalArgumentException("a job's progress in an unknown layout");
            }
            int task = in.readInt();
            SortedMap<String, Long> graphs = new TreeMap<>();
            for (int left = count(in); left > 0; left--) {
                graphs.put(readText(in), in.readLong());
            }
            List<StatePart> parts = new ArrayList<>();
            for (int left = count(in); left > 0; left--) {
                parts.add(readPart(in, manifests));
            }
            List<RunRequest> redo = new ArrayList<>();
            for (int left = count(in); left > 0; left--) {
                redo.add(readRun(in));
            }
            List<RecoveryEvent> events = new ArrayList<>();
            for (int left = count(in); left > 0; left--) {
                events.add(readEvent(in));
            }
            SortedMap<Integer, String> crew = new TreeMap<>();
            for (int left = count(in); left > 0; left--) {
                crew.put(in.readInt(), readText(in));
            }
            RunCheckpoint inRun = readInRun(in, manifests);
            if (in.available() > 0) {
                throw new IllegalArgumentException("a job's progress with something behind it");
            }
            return new Progress(task, graphs, parts, redo, events, crew, inRun);
        } catch (IOException e) {
            throw new IllegalArgumentException("a job's progress that is cut short", e);
        }
    }

    static long[] writeManifest(long[] chunks, long[] histograms) {
        long[] numbers = new long[1 + chunks.length + histograms.length];
        numbers[0] = chunks.length;
        System.arraycopy(chunks, 0, numbers, 1, chunks.length);
        System.arraycopy(histograms, 0, numbers, 1 + chunks.length, histograms.length);
        return numbers;
    }

    static Manifest readManifest(long[] numbers) {
        if (numbers.length == 0 || numbers[0] < 0 || numbers[0] >= numbers.length) {
            throw new IllegalArgumentException("a manifest of a checkpoint that makes no sense");
        }
        int shards = (int) numbers[0];
        return new Manifest(
                Arrays.copyOfRange(numbers, 1, 1 + shards),
                Arrays.copyOfRange(numbers, 1 + shards, numbers.length));
    }

    private static void writePart(DataOutputStream out, StatePart part) throws IOException {
        out.writeLong(part.checkpoint());
        writeText(out, part.graph());
        out.writeInt(part.states().size());
        for (var state : part.states().entrySet()) {
            writeText(out, state.getKey());
            out.writeByte(state.getValue().number());
        }
        out.writeLong(part.manifest());
    }

    private static StatePart readPart(DataInputStream in, Manifests manifests) throws IOException {
        long checkpoint = in.readLong();
        String graph = readText(in);
        SortedMap<String, ColumnType> states = new TreeMap<>();
        for (int left = count(in); left > 0; left--) {
            states.put(readText(in), ColumnType.of(in.readByte()));
        }
        long manifest = in.readLong();
        return new StatePart(
                checkpoint, graph, states, manifest, manifests.read(manifest).chunks());
    }

    private static void writeRun(DataOutputStream out, RunRequest run) throws IOException {
        writeText(out, run.graph());
        writeText(out, run.program());
        writeText(out, run.parameters());
        out.writeInt(run.maxSupersteps());
    }

    private static RunRequest readRun(DataInputStream in) throws IOException {
        return new RunRequest(readText(in), readText(in), readText(in), in.readInt());
    }

    private static void writeEvent(DataOutputStream out, RecoveryEvent event) throws IOException {
        out.writeInt(event.node());
        writeText(out, event.role());
        out.writeInt(event.superstep());
        out.writeInt(event.resumedAt());
        out.writeDouble(event.seconds());
    }

    private static RecoveryEvent readEvent(DataInputStream in) throws IOException {
        return new RecoveryEvent(
                in.readInt(), readText(in), in.readInt(), in.readInt(), in.readDouble());
    }

    private static void writeInRun(DataOutputStream out, @Nullable RunCheckpoint inRun)
            throws IOException {
        out.writeBoolean(inRun != null);
        if (inRun == null) {
            return;
        }
        out.writeLong(inRun.checkpoint());
        out.writeInt(inRun.task());
        out.writeInt(inRun.run());
        writeRun(out, inRun.request());
        out.writeLong(inRun.manifest());
        MasterRunState state = inRun.state();
        out.writeInt(state.superstep());
        out.writeBoolean(state.activateAll());
        out.writeBoolean(state.mirrors());
        writeBytes(out, state.directions());
        writeBytes(out, state.lastDirections());
        out.writeLong(state.pending());
        out.writeLong(state.messages());
        out.writeLong(state.computed());
        writeLongs(out, state.aggregates());
        writeLongs(out, state.globals());
    }

    private static @Nullable RunCheckpoint readInRun(DataInputStream in, Manifests manifests)
            throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        long checkpoint = in.readLong();
        int task = in.readInt();
        int run = in.readInt();
        RunRequest request = readRun(in);
        long chunk = in.readLong();
        MasterRunState state =
                new MasterRunState(
                        in.readInt(),
                        in.readBoolean(),
                        in.readBoolean(),
                        readBytes(in),
                        readBytes(in),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        readLongs(in),
                        readLongs(in));
        Manifest manifest = manifests.read(chunk);
        return new RunCheckpoint(
                checkpoint,
                task,
                run,
                request,
                state,
                chunk,
                manifest.chunks(),
                manifest.histograms());
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[length(in, 1)];
        in.readFully(bytes);
        return bytes;
    }

    private static void writeLongs(DataOutputStream out, long[] values) throws IOException {
        out.writeInt(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private static long[] readLongs(DataInputStream in) throws IOException {
        long[] values = new long[length(in, Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_COUNT) {
            throw new IllegalArgumentException("a job's progress with a list of " + count);
        }
        return count;
    }

    private static int length(DataInputStream in, int width) throws IOException {
        int length = in.readInt();
        if (length < 0 || (long) length * width > in.available()) {
            throw new IllegalArgumentException("a job's progress with an array of " + length);
        }
        return length;
    }
}
