package org.starling.store.internal.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * A disk in memory that remembers everything that was done to it, in order, so that the disk of any
 * moment can be made again, as a crash or the loss of power leaves it. Can be full, and can fail.
 */
final class FakeDisk implements LogFiles {
    static final int SECTOR_BYTES = 512;

    /** What was done. */
    sealed interface Deed {}

    record Made(String folder) implements Deed {}

    record Gone(String folder) implements Deed {}

    record Replaced(String folder, String by) implements Deed {}

    record Created(String path) implements Deed {}

    record Deleted(String path) implements Deed {}

    @SuppressWarnings("ArrayRecordComponent")
    record Written(String path, long at, byte[] bytes) implements Deed {}

    record Forced(String path) implements Deed {}

    record Cut(String path, long bytes) implements Deed {}

    /** Somebody was told that changes up to here are safe. */
    record Acknowledged(long position) implements Deed {}

    private final List<Deed> deeds = new ArrayList<>();
    private final SortedMap<String, byte[]> contents = new TreeMap<>();
    private final Map<String, Boolean> folders = new HashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();

    private long roomBytes = Long.MAX_VALUE;
    private int forcesLeft = Integer.MAX_VALUE;
    private boolean forcesLie;
    private @Nullable Error forceError;
    private Runnable beforeWrite = () -> {};

    /** Forces wait for this; null while they don't. */
    private volatile @Nullable CountDownLatch hang;

    // ---- faults

    /** From now on only so many bytes more can be written. */
    synchronized void fillAllBut(long bytes) {
        roomBytes = bytes;
    }

    /** From now on only so many forces more succeed. */
    synchronized void failForcesAfter(int forces) {
        forcesLeft = forces;
    }

    /** Forces say they did it, and did nothing. */
    synchronized void lieAboutForces() {
        forcesLie = true;
    }

    /** Forces, new folders and lists of files do not return, until {@link #goOn}. */
    void hang() {
        hang = new CountDownLatch(1);
    }

    void goOn() {
        CountDownLatch hung = Objects.requireNonNull(hang);
        hang = null;
        hung.countDown();
    }

    /** The next force throws it. */
    synchronized void failForceWith(Error error) {
        forceError = error;
    }

    /** The next write does something first. */
    synchronized void beforeNextWrite(Runnable task) {
        beforeWrite = task;
    }

    private synchronized Runnable takeBeforeWrite() {
        Runnable task = beforeWrite;
        beforeWrite = () -> {};
        return task;
    }

    synchronized void acknowledge(long position) {
        deeds.add(new Acknowledged(position));
    }

    // ---- images

    synchronized List<Deed> deeds() {
        return new ArrayList<>(deeds);
    }

