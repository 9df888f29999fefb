package org.starling.compute.internal.run;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/**
 * Files beside an output file that hold the lines of one shard each, until the run has succeeded
 * and the master puts them together.
 *
 * <p>A part is written by the thread that computes its shard, superstep after superstep. Links are
 * not followed, neither to write nor to read: whoever may write into the folder could otherwise
 * have other files written to or shown.
 */
public final class OutputParts {
    private OutputParts() {}

    /** Name of a part. */
    public static Path part(Path file, long run, int shard) {
        return file.resolveSibling("." + file.getFileName() + "." + run + ".part-" + shard);
    }

    /** Name of a file that is not whole yet, whatever it is put together of. */
    public static Path whole(Path file, long run) {
        return file.resolveSibling("." + file.getFileName() + "." + run + ".whole");
    }

    /** Makes a part: every shard has one, so that one that is missing is noticed. */
    static void create(Path file, long run, int shard, byte[] bytes, int count) {
        write(file, run, shard, bytes, count, CREATE_NEW);
    }

    /** Appends to a part. */
    static void append(Path file, long run, int shard, byte[] bytes, int count) {
        write(file, run, shard, bytes, count, APPEND);
    }

    private static void write(
            Path file, long run, int shard, byte[] bytes, int count, StandardOpenOption how) {
        Path part = part(file, run, shard);
        try (OutputStream out = Files.newOutputStream(part, WRITE, how, NOFOLLOW_LINKS)) {
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw cannotWrite("beside " + file, e);
        }
    }

    /**
     * Puts the parts of a run together in the order of shards under the file's name, and removes
     * them.
     *
     * @throws JobFailedException if one of them is missing
     */
    public static void join(Path file, long run, int shards) {
        Path whole = whole(file, run);
        try {
            try (OutputStream out = begin(whole)) {
                for (int shard = 0; shard < shards; shard++) {
                    FaultPoint.write(FaultPoint.MASTER, shard, () -> false);
                    copy(part(file, run, shard), out);
                }
            }
            name(whole, file);
        } catch (IOException e) {
            throw cannotWrite(file.toString(), e);
        } finally {
            remove(file, run, shards);
        }
    }

    /** What is wrong where nothing can be written. */
    public static InvalidInputException cannotWrite(String where, IOException why) {
        return new InvalidInputException(
                "cannot write %s: %s; choose a folder that can be written"
                        .formatted(where, FileTrouble.reason(why)),
                why);
    }

    /** Begins a file that is not whole yet. */
    public static OutputStream begin(Path whole) throws IOException {
        Files.deleteIfExists(whole);
        return Files.newOutputStream(whole, CREATE_NEW, WRITE, NOFOLLOW_LINKS);
    }

    /** Gives a file that is whole its name, in one step. */
    public static void name(Path whole, Path file) throws IOException {
        Files.move(whole, file, REPLACE_EXISTING, ATOMIC_MOVE);
    }

    private static void copy(Path part, OutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(part, NOFOLLOW_LINKS)) {
            in.transferTo(out);
        } catch (NoSuchFileException e) {
            throw new JobFailedException(
                    "a part of the result is missing: "
                            + part
                            + " was written and is gone; leave the files beside a result alone"
                            + " until it is there, and give all peers the same folder",
                    e);
        }
    }

    /**
     * Removes what attempts of the same job before this one have left beside a file, because their
     * master was lost before it could. What other jobs leave there may still be in use.
     */
    public static void removeOlder(Path file, long run) {
        Pattern name =
                Pattern.compile(
                        Pattern.quote("." + file.getFileName())
                                + "\\.(\\d{1,19})\\.(part-\\d+|whole)");
        removeBeside(
                file,
                name,
                left -> isOlder(Long.parseUnsignedLong(left), run),
                Files::deleteIfExists);
    }

    /** How something that attempts have left is removed. */
    public interface Removal {
        /** Removes it, if it is still there. */
        void remove(Path left) throws IOException;
    }

    /**
     * Removes what attempts have left beside an output.
     *
     * @param name what it is called; the first group says of which attempt it is
     * @param attempts whose is removed
     */
    public static void removeBeside(
            Path output, Pattern name, Predicate<String> attempts, Removal removal) {
        Path folder = output.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path left : files.toList()) {
                Matcher match = name.matcher(String.valueOf(left.getFileName()));
                if (match.matches() && attempts.test(match.group(1))) {
                    removal.remove(left);
                }
            }
        } catch (IOException e) {
            throw new JobFailedException(
                    "cannot remove older parts of " + output + ": " + FileTrouble.reason(e), e);
        }
    }

    private static boolean isOlder(long left, long run) {
        return Long.compareUnsigned(left, run) < 0
                && Attempt.job(Attempt.term(left)) == Attempt.job(Attempt.term(run));
    }

    /** Removes the parts of a run, and what was put together of them but got no name. */
    public static void remove(Path file, long run, int shards) {
        try {
            Files.deleteIfExists(whole(file, run));
            for (int shard = 0; shard < shards; shard++) {
                Files.deleteIfExists(part(file, run, shard));
            }
        } catch (IOException e) {
            throw new JobFailedException(
                    "cannot remove the parts of " + file + ": " + FileTrouble.reason(e), e);
        }
    }
}
