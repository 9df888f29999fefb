package org.starling.benchmarks.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.Durability;
import org.starling.store.StoreException;

/**
 * The chunks of one bench: writes them to one owner, and reads all of them back. Confined to one
 * thread. Chunks are numbered from 0; those of a range have consecutive ids.
 */
final class RecoveryLoad {
    private static final int BATCH = 4_096;
    private static final int BATCHES_UNDER_WAY = 4;
    private static final int MAX_BATCH_BYTES = 8 << 20;
    private static final int MAX_RANGE = 1 << 16;

    /** A zone takes several ranges, so that zones are filled evenly. */
    private static final int RANGES_PER_ZONE = 4;

    private final ChunkService chunks;
    private final long count;
    private final int bytes;
    private final int rangeLength;
    private final int batchLength;
    private final List<Long> ranges = new ArrayList<>();
    private long lost;
    private long wrong;

    /** Nothing is written yet; each chunk will have so many bytes of payload. */
    RecoveryLoad(ChunkService chunks, long count, int bytes, long zoneBytes) {
        this.chunks = chunks.with(Durability.PROCESS);
        this.count = count;
        this.bytes = bytes;
        long perZone = zoneBytes / (bytes + 1L) / RANGES_PER_ZONE;
        rangeLength = Math.clamp(perZone, 1, MAX_RANGE);
        batchLength = Math.clamp(MAX_BATCH_BYTES / (bytes + 1), 1, BATCH);
    }

    /** Creates and writes all chunks at one owner; all is acknowledged and synced then. */
    void write(int owner) {
        for (long first = 0; first < count; first += rangeLength) {
            int[] sizes = new int[(int) Math.min(rangeLength, count - first)];
            Arrays.fill(sizes, bytes);
            ranges.add(chunks.createOn(owner, sizes));
        }
        Queue<CompletableFuture<Void>> underWay = new ArrayDeque<>();
        for (long first = 0; first < count; first += batchLength) {
            long[] ids = ids(first);
            byte[][] values = new byte[ids.length][];
            for (int i = 0; i < ids.length; i++) {
                values[i] = ChunkPattern.value(first + i, bytes);
            }
            underWay.add(chunks.putAsync(ids, values));
            if (underWay.size() == BATCHES_UNDER_WAY) {
                underWay.remove().join();
            }
        }
        underWay.forEach(CompletableFuture::join);
        chunks.sync();
    }

    /** One chunk of each zone: number by id. */
    Map<Long, Long> oneOfEachZone() {
        Map<Long, Long> byZone = new LinkedHashMap<>();
        for (int i = 0; i < ranges.size(); i++) {
            byZone.putIfAbsent(ChunkId.zone(ranges.get(i)), (long) i * rangeLength);
        }
        Map<Long, Long> numbers = new LinkedHashMap<>();
        byZone.values().forEach(number -> numbers.put(id(number), number));
        return numbers;
    }

    /** Reads every chunk back and compares. */
    void check() {
        lost = 0;
        wrong = 0;
        Queue<Batch> underWay = new ArrayDeque<>();
        for (long first = 0; first < count; first += batchLength) {
            long[] ids = ids(first);
            underWay.add(new Batch(first, ids, chunks.getAsync(ids)));
            if (underWay.size() == BATCHES_UNDER_WAY) {
                check(underWay.remove());
            }
        }
        underWay.forEach(this::check);
    }

    long lost() {
        return lost;
    }

    long wrong() {
        return wrong;
    }

    long count() {
        return count;
    }

    int bytes() {
        return bytes;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Batch(long first, long[] ids, CompletableFuture<Chunks> answer) {}

    private void check(Batch batch) {
        Chunks found;
        try {
            found = batch.answer.join();
        } catch (CompletionException | StoreException failed) {
            checkOneByOne(batch);
            return;
        }
        for (int i = 0; i < found.count(); i++) {
            if (!found.exists(i)) {
                lost++;
            } else if (!ChunkPattern.isRight(batch.first + i, bytes, found.get(i))) {
                wrong++;
            }
        }
    }

    /** Some of a batch could not be read: which? */
    private void checkOneByOne(Batch batch) {
        for (int i = 0; i < batch.ids.length; i++) {
            try {
                byte[] found = chunks.get(batch.ids[i]);
                wrong += ChunkPattern.isRight(batch.first + i, bytes, found) ? 0 : 1;
            } catch (StoreException unreadable) {
                lost++;
            }
        }
    }

    private long[] ids(long first) {
        long[] ids = new long[(int) Math.min(batchLength, count - first)];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(first + i);
        }
        return ids;
    }

    private long id(long number) {
        return ranges.get((int) (number / rangeLength)) + number % rangeLength;
    }
}
