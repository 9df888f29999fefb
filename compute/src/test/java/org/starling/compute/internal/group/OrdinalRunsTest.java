package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of ordinals lie behind one another without a gap. */
final class OrdinalRunsTest {
    @Test
    void laysGroupsBehindOneAnotherAndInThemTheSlaves() {
        OrdinalRuns runs = new OrdinalRuns(List.of(new long[] {2, 0, 5}, new long[] {1, 0, 4}));

        assertThat(runs.firstsOf(0)).containsExactly(0, 3, 3);
        assertThat(runs.firstsOf(1)).containsExactly(2, 3, 8);
        assertThat(runs.starts()).containsExactly(0, 3);
    }

    @Test
    void hasOneRunEvenWithoutVertices() {
        assertThat(new OrdinalRuns(List.of(new long[3])).starts()).containsExactly(0);
    }
}