    private void awaitHang() throws IOException {
        CountDownLatch hung = hang;
        try {
            if (hung != null) {
                hung.await();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private synchronized @Nullable Error takeError() {
        Error error = forceError;
        forceError = null;
        return error;
    }

    /** The disk after some deeds. */
    static FakeDisk after(List<Deed> deeds) {
        FakeDisk disk = new FakeDisk();
        deeds.forEach(disk::redo);
        return disk;
    }

    /** The same disk to be treated otherwise from now on. */
    synchronized FakeDisk copy() {
        FakeDisk copy = new FakeDisk();
        contents.forEach((path, content) -> copy.contents.put(path, content.clone()));
        copy.folders.putAll(folders);
        copy.sizes.putAll(sizes);
        return copy;
    }

    /** Does one thing more; of a write only some bytes count. */
    FakeDisk then(Deed deed, int bytes) {
        if (deed instanceof Written write) {
            write(write.path, write.at, Arrays.copyOf(write.bytes, bytes));
        } else {
            redo(deed);
        }
        return this;
    }

    /** The disk after some deeds and the loss of power: of what was not forced, any sectors. */
    static FakeDisk afterPowerLoss(List<Deed> deeds, Random random) {
        Map<String, Integer> lastForce = new HashMap<>();
        for (int i = 0; i < deeds.size(); i++) {
            if (deeds.get(i) instanceof Forced forced) {
                lastForce.put(forced.path, i);
            }
        }
        FakeDisk disk = new FakeDisk();
        for (int i = 0; i < deeds.size(); i++) {
            Deed deed = deeds.get(i);
            if (deed instanceof Written write && i > lastForce.getOrDefault(write.path, -1)) {
                double kept = random.nextDouble();
                for (int at = 0; at < write.bytes.length; at += SECTOR_BYTES) {
                    if (random.nextDouble() < kept) {
                        byte[] sector = Arrays.copyOfRange(write.bytes, at, at + SECTOR_BYTES);
                        disk.write(write.path, write.at + at, sector);
                    }
                }
            } else {
                disk.redo(deed);
            }
        }
        return disk;
    }

    /** The last position that was acknowledged in the course of some deeds. */
    static long acknowledged(List<Deed> deeds) {
        long last = 0;
        for (Deed deed : deeds) {
            if (deed instanceof Acknowledged acknowledged) {
                last = Math.max(last, acknowledged.position);
            }
        }
        return last;
    }

    private void redo(Deed deed) {
        switch (deed) {
            case Made made -> folders.put(made.folder, true);
            case Gone gone -> {
                folders.remove(gone.folder);
                contents.keySet().removeIf(path -> path.startsWith(gone.folder + "/"));
            }
            case Replaced replaced -> replace(replaced.folder, replaced.by);
            case Created created -> create(created.path);
            case Deleted deleted -> contents.remove(deleted.path);
            case Written write -> write(write.path, write.at, write.bytes);
            case Cut cut -> cut(cut.path, cut.bytes);
            case Forced forced -> {}
            case Acknowledged acknowledged -> {}
        }
    }

    private void replace(String folder, String by) {
        contents.keySet().removeIf(path -> path.startsWith(folder + "/"));
        for (String path : paths()) {
            if (path.startsWith(by + "/")) {
                String moved = folder + path.substring(by.length());
                contents.put(moved, contents.remove(path));
                sizes.put(moved, sizes.remove(path));
            }
        }
        folders.remove(by);
        folders.put(folder, true);
    }

    private void create(String path) {
        contents.put(path, new byte[1 << 14]);
        sizes.put(path, 0);
    }

    private void cut(String path, long bytes) {
        Arrays.fill(content(path), (int) bytes, content(path).length, (byte) 0);
        sizes.put(path, (int) bytes);
    }

    private synchronized void write(String path, long at, byte[] bytes) {
        int end = (int) at + bytes.length;
        byte[] content = content(path);
        if (end > content.length) {
            content = Arrays.copyOf(content, Math.max(end, 2 * content.length));
            contents.put(path, content);
        }
        System.arraycopy(bytes, 0, content, (int) at, bytes.length);
        sizes.merge(path, end, Math::max);
    }

    /** Paths of all files. */
    synchronized List<String> paths() {
        return new ArrayList<>(contents.keySet());
    }

    synchronized int size(String path) {
        return Objects.requireNonNull(sizes.get(path), path);
    }

    /** The bytes of a file, to be looked at and spoilt. */
    synchronized byte[] content(String path) {
        return Objects.requireNonNull(contents.get(path), path);
    }

    /** All files' lengths added up. */
    synchronized long totalBytes() {
        return paths().stream().mapToLong(this::size).sum();
    }

    // ---- LogFiles

    @Override
    public synchronized List<String> folders() {
        return new ArrayList<>(folders.keySet());
    }

    @Override
    public List<String> files(String folder) throws IOException {
        awaitHang();
        return paths().stream()
                .filter(path -> path.startsWith(folder + "/"))
                .map(path -> path.substring(folder.length() + 1))
                .toList();
    }

    @Override
    public void makeFolder(String folder) throws IOException {
        awaitHang();
        synchronized (this) {
            deeds.add(new Made(folder));
            redo(deeds.getLast());
        }
    }

    @Override
    public synchronized void deleteFolder(String folder) {
        deeds.add(new Gone(folder));
        redo(deeds.getLast());
    }

    @Override
    public synchronized void replaceFolder(String folder, String by) {
        deeds.add(new Replaced(folder, by));
        redo(deeds.getLast());
    }

    @Override
    public synchronized LogFile create(String folder, String name) throws IOException {
        String path = folder + "/" + name;
        if (contents.containsKey(path)) {
            throw new IOException(path + " exists");
        }
        deeds.add(new Created(path));
        redo(deeds.getLast());
        return new OpenFile(path);
    }

    @Override
    public synchronized LogFile open(String folder, String name) throws IOException {
        String path = folder + "/" + name;
        if (!contents.containsKey(path)) {
            throw new IOException(path + " does not exist");
        }
        return new OpenFile(path);
    }

    @Override
    public synchronized void delete(String folder, String name) {
        deeds.add(new Deleted(folder + "/" + name));
        redo(deeds.getLast());
    }

    @Override
    public String toString() {
        return "fake disk";
    }

    private final class OpenFile implements LogFile {
        private final String path;

        OpenFile(String path) {
            this.path = path;
        }

        @Override
        public long size() {
            return FakeDisk.this.size(path);
        }

        @Override
        public void write(long at, long address, int bytes) throws IOException {
            takeBeforeWrite().run();
            if ((at | address | bytes) % LogConfig.ALIGNMENT != 0) {
                throw new IOException("not aligned: " + bytes + " bytes at " + at);
            }
            synchronized (FakeDisk.this) {
                int fits = (int) Math.min(bytes, roomBytes / SECTOR_BYTES * SECTOR_BYTES);
                byte[] copy = new byte[fits];
                NativeMemory.copyToArray(address, copy, 0, fits);
                deeds.add(new Written(path, at, copy));
                redo(deeds.getLast());
                roomBytes -= fits;
                if (fits < bytes) {
                    throw new IOException("No space left on device");
                }
            }
        }

        @Override
        public int read(long at, long address, int bytes) {
            synchronized (FakeDisk.this) {
                int there = (int) Math.max(0, Math.min(bytes, size() - at));
                NativeMemory.copyFromArray(content(path), (int) at, address, there);
                return there;
            }
        }

        @Override
        public void force() throws IOException {
            awaitHang();
            Error error = takeError();
            if (error != null) {
                throw error;
            }
            synchronized (FakeDisk.this) {
                if (forcesLeft-- <= 0) {
                    throw new IOException("Input/output error");
                }
                if (!forcesLie) {
                    deeds.add(new Forced(path));
                }
            }
        }

        @Override
        public void truncate(long bytes) {
            synchronized (FakeDisk.this) {
                deeds.add(new Cut(path, bytes));
                redo(deeds.getLast());
            }
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
