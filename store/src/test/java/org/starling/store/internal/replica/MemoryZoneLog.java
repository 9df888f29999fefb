package org.starling.store.internal.replica;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.starling.net.NativeMemory;
import org.starling.store.internal.log.EntryCursor;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.LogFailedException;
import org.starling.store.internal.log.PositionGapException;
import org.starling.store.internal.log.ReplayTarget;
import org.starling.store.internal.log.StaleEpochException;
import org.starling.store.internal.log.TailUnavailableException;
import org.starling.store.internal.log.TailVisitor;
import org.starling.store.internal.log.ZoneLog;

/** A zone log in the heap, which also finds out when two streams of one zone differ. */
final class MemoryZoneLog implements ZoneLog {
    /** The newest change of a chunk; no value means removed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Value(long position, byte[] bytes) {}

    private final long zone;
    private final long base;
    private final Executor disk;
    private final Consumer<String> wrong;
    private final List<byte[]> records = new ArrayList<>();
    private final List<byte[]> copied = new ArrayList<>();
    private long epoch;
    private long entryEpoch;
    private long forced;
    private final List<CompletableFuture<Long>> forcing = new ArrayList<>();
    private volatile boolean isFailed;
    private boolean isHung;

    /** Positions that replay reports as unreadable; 0 for none. */
    private long damagedTo;

    /** Of a log that has lost its end: up to where it was safe, for certain and perhaps. */
    private long safe;

    private long claimed;

    MemoryZoneLog(long zone, long epoch, long base, Executor disk, Consumer<String> wrong) {
        this.wrong = wrong;
        this.zone = zone;
        this.epoch = epoch;
        this.base = base;
        this.disk = disk;
        forced = base;
    }

    /** What was forced, and all that has been copied. */
    synchronized MemoryZoneLog afterCrash(Executor newDisk) {
        MemoryZoneLog found = new MemoryZoneLog(zone, epoch, base, newDisk, wrong);
        found.records.addAll(records.subList(0, (int) (forced - base)));
        found.copied.addAll(copied);
        found.entryEpoch = entryEpoch;
        found.forced = forced;
        return found;
    }

    void fail() {
        isFailed = true;
        List<CompletableFuture<Long>> failed;
        synchronized (this) {
            failed = List.copyOf(forcing);
            forcing.clear();
        }
        failed.forEach(
                each -> each.completeExceptionally(new LogFailedException("the disk hangs", null)));
    }

    /** Forces do not return any more. */
    synchronized void hang() {
        isHung = true;
    }

    /** Up to a position nothing can be told; such a log takes no more, as on a disk. */
    synchronized void damage(long position) {
        damagedTo = position;
    }

    /** As if there had been more, for certain. */
    synchronized void wasSafeTo(long position) {
        safe = position;
    }

    /** Perhaps. */
    synchronized void mayBeSafeTo(long position) {
        claimed = position;
    }

    @Override
    public long zone() {
        return zone;
    }

    @Override
    public synchronized long epoch() {
        return epoch;
    }

    @Override
    public synchronized long entryEpoch() {
        return entryEpoch;
    }

    @Override
    public long basePosition() {
        return base;
    }

    @Override
    public synchronized long end() {
        return base + records.size();
    }

    @Override
    public synchronized long forcedEnd() {
        return forced;
    }

    @Override
    public synchronized long safeEnd() {
        return Math.max(forced, safe);
    }

    @Override
    public synchronized long claimedEnd() {
        return Math.max(safeEnd(), claimed);
    }

    /** Damage of a log in use, which is found when it is read, and not before. */
    private long rottenTo;

    synchronized void rot(long position) {
        rottenTo = position;
    }

    @Override
    public synchronized boolean isDamaged() {
        return damagedTo > 0;
    }

    @Override
    public synchronized void append(
            long sender, long firstPosition, long address, int bytes, int count) {
        checkWritable();
        if (sender < epoch) {
            throw new StaleEpochException(zone, sender, epoch);
        }
        if (firstPosition > end() + 1) {
            throw new PositionGapException(zone, firstPosition, end());
        }
        epoch = sender;
        long position = firstPosition;
        for (byte[] record : cut(address, bytes)) {
            if (position > end()) {
                records.add(record);
                entryEpoch = sender;
            } else if (position > base
                    && !Arrays.equals(records.get((int) (position - base - 1)), record)) {
                wrong.accept("two different changes at position " + position + " of zone " + zone);
            }
            position++;
        }
        if (position != firstPosition + count) {
            throw new AssertionError("count and records differ");
        }
    }

