package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.internal.chunk.WriteTag;

@Timeout(10)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class TagTableTest {
    @Test
    void aSecondTryWaitsForTheFirst() {
        TagTable table = new TagTable();
        WriteGuard first = table.admit(new WriteTag(1, 5));

        WriteGuard second = table.admit(new WriteTag(1, 5));
        assertThat(second.isFresh()).isFalse();
        assertThat(second.first()).isNotDone();
        first.done(new Executed(7, 70, 1));

        assertThat(second.first().join()).isEqualTo(new Executed(7, 70, 1));
    }

    @Test
    void anOperationThatFailedMayBeTriedAgain() {
        TagTable table = new TagTable();
        WriteGuard first = table.admit(new WriteTag(1, 5));

        first.failed(new IllegalStateException("pinned"));

        assertThat(table.admit(new WriteTag(1, 5)).isFresh()).isTrue();
    }

    @Test
    void operationsWithoutTagAreAlwaysFresh() {
        TagTable table = new TagTable();

        assertThat(table.admit(WriteTag.NONE).isFresh()).isTrue();
        assertThat(table.admit(WriteTag.NONE).isFresh()).isTrue();
    }

    @Test
    void refusesWhatIsOlderThanItsWindowInsteadOfTakingItForNew() {
        TagTable table = new TagTable();
        table.executed(3, 10_000, new Executed(1, 1, 1));

        assertThat(table.admit(new WriteTag(3, 10_000 - TagTable.WINDOW))).isNull();
        assertThat(table.admit(new WriteTag(3, 10_001 - TagTable.WINDOW)).isFresh()).isTrue();
        assertThat(table.admit(new WriteTag(4, 1)).isFresh()).isTrue();
    }

    @Test
    void knowsTheLastOperationsOfEachClientLikeAMap() {
        long seed = 8;
        Random random = new Random(seed);
        TagTable table = new TagTable();
        Map<Long, Executed> model = new HashMap<>();
        long newest = 0;

        for (int i = 1; i < 50_000; i++) {
            long sequence = Math.max(1, i + random.nextInt(3000) - 1500);
            newest = Math.max(newest, sequence);
            Executed executed = new Executed(i, sequence, 1);
            if (sequence > newest - TagTable.WINDOW) {
                model.put(sequence, executed);
            }
            table.executed(9, sequence, executed);
        }

        for (long sequence = newest - TagTable.WINDOW + 1; sequence <= newest; sequence++) {
            WriteGuard guard = table.admit(new WriteTag(9, sequence));
            Executed known = model.get(sequence);
            assertThat(guard.isFresh())
                    .as("seed %d, sequence %d", seed, sequence)
                    .isEqualTo(known == null);
            if (known != null) {
                assertThat(guard.first().join()).isEqualTo(known);
            }
        }
        int[] told = {0};
        table.forEach((client, sequence, executed) -> told[0]++);
        assertThat(told[0]).isBetween(1, TagTable.WINDOW);
    }
}
