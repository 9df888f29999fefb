package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;

/** A local store, what it should hold, and random operations on both. Confined to one thread. */
final class ChunkModel implements AutoCloseable {
    static final int NODE = 3;

    final LocalChunks chunks;
    private final long seed;
    private final Random random;
    private final Map<Long, byte[]> expected = new HashMap<>();
    private final List<Long> ids = new ArrayList<>();

    ChunkModel(long seed, long heapBytes) {
        this.seed = seed;
        random = new Random(seed);
        chunks = new LocalChunks(NODE, heapBytes);
    }

    void run(int steps, int target, int largest) {
        for (int i = 0; i < steps; i++) {
            step(target, largest);
        }
    }

    private void step(int target, int largest) {
        int dice = random.nextInt(100);
        if (ids.isEmpty() || (dice < 20 && ids.size() < target)) {
            int size = random.nextInt(largest);
            add(chunks.create(size), new byte[size]);
        } else if (dice < 25 && ids.size() < target) {
            createRange(1 + random.nextInt(30), largest);
        } else if (dice < 45) {
            long id = any();
            put(id, value(expected(id).length));
        } else if (dice < 55) {
            put(any(), value(random.nextInt(largest)));
        } else if (dice < 60) {
            resize(any(), random.nextInt(largest));
        } else if (dice < 75) {
            remove(random.nextInt(ids.size()));
        } else {
            long id = any();
            assertArrayEquals(expected(id), chunks.get(id), () -> "seed " + seed);
        }
    }

    void fill(int target, int largest) {
        while (ids.size() < target) {
            int size = random.nextInt(largest);
            add(chunks.create(size), new byte[size]);
        }
    }

    void churn(int steps, int largest) {
        for (int i = 0; i < steps; i++) {
            remove(random.nextInt(ids.size()));
            byte[] value = value(random.nextInt(largest));
            long id = chunks.create(value.length);
            add(id, value);
            chunks.put(id, value);
        }
    }

    void checkAll() {
        for (long id : ids) {
            assertArrayEquals(expected(id), chunks.get(id), () -> "seed " + seed);
        }
        assertThat(chunks.statistics().chunks()).isEqualTo(ids.size());
    }

    private void createRange(int count, int largest) {
        int[] sizes = random.ints(count, 0, largest).toArray();
        long first = chunks.createRange(new Sizes.InArray(sizes, 0, count));
        for (int i = 0; i < count; i++) {
            add(first + i, new byte[sizes[i]]);
        }
    }

    private void add(long id, byte[] value) {
        assertNull(expected.put(id, value), () -> "id handed out twice, seed " + seed);
        ids.add(id);
    }

    private void put(long id, byte[] value) {
        chunks.put(id, value);
        expected.put(id, value);
    }

    private void resize(long id, int bytes) {
        chunks.resize(id, bytes);
        expected.put(id, Arrays.copyOf(expected(id), bytes));
    }

    private void remove(int index) {
        long id = ids.get(index);
        chunks.remove(id);
        expected.remove(id);
        ids.set(index, ids.getLast());
        ids.removeLast();
        if (random.nextInt(50) == 0) {
            assertThatThrownBy(() -> chunks.get(id))
                    .isInstanceOf(ChunkNotFoundException.class)
                    .hasMessageContaining(ChunkId.toString(id));
        }
    }

    private byte[] expected(long id) {
        return Objects.requireNonNull(expected.get(id));
    }

    private long any() {
        return ids.get(random.nextInt(ids.size()));
    }

    private byte[] value(int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return value;
    }

    @Override
    public void close() {
        chunks.close();
    }
}
