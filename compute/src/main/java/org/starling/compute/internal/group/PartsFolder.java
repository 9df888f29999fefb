package org.starling.compute.internal.group;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starling.compute.internal.protocol.OutputMessage.EndWriting;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.protocol.OutputMessage.WriteTable;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.script.ScriptFiles;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/**
 * Columns as a folder of tables, which all slaves write at once: {@code part-00000.ENDING} for each
 * shard that has vertices. They are written into a hidden folder beside it, {@code
 * .NAME.STAMP.parts}, which gets the name at the end. An older folder steps aside first ({@code
 * .NAME.STAMP.old}), and is removed when the new one has its name. The stamp is an attempt's own;
 * what attempts of the same job that came to nothing have left goes with the next one. Used by the
 * master, once.
 */
final class PartsFolder {
    private static final Duration END_TIMEOUT = Duration.ofMinutes(2);

    private final Path folder;
    private final long attempt;
    private final AttemptStamp stamp;
    private final Path draft;
    private final Path older;

    /** Names of drafts and of what has stepped aside, whose first group is a stamp. */
    private final Pattern hidden;

    /**
     * A folder of one attempt.
     *
     * @param attempt its number
     */
    PartsFolder(Path folder, long attempt) {
        this.folder = folder;
        this.attempt = attempt;
        this.stamp = AttemptStamp.of(attempt);
        String name = String.valueOf(folder.getFileName());
        this.draft = folder.resolveSibling(".%s.%s.parts".formatted(name, stamp.text()));
        this.older = folder.resolveSibling(".%s.%s.old".formatted(name, stamp.text()));
        this.hidden =
                Pattern.compile(
                        Pattern.quote("." + name)
                                + "\\.("
                                + AttemptStamp.PATTERN
                                + ")\\.(?:parts|old)");
    }

    /** Writes all parts and gives the folder its name; leaves nothing if that fails. */
    void write(String graph, List<String> columns, String format, String ending, Group group) {
        requireReplaceable();
        try {
            Files.createDirectory(draft);
        } catch (IOException e) {
            throw OutputParts.cannotWrite(folder.toString(), e);
        }
        WriteTable command =
                new WriteTable(attempt, graph, columns, format, ending, draft.toString());
        try {
            for (PartsWritten one : group.all(command)) {
                for (int i = 0; i < one.shards().length; i++) {
                    PartsFile.check(draft.resolve(part(one.shards()[i], ending)), one.bytes()[i]);
                }
            }
            FaultPoint.write(FaultPoint.MASTER, 0, () -> false);
            commit();
        } catch (RuntimeException failed) {
            group.allQuietly(new EndWriting(attempt), END_TIMEOUT);
            try {
                remove(draft);
            } catch (JobFailedException left) {
                failed.addSuppressed(left);
            }
            throw failed;
        }
        OutputParts.removeBeside(folder, hidden, stamp::isBehind, PartsFolder::remove);
    }

    private void requireReplaceable() {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
                && !ScriptFiles.isFolderOfParts(folder)
                && !isEmptyFolder()) {
            throw new InvalidInputException(
                    "%s is there, and no folder of parts alone: it is not replaced; name another folder, or remove it"
                            .formatted(folder));
        }
    }

    /** As one is whose parts have been fetched. */
    private boolean isEmptyFolder() {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw OutputParts.cannotWrite(folder.toString(), e);
        }
    }

    private void commit() {
        requireReplaceable();
        try {
            boolean isThere = Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
            if (isThere) {
                Files.move(folder, older, StandardCopyOption.ATOMIC_MOVE);
            }
            try {
                Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                if (isThere) {
                    Files.move(older, folder, StandardCopyOption.ATOMIC_MOVE);
                }
                throw e;
            }
        } catch (IOException e) {
            throw OutputParts.cannotWrite(folder.toString(), e);
        }
        remove(older);
    }

    /** Removes a folder of parts, if it is there; nothing in it is followed. */
    private static void remove(Path parts) {
        if (!Files.isDirectory(parts, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(parts)) {
            for (Path one : files) {
                Files.delete(one);
            }
            Files.delete(parts);
        } catch (IOException e) {
            throw new JobFailedException(
                    "cannot remove " + parts + ": " + FileTrouble.reason(e), e);
        }
    }

    /** Name of a shard's part. */
    static String part(int shard, String ending) {
        return "part-%05d.%s".formatted(shard, ending);
    }

    /** What a peer says that does not see the folder. */
    static String notSeen(Path draft) {
        return "a peer does not see the folder %s, in which the result is written; give all peers the same folder, or write without \"parts\""
                .formatted(draft);
    }
}
