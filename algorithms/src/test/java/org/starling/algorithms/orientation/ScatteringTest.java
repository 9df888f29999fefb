package org.starling.algorithms.orientation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScatteringTest {
    @Test
    void takesEveryPositionToAnotherOne() {
        for (int size = 0; size < 600; size++) {
            Scattering scattering = new Scattering(size);

            BitSet taken = new BitSet();
            for (int position = 0; position < size; position++) {
                taken.set(scattering.at(position));
            }

            assertThat(taken.cardinality()).as("size %d", size).isEqualTo(size);
            assertThat(taken.length()).as("size %d", size).isEqualTo(size);
        }
    }

    @Test
    void givesEveryRangeItsShareOfTheFirstRanks() {
        int size = 100_000;
        int ranges = 50;
        int hubs = 1000;
        int[] share = new int[ranges];
        Scattering scattering = new Scattering(size);

        for (int position = 0; position < size; position++) {
            share[position / (size / ranges)] += scattering.at(position) < hubs ? 1 : 0;
        }

        assertThat(Arrays.stream(share).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(15, 25));
    }

    @Test
    void staysWithinTheLargestSize() {
        Scattering scattering = new Scattering(OrientedGraph.MAX_SIZE);

        for (long position = OrientedGraph.MAX_SIZE - 1000L;
                position < OrientedGraph.MAX_SIZE;
                position++) {
            assertThat(scattering.at(position)).isBetween(0, OrientedGraph.MAX_SIZE - 1);
        }
    }
}
