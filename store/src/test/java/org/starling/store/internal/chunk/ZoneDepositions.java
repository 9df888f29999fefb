package org.starling.store.internal.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

/**
 * A process of its own for {@link ZoneDepositionsTest}: nodes that live for some depositions each.
 * Zones are left, sealed and left, or left while they are being restored, freed on threads of their
 * own, opened again and restored, while others read, write, create, resize, remove, pin, visit, log
 * and compact; then the node closes in the midst of it. Released memory is unreadable in this
 * process, so that whoever is still in it ends the process; payloads tell their chunk, so that
 * whoever reads memory that was freed and used again finds out.
 */
final class ZoneDepositions {
    /** The argument that seeds the bug. */
    static final String UNCOUNTED = "uncounted";

    private static final int NODE = 4;
    private static final int ZONES = 4;
    private static final int WORKERS = 2;
    private static final long HEAP_BYTES = 128 << 20;
    private static final int HEADER_BYTES = 8;
    private static final int MAX_BYTES = 120;

    /** Chunks of a fresh zone that get another length. */
    private static final int MOVED = 1_000;

    private final Random random;

    /** Chunks of a zone. */
    private final int count;

    private final int depositionsPerLife;

    private final LocalChunks chunks = new LocalChunks(NODE, HEAP_BYTES);
    private final ChangeLog[] logs = new ChangeLog[ZONES];
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Runnable free;

    /** None for the seeded bug: they would only give the freeing time to end. */
    private final int workersAtIt;

    private ZoneDepositions(long seed, int count, int depositionsPerLife, boolean isUncounted) {
        this.count = count;
        this.depositionsPerLife = depositionsPerLife;
        random = new Random(seed);
        workersAtIt = isUncounted ? 0 : WORKERS;
        free = isUncounted ? chunks.zones::freeClosed : chunks::freeClosedZones;
    }

