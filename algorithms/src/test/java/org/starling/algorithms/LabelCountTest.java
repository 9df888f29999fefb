package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class LabelCountTest {
    private static final long SEED = 5;

    @Test
    void findsWhatATreeOfCountsFinds() {
        Random random = new Random(SEED);
        LabelCount count = new LabelCount();
        for (int round = 0; round < 2_000; round++) {
            int length = 1 + random.nextInt(round % 100 == 0 ? 3_000 : 20);
            int kinds = 1 + random.nextInt(length);
            int[] labels = random.ints(length, 0, kinds).map(kind -> kind * -7_919).toArray();

            int found = count.mostFrequent(labels, length, Integer::toUnsignedLong);

            assertThat(found).as("round %d, seed %d", round, SEED).isEqualTo(expected(labels));
        }
    }

    @Test
    void takesTheSmallestAsUnsignedNumbersGo() {
        assertThat(mostFrequent(-1, 5, 5, -1)).isEqualTo(5);
        assertThat(mostFrequent(-1, -2)).isEqualTo(-2);
    }

    @Test
    void takesTheSmallestIdWhateverTheLabelsAre() {
        IntToLongFunction ids = label -> label == 3 ? -1 : 100 - label;

        assertThat(new LabelCount().mostFrequent(new int[] {1, 2, 3}, 3, ids)).isEqualTo(2);
        assertThat(new LabelCount().mostFrequent(new int[] {1, 1, 2, 2, 3}, 5, ids)).isEqualTo(2);
        assertThat(new LabelCount().mostFrequent(new int[] {3, 3, 1}, 3, ids)).isEqualTo(3);
    }

    private static int mostFrequent(int... labels) {
        return new LabelCount().mostFrequent(labels, labels.length, Integer::toUnsignedLong);
    }

    private static int expected(int[] labels) {
        TreeMap<Integer, Integer> counts = new TreeMap<>(Integer::compareUnsigned);
        for (int label : labels) {
            counts.merge(label, 1, Integer::sum);
        }
        int most = counts.values().stream().mapToInt(count -> count).max().orElseThrow();
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
