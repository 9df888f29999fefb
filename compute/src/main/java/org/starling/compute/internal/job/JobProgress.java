package org.starling.compute.internal.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptProgress;
import org.starling.graph.JobFailedException;
import org.starling.store.Job;

/**
 * What a job commits, and all that a new master knows of it beside script and parameters.
 * Immutable.
 *
 * <p>Its form: a byte {@value #VERSION}; master (4 bytes, big endian as all); length of the
 * engine's bytes (4 bytes); these; then the script's progress as JSON in UTF-8, compressed by gzip,
 * to the end.
 *
 * @param master node that committed it
 * @param script tasks that have ended
 * @param engine what the engine needs to go on; empty before it has said anything
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
record JobProgress(int master, ScriptProgress script, byte[] engine) {
    private static final int VERSION = 1;

    /** Most bytes of the script's progress when it is unpacked. */
    private static final int MAX_SCRIPT_BYTES = 64 << 20;

    /** A job that nobody has begun. */
    static final JobProgress NONE = new JobProgress(-1, ScriptProgress.NONE, new byte[0]);

    /**
     * As bytes.
     *
     * @throws JobFailedException if they are more than the directory takes
     */
    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(master);
            out.writeInt(engine.length);
            out.write(engine);
            try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
                zipped.write(JsonText.write(script.tree()).getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (bytes.size() > Job.MAX_PROGRESS_BYTES) {
            throw new JobFailedException(
                    "the results of %d tasks are too large to be kept while the job runs (%d bytes of %d, compressed); let tasks return less, or split the script"
                            .formatted(
                                    script.tasks().size(), bytes.size(), Job.MAX_PROGRESS_BYTES));
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #bytes} made; nothing is {@link #NONE}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static JobProgress of(byte[] bytes) {
        if (bytes.length == 0) {
            return NONE;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException("progress of version " + version);
            }
            int master = in.readInt();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IllegalArgumentException("progress is cut");
            }
            byte[] engine = in.readNBytes(length);
            try (GZIPInputStream zipped = new GZIPInputStream(in)) {
                String json =
                        new String(zipped.readNBytes(MAX_SCRIPT_BYTES), StandardCharsets.UTF_8);
                return new JobProgress(master, ScriptProgress.of(JsonText.parse(json)), engine);
            }
        } catch (IOException broken) {
            throw new IllegalArgumentException("progress can't be read: " + broken, broken);
        }
    }
}
