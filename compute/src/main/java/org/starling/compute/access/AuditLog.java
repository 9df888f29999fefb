package org.starling.compute.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;

/**
 * Writes down who has changed what: a JSON object a line in {@code audit.jsonl}, for its owner
 * alone. When a file is full it becomes {@code audit-1.jsonl}, what was that {@code audit-2.jsonl},
 * and so on; the eldest is removed. So there are never more than {@value #MAX_FILES} files of
 * {@value #MAX_FILE_BYTES} bytes. Only those who have shown a token get a line: strangers can't
 * push others' out.
 *
 * <p>A line that can't be written, because the disk is full, goes to the node's own log as an
 * error; what it tells of has happened. Any thread; a line costs one write, which is not forced.
 */
public final class AuditLog {
    /** How many files there are at most, the one that is written to included. */
    public static final int MAX_FILES = 8;

    /** The longest file. */
    public static final long MAX_FILE_BYTES = 8L << 20;

    /** What is longer is cut: whoever may ask for something must not push out what others did. */
    private static final int MAX_OBJECT_CHARACTERS = 256;

    private static final Logger LOG = LogManager.getLogger(AuditLog.class);

    private final Path folder;
    private final InstantSource clock;
    private final long maxFileBytes;

    /** A log in the folder of a node's data. */
    public AuditLog(Path folder, InstantSource clock) {
        this(folder, clock, MAX_FILE_BYTES);
    }

    /** The same with shorter files, for tests. */
    AuditLog(Path folder, InstantSource clock, long maxFileBytes) {
        this.folder = folder;
        this.clock = clock;
        this.maxFileBytes = maxFileBytes;
    }

    /** The file that is written to. */
    public static Path file(Path folder) {
        return folder.resolve("audit.jsonl");
    }

    /** Writes a line. */
    public void note(AuditEntry entry) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        tree.putAll(RecordJson.PLAIN.tree(entry));
        String object = entry.object();
        if (object != null && object.length() > MAX_OBJECT_CHARACTERS) {
            tree.put("object", object.substring(0, MAX_OBJECT_CHARACTERS) + "…");
        }
        String line = JsonText.write(tree);
        try {
            append((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException full) {
            LOG.error("{} can't be written ({}): {}", file(folder), full, line);
        }
    }

    private synchronized void append(byte[] line) throws IOException {
        Path file = file(folder);
        if (!Files.exists(file)) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } else if (Files.size(file) + line.length > maxFileBytes) {
            rotate();
            append(line);
            return;
        }
        Files.write(file, line, StandardOpenOption.APPEND);
    }

    private void rotate() throws IOException {
        for (int number = MAX_FILES - 1; number >= 1; number--) {
            Path from = number == 1 ? file(folder) : earlier(number - 1);
            if (Files.exists(from)) {
                Files.move(from, earlier(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path earlier(int number) {
        return folder.resolve("audit-%d.jsonl".formatted(number));
    }
}
