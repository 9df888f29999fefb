package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;

/** The two things that make it safe to find a zone without a lock: its table, and the gate. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ZoneMapTest {
    private static final long SEED = Long.getLong("starling.seed", 3L);

    @Test
    void findsWhatATreeFinds() {
        Random random = new Random(SEED);
        Map<Long, IdSpace> expected = new TreeMap<>();
        ZoneMap table = ZoneMap.EMPTY;
        for (int step = 0; step < 2_000; step++) {
            long zone = ChunkId.zoneOf(random.nextInt(3), random.nextInt(60));
            if (expected.containsKey(zone)) {
                expected.remove(zone);
                table = table.without(zone);
            } else {
                IdSpace space = IdSpace.ofZone(zone);
                expected.put(zone, space);
                table = table.with(zone, space);
            }
            long probe = ChunkId.zoneOf(random.nextInt(3), random.nextInt(60));

            assertThat(table.find(probe)).as("seed %d", SEED).isSameAs(expected.get(probe));
        }
        assertThat(table.zones())
                .containsExactly(expected.keySet().stream().mapToLong(zone -> zone).toArray());
    }

    @Test
    void waitsForThoseInsideAndNotForThoseWhoComeLater() throws Exception {
        OperationGate gate = new OperationGate();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger current = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<?>> users = new ArrayList<>();
        AtomicBoolean[] valid = new AtomicBoolean[501];
        for (int i = 0; i < valid.length; i++) {
            valid[i] = new AtomicBoolean(true);
        }
        for (int i = 0; i < 2; i++) {
            users.add(
                    threads.submit(() -> {
                        while (!stop.get()) {
                            int ticket = gate.enter();
                            AtomicBoolean mine = valid[current.get()];
                            for (int spin = 0; spin < 20; spin++) {
                                Thread.onSpinWait();
                            }
                            wrong.addAndGet(mine.get() ? 0 : 1);
                            gate.leave(ticket);
                        }
                    }));
        }

        for (int i = 0; i < 500; i++) {
            current.set(i + 1);
            gate.awaitThoseInside();
            valid[i].set(false);
        }
        stop.set(true);
        for (Future<?> user : users) {
            user.get();
        }
        threads.shutdownNow();

        assertThat(wrong).hasValue(0);
    }

    @Test
    void letsNobodyInOnceClosed() {
        OperationGate gate = new OperationGate();
        gate.leave(gate.enter());
        gate.awaitThoseInside();
        gate.close();

        assertThatThrownBy(gate::enter).isInstanceOf(StoreException.class);
        gate.awaitThoseInside();
        assertThatThrownBy(gate::enter).isInstanceOf(StoreException.class);
        gate.awaitEmpty();
    }
}
