package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreException;

@Timeout(20)
final class MadeRecordsTest {
    private static final long JOB = 7;
    private static final long FIRST = ChunkId.ofZone(ChunkId.zoneOf(3, 1), 0);
    private static final int RECORDS = 6;
    private static final long MANIFEST = FIRST + 10 * (RECORDS / 2);

    /**
     * A column changes hands, and whoever takes its records out is lost in the middle: the next one
     * still knows from the manifest that what is left is nobody's to remove.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void leadFromAManifestToAllOfItsAttemptUntilTheyAreGone(int removals) {
        Names names = new Names();
        MadeRecords lost = new MadeRecords(names);
        lost.note(
                IntStream.range(0, RECORDS)
                        .mapToObj(i -> record(77, FIRST + 10L * i))
                        .collect(Collectors.toList()));
        lost.note(List.of(record(78, FIRST + 1000)));
        names.left = removals;
        assertThatThrownBy(() -> lost.dropWith(JOB, List.of(MANIFEST), new HashSet<>()))
                .isInstanceOf(StoreException.class);
        assertThat(names.names).hasSize(RECORDS + 1 - removals);

        names.left = Integer.MAX_VALUE;
        Set<Long> attempts = new HashSet<>();
        new MadeRecords(names).dropWith(JOB, List.of(MANIFEST), attempts);

        assertThat(attempts).containsExactly(77L);
        assertThat(lost.list(JOB, Kind.CHECKPOINT)).containsExactly(record(78, FIRST + 1000));
    }

    @Test
    void areLeftWhereNoneIsOfAChunk() {
        Names names = new Names();
        MadeRecords records = new MadeRecords(names);
        records.note(List.of(record(77, FIRST)));
        Set<Long> attempts = new HashSet<>();

        records.dropWith(JOB, List.of(FIRST + 10), attempts);

        assertThat(attempts).isEmpty();
        assertThat(records.list(JOB, Kind.CHECKPOINT)).hasSize(1);
    }

    /** More than the directory remembers would leave it open who has taken one out. */
    @Test
    void areNotTakenOutAllAtOnce() {
        Names names = new Names();
        MadeRecords records = new MadeRecords(names);
        int count = 3 * MadeRecords.MAX_AT_ONCE + 1;
        records.note(IntStream.range(0, count).mapToObj(i -> record(77, FIRST + 10L * i)).toList());
        names.slow = true;

        records.drop(JOB, Kind.CHECKPOINT, _ -> true);

        assertThat(names.names).isEmpty();
        assertThat(names.most).isBetween(2, MadeRecords.MAX_AT_ONCE);
    }

    /** The work is done again then, and does not fail. */
    @Test
    void mayStillBeThereWhereTheDirectoryDoesNotTell() {
        Names names = new Names();
        MadeRecords records = new MadeRecords(names);
        names.left = 0;

        assertThatThrownBy(() -> records.drop(JOB, Kind.BUILD, _ -> true))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("job 7")
                .hasMessageContaining("nobody leads the directory");
        assertThatThrownBy(() -> records.dropWith(JOB, List.of(FIRST), new HashSet<>()))
                .isInstanceOf(IndeterminateException.class);
    }

    private static MadeRecord record(long attempt, long first) {
        return new MadeRecord(JOB, Kind.CHECKPOINT, attempt, 3, List.of(new Range(first, 10)));
    }

    /** Those of a directory that goes away after so many removals. */
    private static final class Names implements NameService {
        private final NavigableMap<String, Long> names =
                Collections.synchronizedNavigableMap(new TreeMap<>());

        private final AtomicInteger inside = new AtomicInteger();
        private volatile int left = Integer.MAX_VALUE;
        private volatile boolean slow;
        private volatile int most;

        @Override
        public void register(String name, long id) {
            names.put(name, id);
        }

        @Override
        public synchronized boolean compareAndSet(String name, long expected, long id) {
            return lookup(name) == expected && set(name, id);
        }

        private boolean set(String name, long id) {
            names.put(name, id);
            return true;
        }

        @Override
        public long lookup(String name) {
            return names.getOrDefault(name, ChunkId.NONE);
        }

        @Override
        public boolean remove(String name) {
            int now = inside.incrementAndGet();
            if (slow) {
                LockSupport.parkNanos(5_000_000);
            }
            synchronized (this) {
                most = Math.max(most, now);
                inside.decrementAndGet();
                checkLeft();
                left--;
                return names.remove(name) != null;
            }
        }

        private void checkLeft() {
            if (left == 0) {
                throw new StoreException("nobody leads the directory");
            }
        }

        @Override
        public Map<String, Long> list() {
            return new TreeMap<>(names);
        }

        @Override
        public Map<String, Long> list(String prefix) {
            checkLeft();
            return new TreeMap<>(names.tailMap(prefix, false).headMap(prefix + '\uffff'));
        }
    }
}
