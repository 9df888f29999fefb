package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;

final class RunHistoryTest {
    @Test
    void keepsEverySuperstepOfAShortRun() {
        RunHistory history = new RunHistory();
        for (int superstep = 0; superstep < RunRecord.MAX_RECORDS; superstep++) {
            history.add(record(superstep, "push", superstep));
        }

        assertThat(history.records()).hasSize(RunRecord.MAX_RECORDS);
        assertThat(history.records().get(77)).isEqualTo(record(77, "push", 77));
    }

    @Test
    void putsSuperstepsOfALongRunTogetherAndLosesNone() {
        RunHistory history = new RunHistory();
        int supersteps = 10_007;
        for (int superstep = 0; superstep < supersteps; superstep++) {
            history.add(record(superstep, superstep % 2 == 0 ? "push" : "none", superstep % 10));
        }

        List<SuperstepRecord> records = history.records();
        assertThat(records).hasSizeBetween(RunRecord.MAX_RECORDS / 2, RunRecord.MAX_RECORDS);
        assertThat(records.stream().mapToLong(SuperstepRecord::messages).sum())
                .isEqualTo(3L * supersteps);
        int next = 0;
        for (SuperstepRecord record : records) {
            assertThat(record.first()).isEqualTo(next);
            next = record.last() + 1;
        }
        assertThat(next).isEqualTo(supersteps);
        assertThat(records.getFirst())
                .isEqualTo(new SuperstepRecord(0, 15, 16, "push", 48, 64, 16 * 0.5, 9, 9));
    }

    @Test
    void tellsDirectionsApart() {
        assertThat(SuperstepRecord.bothDirections("none", "pull")).isEqualTo("pull");
        assertThat(SuperstepRecord.bothDirections("pull", "none")).isEqualTo("pull");
        assertThat(SuperstepRecord.bothDirections("pull", "push")).isEqualTo("both");
        assertThat(SuperstepRecord.bothDirections("both", "push")).isEqualTo("both");
    }

    private static SuperstepRecord record(int superstep, String direction, int slowest) {
        return new SuperstepRecord(superstep, superstep, 1, direction, 3, 4, 0.5, slowest, slowest);
    }
}
