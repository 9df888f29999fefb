package org.starling.compute.internal.results;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.results.ResultIndex.ResultFile;
import org.starling.compute.internal.results.ResultIndex.Run;
import org.starling.compute.script.RecordJson;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.JobInfo;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Files that jobs have written, in the store: under the name {@code result/JOB/TASK} a chunk with a
 * {@link ResultIndex}, and the bytes in pieces, spread over the peers. They are written with all
 * the durability that the cluster can give. Holds one piece at a time. Any thread but receiving
 * ones; one job's are put by its master alone.
 *
 * <p>The name is there before the chunks, so whatever a master that is lost has left is found by
 * it: by the job's next attempt, by the end of the job, or, when the directory has forgotten the
 * job, by the next one that looks.
 */
public final class ResultStore {
    private static final Logger LOG = LogManager.getLogger(ResultStore.class);
    private static final String PREFIX = "result/";
    private static final int PIECE_BYTES = 1 << 20;

    /** Pieces that are made at once, on one peer. */
    private static final int RUN_PIECES = 64;

    /** Files of one task. */
    private static final int MAX_FILES = 10_000;

    /** How long a chunk may be without an owner: its peer is lost and being recovered. */
    private static final Duration OWNER_PATIENCE = Duration.ofSeconds(60);

    /** Owners that may be lost one after the other while something is read or written. */
    private static final int MAX_TRIES = 4;

    private final StoreNode store;

    /**
     * A result.
     *
     * @param file its name, relative to the folder of whoever fetches it
     * @param bytes its length
     */
    public record Result(String file, long bytes) {}

    /** The results of a node's cluster. */
    public ResultStore(StoreNode store) {
        this.store = store;
    }

    /**
     * Puts all files of a folder, but hidden ones, as results of a task, and removes the files.
     *
     * @throws JobFailedException if there is no room for them
     */
    public void put(long job, int task, Path folder) {
        List<Path> files = files(folder);
        if (files.isEmpty()) {
            return;
        }
        if (files.size() > MAX_FILES) {
            throw new JobFailedException(
                    "a task has written %d files, more than the %d that can be fetched"
                            .formatted(files.size(), MAX_FILES));
        }
        for (int tries = 1; ; tries++) {
            remove(name(job, task));
            try {
                write(job, task, folder, files, tries);
                break;
            } catch (OutOfChunkMemoryException full) {
                throw new JobFailedException(
                        "results that are to be fetched stand in the memory of the peers until then, and it is full: "
                                + full.getMessage(),
                        full);
            } catch (StoreException failed) {
                LOG.info("results of job {} could not be put: {}", job, failed.getMessage());
                if (tries == MAX_TRIES) {
                    throw failed;
                }
            } catch (IOException unreadable) {
                throw new JobFailedException(
                        "results can't be read: " + FileTrouble.reason(unreadable), unreadable);
            }
        }
    }

    /** What tasks of a job have written, by name; of a name the newest. */
    public List<Result> list(long job) {
        return indexed(job).values().stream()
                .map(file -> new Result(file.file(), file.bytes()))
                .toList();
    }

    /**
     * Writes a result to a stream.
     *
     * @throws InvalidInputException if there is none of that name
     * @throws IOException if the stream takes no more
     */
    public void read(long job, String name, OutputStream out) throws IOException {
        ResultFile file = indexed(job).get(name);
        if (file == null) {
            throw new InvalidInputException("job %d has no result \"%s\"".formatted(job, name));
        }
        for (Run run : file.runs()) {
            for (int i = 0; i < run.count(); i++) {
                out.write(piece(run.first() + i));
            }
        }
    }

    /** Removes what a job's tasks from this one on have written. */
    public void removeFrom(long job, int task) {
        names().keySet().stream()
                .filter(name -> job(name) == job && task(name) >= task)
                .forEach(this::remove);
    }

    /** Removes all of the jobs that nobody can ask for any more. */
    public void removeForgotten() {
        Set<Long> known = store.jobs().jobs().stream().map(JobInfo::id).collect(Collectors.toSet());
        removeIf(job -> !known.contains(job));
    }

    private void removeIf(LongPredicate jobs) {
        names().keySet().stream().filter(name -> jobs.test(job(name))).forEach(this::remove);
    }

