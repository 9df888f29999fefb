package org.starling.store.internal.log;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The disk below the logs with a bound on every operation. One that {@link #doWork} has found under
 * way {@value #LOOKS} times counts as hung: it has failed, whatever it brings later, and nothing
 * but reading is asked of the disk until all such operations have come back. Looks are counted, not
 * time, so a process that was stopped does not blame its disk. Owned by {@link BackupLogs};
 * thread-safe.
 *
 * <p>What is done to folders, on threads of the caller's choosing, is done by a thread of this
 * object, so that the caller gets away from a disk that hangs; files belong to the logs' thread and
 * to readers, who have to wait.
 */
final class DiskWatch implements LogFiles, AutoCloseable {
    /** So often an operation is seen before it counts as hung. */
    static final int LOOKS = 5;

    private static final Logger LOG = LogManager.getLogger(DiskWatch.class);

    /** Ends once, by whoever does it or by who finds that it hangs. */
    private static final class Operation<T> extends CompletableFuture<T> {
        private final String what;

        /** Confined to who looks. */
        private int looks;

        Operation(String what) {
            this.what = what;
        }
    }

    @FunctionalInterface
    private interface Deed<T> {
        T run() throws IOException;
    }

    private final LogFiles disk;
    private final Set<Operation<?>> underWay = ConcurrentHashMap.newKeySet();
    private final ExecutorService folders =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("starling-log-folders").factory());

    /** Told why the disk is taken for hung, and null when it answers again. */
    private final Consumer<@Nullable IOException> news;

    private final Thread thread;

    /** Why nothing is asked of the disk at the moment. Written by {@link #doWork}. */
    private volatile @Nullable IOException hang;

    private volatile boolean isClosed;

    private final LongAdder forces = new LongAdder();
    private final LongAdder forceNanos = new LongAdder();

    /** Above a disk. */
    DiskWatch(LogFiles disk, Duration patience, Consumer<@Nullable IOException> news) {
        this.disk = disk;
        this.news = news;
        long pauseNanos = patience.dividedBy(LOOKS).toNanos();
        thread =
                Thread.ofPlatform()
                        .name("starling-log-watch")
                        .daemon()
                        .unstarted(() -> run(pauseNanos));
    }

    /** Begins to look by itself. */
    void start() {
        thread.start();
    }

    private void run(long pauseNanos) {
        while (!isClosed) {
            LockSupport.parkNanos(this, pauseNanos);
            doWork();
        }
    }

    /** One look at what is under way. Never waits for the disk. */
    void doWork() {
        boolean isHung = false;
        for (Operation<?> operation : underWay) {
            if (++operation.looks >= LOOKS) {
                giveUp(operation);
                isHung |= operation.isCompletedExceptionally();
            }
        }
        if (!isHung && hang != null) {
            hang = null;
            LOG.warn("the disk under {} answers again; it may take new copies", disk);
            news.accept(null);
        }
    }

    private void giveUp(Operation<?> operation) {
        IOException failure =
                new HungDiskException(
                        "%s under %s does not return".formatted(operation.what, disk));
        if (operation.completeExceptionally(failure) && hang == null) {
            hang = failure;
            LOG.error("the disk hangs: {}", failure.getMessage());
            news.accept(failure);
        }
    }

    /** Why nothing is asked of the disk, or null. */
    @Nullable IOException hang() {
        return hang;
    }

    /** Times that a file was made safe. */
    long forces() {
        return forces.sum();
    }

    /** How long that took, all together. */
    long forceNanos() {
        return forceNanos.sum();
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        folders.shutdown();
    }

    // ---- folders

    @Override
    public List<String> folders() throws IOException {
        return elsewhere("listing folders", disk::folders);
    }

    @Override
    public List<String> files(String folder) throws IOException {
        return elsewhere("listing " + folder, () -> disk.files(folder));
    }

    @Override
    public void makeFolder(String folder) throws IOException {
        boolean _ = elsewhere("making " + folder, done(() -> disk.makeFolder(folder)));
    }

    @Override
    public void deleteFolder(String folder) throws IOException {
        boolean _ = elsewhere("deleting " + folder, done(() -> disk.deleteFolder(folder)));
    }

    @Override
    public void replaceFolder(String folder, String by) throws IOException {
        boolean _ = elsewhere("replacing " + folder, done(() -> disk.replaceFolder(folder, by)));
    }

    // ---- files

    @Override
    public LogFile create(String folder, String name) throws IOException {
        String path = folder + "/" + name;
        return new WatchedFile(path, changing("making " + path, () -> disk.create(folder, name)));
    }

    @Override
    public LogFile open(String folder, String name) throws IOException {
        String path = folder + "/" + name;
        return new WatchedFile(path, watched("opening " + path, () -> disk.open(folder, name)));
    }

    @Override
    public void delete(String folder, String name) throws IOException {
        boolean _ = changing("deleting " + name, done(() -> disk.delete(folder, name)));
    }

    @Override
    public String toString() {
        return disk.toString();
    }

    private final class WatchedFile implements LogFile {
        private final String path;
        private final LogFile file;

        WatchedFile(String path, LogFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return watched("the size of " + path, file::size);
        }

        @Override
        public void write(long at, long address, int bytes) throws IOException {
            boolean _ = changing("a write of " + path, done(() -> file.write(at, address, bytes)));
        }

        @Override
        public int read(long at, long address, int bytes) throws IOException {
            return watched("a read of " + path, () -> file.read(at, address, bytes));
        }

        @Override
        public void force() throws IOException {
            long began = System.nanoTime();
            boolean _ = changing("a force of " + path, done(file::force));
            forces.increment();
            forceNanos.add(System.nanoTime() - began);
        }

        @Override
        public void truncate(long bytes) throws IOException {
            boolean _ = changing("cutting " + path, done(() -> file.truncate(bytes)));
        }

        @Override
        public void close() throws IOException {
            boolean _ = watched("closing " + path, done(file::close));
        }
    }

    // ---- private

    @FunctionalInterface
    private interface Change {
        void run() throws IOException;
    }

    private static Deed<Boolean> done(Change change) {
        return () -> {
            change.run();
            return true;
        };
    }

    private <T> T elsewhere(String what, Deed<T> deed) throws IOException {
        refuseIfHung();
        Operation<T> operation = new Operation<>(what);
        underWay.add(operation);
        try {
            folders.execute(() -> carryOut(operation, deed));
        } catch (RejectedExecutionException e) {
            underWay.remove(operation);
            throw new IOException("the logs are closed", e);
        }
        return resultOf(operation);
    }

    private <T> T changing(String what, Deed<T> deed) throws IOException {
        refuseIfHung();
        return watched(what, deed);
    }

    private <T> T watched(String what, Deed<T> deed) throws IOException {
        Operation<T> operation = new Operation<>(what);
        underWay.add(operation);
        carryOut(operation, deed);
        return resultOf(operation);
    }

    /** What a hung operation brings later is dropped: it has failed. */
    private <T> void carryOut(Operation<T> operation, Deed<T> deed) {
        try {
            T result = deed.run();
            if (!operation.complete(result) && result instanceof LogFile late) {
                late.close();
            }
        } catch (IOException | RuntimeException | Error e) {
            operation.completeExceptionally(e);
        } finally {
            underWay.remove(operation);
        }
    }

    private static <T> T resultOf(Operation<T> operation) throws IOException {
        try {
            return operation.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            switch (cause) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IOException(e);
            }
        }
    }

    private void refuseIfHung() throws IOException {
        IOException why = hang;
        if (why != null) {
            throw new HungDiskException(
                    "the disk hangs, so nothing is asked of it: " + why.getMessage());
        }
    }
}