    /**
     * Arguments: how many depositions, seed, chunks of a zone, depositions of a life, and {@link
     * #UNCOUNTED} for the seeded bug: whoever frees zones does not count as a user of the memory.
     */
    public static void main(String[] args) throws Exception {
        int depositions = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        int count = Integer.parseInt(args[2]);
        int perLife = Integer.parseInt(args[3]);
        boolean isUncounted = args.length > 4 && args[4].equals(UNCOUNTED);
        long reservedBefore = NativeMemory.reservedBytes();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
            for (int done = 0; done < depositions; done += perLife) {
                new ZoneDepositions(seed + done, count, perLife, isUncounted)
                        .live(threads, workers);
            }
        }
        if (NativeMemory.reservedBytes() != reservedBefore) {
            throw new AssertionError(
                    NativeMemory.reservedBytes() - reservedBefore + " bytes were not released");
        }
    }

    private void live(ExecutorService threads, ExecutorService workers) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try {
            depose(threads, workers, all);
        } finally {
            isOver.set(true);
        }
        for (Future<?> each : all) {
            each.get();
        }
    }

    private void depose(ExecutorService threads, ExecutorService workers, List<Future<?>> all) {
        for (int i = 0; i < ZONES; i++) {
            open(i, true);
        }
        for (int i = 0; i < workersAtIt; i++) {
            Random own = new Random(random.nextLong());
            int worker = i;
            all.add(workers.submit(() -> work(own, worker)));
        }
        Future<?> last = null;
        long before = 0;
        for (int i = 0; i < depositionsPerLife; i++) {
            int zone = random.nextInt(ZONES);
            if (random.nextInt(4) == 0) {
                seal(zone(zone));
            }
            if (random.nextInt(4) == 0) {
                leaveRestoring();
            }
            before = chunks.statistics().chunks();
            if (!chunks.leaveZone(zone(zone), logs[zone])) {
                throw new AssertionError("zone " + zone + " is not here");
            }
            last = threads.submit(free);
            all.add(last);
            if (i < depositionsPerLife - 1) {
                open(zone, random.nextBoolean());
            }
        }
        // In the midst of freeing the last one.
        while (last != null
                && !last.isDone()
                && chunks.statistics().chunks() > before - count / 8) {
            Thread.onSpinWait();
        }
        chunks.close();
    }

    /** As before a zone is dropped. */
    private void seal(long zone) {
        try {
            chunks.removeRange(ChunkId.ofZone(zone, 0), count);
        } catch (ChunkPinnedException e) {
            return;
        }
        if (chunks.sealIfEmpty(zone)) {
            try {
                chunks.create(zone, new Sizes.Uniform(1, 1), WriteTag.NONE);
                throw new AssertionError("a sealed zone took a chunk");
            } catch (ZoneFullException e) {
                Thread.onSpinWait(); // as it should be
            }
        }
    }

    /** The recovery of a zone is void while others are at it; it begins again. */
    private void leaveRestoring() {
        chunks.leaveZone(zone(ZONES), null);
        chunks.freeClosedZones();
        chunks.openZone(zone(ZONES), null);
    }

    private void open(int index, boolean isFresh) {
        ChangeLog log = new RecordedLog.Nowhere();
        long zone = zone(index);
        if (isFresh) {
            chunks.openZone(zone, log);
            chunks.create(zone, new Sizes.Uniform(count, HEADER_BYTES), WriteTag.NONE);
        } else {
            chunks.openZone(zone, null);
            chunks.restoreRange(ChunkId.ofZone(zone, 0), new Sizes.Uniform(count, HEADER_BYTES));
            chunks.attachLog(zone, log);
        }
        // So that blocks lie scattered and are freed in many steps.
        for (int i = 0; i < count; i += count / MOVED) {
            put(ChunkId.ofZone(zone, i), random);
        }
        logs[index] = log;
    }

    private void work(Random own, int worker) {
        while (!isOver.get()) {
            try {
                if (own.nextInt(8) == 0) {
                    restore(own, worker);
                }
                step(zone(own.nextInt(ZONES)), own);
            } catch (StoreException e) {
                if (e.getMessage() == null) {
                    throw e;
                }
                // The zone or the node has gone, or the chunk is pinned: an answer like others.
            }
        }
    }

    /** Each worker has ids of its own. */
    private void restore(Random own, int worker) {
        int index = WORKERS * own.nextInt(count) + worker;
        chunks.restoreRange(
                ChunkId.ofZone(zone(ZONES), index), new Sizes.Uniform(1, own.nextInt(MAX_BYTES)));
    }

    private void step(long zone, Random own) {
        long id = ChunkId.ofZone(zone, own.nextInt(count));
        switch (own.nextInt(14)) {
            case 0, 1, 2 -> put(id, own);
            case 3 -> chunks.removeRange(id, 3);
            case 4 -> {
                Sizes three = new Sizes.Uniform(3, HEADER_BYTES);
                chunks.removeRange(chunks.create(zone, three, WriteTag.NONE).first(), 3);
            }
            case 5 -> pinForAWhile(id, own);
            case 6 ->
                    chunks.forEach(
                            zone,
                            0,
                            (seen, address, bytes) -> {
                                check(
                                        seen,
                                        bytes < HEADER_BYTES ? 0 : NativeMemory.getLong(address));
                                return seen < id;
                            });
            case 7 -> chunks.maintain();
            case 8 -> chunks.resize(id, HEADER_BYTES + own.nextInt(MAX_BYTES));
            case 9 -> chunks.logPresent(id, 2);
            default -> {
                byte[] value = chunks.getOrNull(id);
                if (value != null) {
                    check(id, idIn(value));
                }
            }
        }
    }

    private void pinForAWhile(long id, Random own) {
        try (PinnedRange range = chunks.pin(id, 1)) {
            for (int i = own.nextInt(2_000); i >= 0; i--) {
                check(id, NativeMemory.getLong(range.address(0)));
            }
        }
    }

    private void put(long id, Random own) {
        byte[] value = new byte[HEADER_BYTES + own.nextInt(MAX_BYTES)];
        for (int i = 0; i < HEADER_BYTES; i++) {
            value[i] = (byte) (id >>> (Byte.SIZE * i));
        }
        try {
            chunks.put(id, value);
        } catch (ChunkPinnedException | ChunkNotFoundException e) {
            // Somebody looks at it, or has removed it.
            Thread.onSpinWait();
        }
    }

    private static long zone(int index) {
        return ChunkId.zoneOf(NODE, 1 + index);
    }

    private static long idIn(byte[] value) {
        long id = 0;
        for (int i = 0; i < HEADER_BYTES; i++) {
            id |= (value[i] & 0xFFL) << (Byte.SIZE * i);
        }
        return id;
    }

    private static void check(long id, long found) {
        if (found != 0 && found != id) {
            throw new AssertionError(
                    "chunk " + ChunkId.toString(id) + " holds " + Long.toHexString(found));
        }
    }
}