    private SortedMap<String, ResultFile> indexed(long job) {
        TreeMap<Integer, Long> chunks = new TreeMap<>();
        names().forEach((name, chunk) -> {
            if (job(name) == job) {
                chunks.put(task(name), chunk);
            }
        });
        TreeMap<String, ResultFile> files = new TreeMap<>();
        for (long chunk : chunks.values()) {
            index(chunk)
                    .filter(ResultIndex::complete)
                    .ifPresent(one -> one.files().forEach(file -> files.put(file.file(), file)));
        }
        return files;
    }

    private SortedMap<String, Long> names() {
        TreeMap<String, Long> names = new TreeMap<>(store.names().list());
        names.keySet().removeIf(name -> !name.matches(PREFIX + "\\d{1,18}/\\d{1,9}"));
        return names;
    }

    private static String name(long job, int task) {
        return PREFIX + job + "/" + task;
    }

    private static long job(String name) {
        return Long.parseLong(name.split("/", -1)[1]);
    }

    private static int task(String name) {
        return Integer.parseInt(name.split("/", -1)[2]);
    }

    private void write(long job, int task, Path folder, List<Path> files, int tries)
            throws IOException {
        ChunkService chunks = store.chunks().with(store.promised());
        int[] peers = store.membership().keepers("results");
        int turn = Math.floorMod(job + task + tries, peers.length);
        ResultIndex index = ResultIndex.EMPTY;
        byte[] begun = RecordJson.PLAIN.bytes(index);
        long chunk = chunks.createOn(peers[turn], new int[] {begun.length});
        store.names().register(name(job, task), chunk);
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            long bytes = Files.size(file);
            try (InputStream in = Files.newInputStream(file)) {
                long left = bytes;
                do {
                    int[] sizes = sizes(left);
                    turn = (turn + 1) % peers.length;
                    long first = chunks.createOn(peers[turn], sizes);
                    index = index.with(name, bytes, new Run(first, sizes.length));
                    chunks.put(chunk, RecordJson.PLAIN.bytes(index));
                    for (int i = 0; i < sizes.length; i++) {
                        byte[] piece = in.readNBytes(sizes[i]);
                        if (piece.length != sizes[i]) {
                            throw new IOException(name + " has become shorter");
                        }
                        chunks.put(first + i, piece);
                        left -= sizes[i];
                    }
                } while (left > 0);
            }
        }
        chunks.put(chunk, RecordJson.PLAIN.bytes(index.completed()));
        for (Path file : files) {
            Files.delete(file);
        }
    }

    private static int[] sizes(long left) {
        int count = (int) Math.max(1, Math.min(RUN_PIECES, (left + PIECE_BYTES - 1) / PIECE_BYTES));
        int[] sizes = new int[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = (int) Math.min(PIECE_BYTES, left - (long) i * PIECE_BYTES);
        }
        return sizes;
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new JobFailedException(
                    "results can't be read: " + FileTrouble.reason(unreadable), unreadable);
        }
    }

    private byte[] piece(long chunk) {
        for (int reads = 1; ; reads++) {
            try {
                store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
                return store.chunks().get(chunk);
            } catch (ChunkNotFoundException | DataLostException gone) {
                throw new StoreException("a piece of the result is lost", gone);
            } catch (StoreException lost) {
                if (reads == MAX_TRIES) {
                    throw lost;
                }
            }
        }
    }

    private Optional<ResultIndex> index(long chunk) {
        try {
            store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
            // zeros of a chunk that nothing was put into yet are none
            return RecordJson.PLAIN.ofBytes(ResultIndex.class, store.chunks().get(chunk));
        } catch (ChunkNotFoundException | DataLostException gone) {
            LOG.warn("an index of results is lost: {}", gone.getMessage());
            return Optional.empty();
        }
    }

    /**
     * The name first: of several who would remove the same only one takes it away, and only that
     * one removes chunks, whose ids others may get.
     */
    private void remove(String name) {
        long chunk = store.names().lookup(name);
        if (chunk == ChunkId.NONE) {
            return;
        }
        List<ResultFile> files = index(chunk).map(ResultIndex::files).orElse(List.of());
        if (!store.names().remove(name)) {
            return;
        }
        for (ResultFile file : files) {
            file.runs().forEach(this::remove);
        }
        try {
            store.chunks().remove(chunk);
        } catch (ChunkNotFoundException gone) {
            LOG.debug("{} was a name alone", name);
        }
    }

    private void remove(Run run) {
        try {
            if (store.chunks().awaitOwner(run.first(), OWNER_PATIENCE) >= 0) {
                store.chunks().removeRange(run.first(), run.count());
            }
        } catch (ChunkNotFoundException gone) {
            LOG.debug("nothing is left of a result: {}", gone.getMessage());
        }
    }
}