    @Override
    public synchronized void appendCopy(long address, int bytes, int count) {
        checkWritable();
        if (base == 0) { // as on a disk
            throw new LogFailedException("the log does not begin with a copy", null);
        }
        copied.addAll(cut(address, bytes));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // futures are equal to themselves alone
    public CompletableFuture<Long> force(long position) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        synchronized (this) {
            if (isFailed || damagedTo > 0) {
                return CompletableFuture.failedFuture(new LogFailedException("failed", null));
            }
            forcing.add(future);
        }
        disk.execute(() -> {
            synchronized (this) {
                if (isHung) {
                    return;
                }
                if (!forcing.removeIf(each -> each == future)) {
                    return;
                }
                forced = end();
            }
            future.complete(forcedEnd());
        });
        return future;
    }

    /** Waits for the disk. */
    synchronized void forceNow() {
        forced = end();
    }

    /** As DiskZoneLog.fence when the disk is full: the note is not taken, all else can be read. */
    volatile boolean isFull;

    @Override
    public synchronized void fence(long least) {
        if (isFull && !isFailed && least > epoch) {
            epoch = least;
            isFailed = true;
            throw new LogFailedException(
                    "could not note its epoch", new IOException("No space left"));
        }
        epoch = Math.max(epoch, least);
    }

    @Override
    public void replay(ReplayTarget target, int threads) {
        if (damagedTo > 0) {
            target.damaged(1, damagedTo);
        }
        if (rottenTo > 0) {
            target.damaged(1, rottenTo);
        }
        for (Map.Entry<Integer, Value> each : content(target).entrySet()) {
            byte[] value = each.getValue().bytes;
            long size = Math.max(1, value.length);
            long address = NativeMemory.reserve(size);
            NativeMemory.copyFromArray(value, 0, address, value.length);
            target.put(each.getKey(), each.getValue().position, address, value.length);
            NativeMemory.release(address, size);
        }
    }

    @Override
    public void readTail(long fromPosition, TailVisitor visitor) {
        if (fromPosition <= Math.max(base, Math.max(damagedTo, rottenTo))) {
            throw new TailUnavailableException(zone, fromPosition, base + 1);
        }
        List<byte[]> tail;
        synchronized (this) {
            tail =
                    new ArrayList<>(
                            records.subList((int) (fromPosition - base - 1), records.size()));
        }
        long position = fromPosition;
        for (byte[] record : tail) {
            long address = NativeMemory.reserve(record.length);
            try {
                NativeMemory.copyFromArray(record, 0, address, record.length);
                visitor.visit(entryEpoch, position++, address, record.length, 1);
            } finally {
                NativeMemory.release(address, record.length);
            }
        }
    }

    @Override
    public long liveBytes() {
        return 0;
    }

    @Override
    public long logBytes() {
        return 0;
    }

    @Override
    public boolean isFailed() {
        return isFailed;
    }

    @Override
    public void close() {}

    @Override
    public synchronized String toString() {
        return Long.toHexString(zone) + " base " + base + " end " + end() + " forced " + forced;
    }

    /** The chunks that it holds, by index; tells executed operations on the way. */
    synchronized Map<Integer, Value> content(ReplayTarget tags) {
        Map<Integer, Value> values = new TreeMap<>();
        copied.forEach(record -> apply(values, record, base, tags));
        long position = base;
        for (byte[] record : records) {
            apply(values, record, ++position, tags);
        }
        return values;
    }

    private static void apply(
            Map<Integer, Value> values, byte[] record, long position, ReplayTarget tags) {
        long address = NativeMemory.reserve(record.length);
        NativeMemory.copyFromArray(record, 0, address, record.length);
        EntryCursor cursor = new EntryCursor();
        cursor.read(address, address + record.length);
        int index = cursor.index();
        for (int i = 0; i < cursor.count(); i++) {
            switch (cursor.kind()) {
                case EntryLayout.PUT -> {
                    byte[] value = new byte[cursor.size(0)];
                    NativeMemory.copyToArray(cursor.body(), value, 0, value.length);
                    values.put(index, new Value(position, value));
                }
                case EntryLayout.REMOVE -> values.remove(index + i);
                case EntryLayout.CREATE_UNIFORM, EntryLayout.CREATE_LISTED ->
                        values.put(index + i, new Value(position, new byte[cursor.size(i)]));
                default -> {}
            }
        }
        if (cursor.client() != EntryLayout.NO_CLIENT) {
            tags.executed(cursor.client(), cursor.sequence(), index, cursor.count(), position);
        }
        NativeMemory.release(address, record.length);
    }

    private void checkWritable() {
        if (isFailed || damagedTo > 0) {
            throw new LogFailedException("cannot write", new IOException("disk full"));
        }
    }

    private static List<byte[]> cut(long address, int bytes) {
        List<byte[]> records = new ArrayList<>();
        EntryCursor cursor = new EntryCursor();
        for (long at = address; at < address + bytes; at += cursor.recordBytes()) {
            cursor.read(at, address + bytes);
            byte[] record = new byte[cursor.recordBytes()];
            NativeMemory.copyToArray(at, record, 0, record.length);
            records.add(record);
        }
        return records;
    }
}
