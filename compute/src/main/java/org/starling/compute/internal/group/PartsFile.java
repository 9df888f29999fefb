package org.starling.compute.internal.group;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.OutputMessage.EndWriting;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/**
 * A state as many files, which all slaves write at once: parts {@code FILE.part-00000.STAMP}, one
 * for each shard that has vertices, and {@code FILE}, which names them in their order.
 *
 * <p>The stamp is an attempt's own, so no attempt touches parts of another; {@code FILE} takes its
 * place at the end, in one step. What it named before goes then, and what attempts of the same job
 * that came to nothing have left. Used by the master, once.
 */
final class PartsFile {
    private static final Duration END_TIMEOUT = Duration.ofMinutes(2);

    /** A file that names parts is not longer than this. */
    private static final long MAX_BYTES = 64L << 20;

    private final Path file;
    private final long attempt;
    private final AttemptStamp stamp;

    /** Names of parts, whose first group is a stamp. */
    private final Pattern name;

    /**
     * A file of one attempt.
     *
     * @param attempt its number
     */
    PartsFile(Path file, long attempt) {
        this.file = file;
        this.attempt = attempt;
        this.stamp = AttemptStamp.of(attempt);
        this.name =
                Pattern.compile(
                        Pattern.quote(String.valueOf(file.getFileName()))
                                + "\\.part-\\d{5,10}\\.("
                                + AttemptStamp.PATTERN
                                + ")");
    }

    /** Writes all parts and then the file; leaves nothing if that fails. */
    void write(KnownGraph graph, String state, Group group) {
        WriteParts command =
                new WriteParts(attempt, graph.name(), state, file.toString(), stamp.text());
        try {
            commit(graph, state, group.all(command));
        } catch (RuntimeException failed) {
            group.allQuietly(new EndWriting(attempt), END_TIMEOUT);
            try {
                remove(stamp.text()::equals);
            } catch (JobFailedException left) {
                failed.addSuppressed(left);
            }
            throw failed;
        }
    }

    private void commit(KnownGraph graph, String state, List<PartsWritten> answers) {
        TreeMap<Integer, Long> bytesOf = new TreeMap<>();
        for (PartsWritten one : answers) {
            for (int i = 0; i < one.shards().length; i++) {
                bytesOf.put(one.shards()[i], one.bytes()[i]);
            }
        }
        List<Map<String, @Nullable Object>> parts = new ArrayList<>();
        bytesOf.forEach((shard, bytes) -> {
            Path written = part(file, shard, stamp.text());
            check(written, bytes);
            Map<String, @Nullable Object> part = new LinkedHashMap<>();
            part.put("file", written.getFileName().toString());
            part.put("vertices", graph.shards().size(shard));
            part.put("bytes", bytes);
            parts.add(part);
        });
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("graph", graph.name());
        tree.put("state", state);
        tree.put("order", "ordinal");
        tree.put("vertices", graph.shards().vertices());
        tree.put("bytes", bytesOf.values().stream().mapToLong(Long::longValue).sum());
        tree.put("parts", parts);
        Set<String> replaced = stampsNamed();
        Path whole = OutputParts.whole(file, attempt);
        try {
            try (OutputStream out = OutputParts.begin(whole)) {
                FaultPoint.write(FaultPoint.MASTER, 0, () -> false);
                out.write((JsonText.write(tree) + "\n").getBytes(StandardCharsets.UTF_8));
            }
            OutputParts.name(whole, file);
        } catch (IOException e) {
            throw OutputParts.cannotWrite(file.toString(), e);
        } finally {
            OutputParts.remove(file, attempt, 0);
        }
        OutputParts.removeOlder(file, attempt);
        remove(one -> !one.equals(stamp.text()) && (replaced.contains(one) || stamp.isBehind(one)));
    }

    /** Stamps of parts that the file names which is there now. */
    private Set<String> stampsNamed() {
        Set<String> stamps = new HashSet<>();
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) <= MAX_BYTES
                    && JsonText.parse(Files.readString(file, StandardCharsets.ISO_8859_1))
                            instanceof Map<?, ?> tree
                    && tree.get("parts") instanceof List<?> parts) {
                for (Object part : parts) {
                    Object named = part instanceof Map<?, ?> one ? one.get("file") : null;
                    Matcher match = name.matcher(String.valueOf(named));
                    if (match.matches()) {
                        stamps.add(match.group(1));
                    }
                }
            }
        } catch (IOException e) {
            throw OutputParts.cannotWrite(file.toString(), e);
        } catch (InvalidInputException other) {
            return Set.of(); // a file that names no parts
        }
        return stamps;
    }

    /** Throws unless a part is as its writer has said. */
    static void check(Path part, long bytes) {
        try {
            if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS) && Files.size(part) == bytes) {
                return;
            }
        } catch (IOException e) {
            throw new JobFailedException(
                    "cannot look at " + part + ": " + FileTrouble.reason(e), e);
        }
        throw new JobFailedException(
                "a part of the result is missing: a peer has written "
                        + part
                        + ", and it is not here; give all peers the same folder, or write without"
                        + " \"parts\"");
    }

    private void remove(Predicate<String> stamps) {
        OutputParts.removeBeside(file, name, stamps, Files::deleteIfExists);
    }

    /** Where the part of a shard stands. */
    static Path part(Path file, int shard, String stamp) {
        return file.resolveSibling("%s.part-%05d.%s".formatted(file.getFileName(), shard, stamp));
    }

    /** Begins a part, which is not there yet. */
    static OutputStream create(Path part) throws IOException {
        return Files.newOutputStream(
                part,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }
}
