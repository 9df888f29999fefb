package org.starling.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;

/** The load of a recovery bench on a map instead of a cluster: does it see what is missing? */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class RecoveryLoadTest {
    private static final int COUNT = 20_000;
    private static final int BYTES = 24;
    private static final int OWNER = 5;
    private static final long ZONE_BYTES = 100_000;
    private static final int CHUNKS_PER_ZONE = (int) (ZONE_BYTES / (BYTES + 1));

    private final Map<Long, byte[]> held = new HashMap<>();
    private int zones;
    private int inZone = CHUNKS_PER_ZONE;
    private int syncs;

    private final RecoveryLoad load = new RecoveryLoad(chunks(), COUNT, BYTES, ZONE_BYTES);

    @Test
    void readsBackWhatItWrote() {
        load.write(OWNER);
        load.check();

        assertThat(held).hasSize(COUNT);
        assertThat(held.keySet()).allMatch(id -> ChunkId.creator(id) == OWNER);
        assertThat(syncs).isEqualTo(1);
        assertThat(load.lost()).isZero();
        assertThat(load.wrong()).isZero();
    }

    @Test
    void countsWhatIsLostAndWhatIsWrong() {
        load.write(OWNER);
        List<Long> ids = held.keySet().stream().sorted().toList();
        held.remove(ids.get(17));
        held.remove(ids.get(COUNT - 1));
        held.put(ids.get(4_000), new byte[BYTES]);
        held.put(ids.get(4_001), held.get(ids.get(4_002)));
        held.put(ids.get(9_000), new byte[BYTES - 1]);

        load.check();

        assertThat(load.lost()).isEqualTo(2);
        assertThat(load.wrong()).isEqualTo(3);
    }

    @Test
    void probesEachZoneByAChunkWhoseValueItKnows() {
        load.write(OWNER);

        Map<Long, Long> probes = load.oneOfEachZone();

        assertThat(probes.keySet().stream().map(ChunkId::zone).distinct()).hasSize(zones);
        probes.forEach(
                (id, number) -> assertThat(ChunkPattern.isRight(number, BYTES, get(id))).isTrue());
    }

    /** What of a chunk service the load uses. */
    private ChunkService chunks() {
        return (ChunkService)
                Proxy.newProxyInstance(
                        ChunkService.class.getClassLoader(),
                        new Class<?>[] {ChunkService.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "with" -> proxy;
                                    case "createOn" -> create((int[]) arguments[1]);
                                    case "putAsync" ->
                                            put((long[]) arguments[0], (byte[][]) arguments[1]);
                                    case "getAsync" -> get((long[]) arguments[0]);
                                    case "get" -> get((Long) arguments[0]);
                                    case "sync" -> ++syncs > 0 ? null : proxy;
                                    default -> throw new AssertionError(method);
                                });
    }

    private long create(int[] sizes) {
        if (inZone + sizes.length > CHUNKS_PER_ZONE) {
            zones++;
            inZone = 0;
        }
        long first = ChunkId.ofZone(ChunkId.zoneOf(OWNER, zones), inZone);
        inZone += sizes.length;
        for (int i = 0; i < sizes.length; i++) {
            held.put(first + i, new byte[sizes[i]]);
        }
        return first;
    }

    private CompletableFuture<@Nullable Void> put(long[] ids, byte[][] values) {
        for (int i = 0; i < ids.length; i++) {
            assertThat(held.replace(ids[i], values[i])).isNotNull();
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Chunks> get(long[] ids) {
        byte[][] values = new byte[ids.length][];
        for (int i = 0; i < ids.length; i++) {
            values[i] = held.get(ids[i]);
        }
        return CompletableFuture.completedFuture(new Chunks(ids, values));
    }

    private byte[] get(long id) {
        byte[] value = held.get(id);
        if (value == null) {
            throw new ChunkNotFoundException(id);
        }
        return value;
    }
}
