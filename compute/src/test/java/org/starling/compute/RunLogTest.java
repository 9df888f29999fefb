package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RunLogTest {
    @Test
    void keepsTheLatestRunsUntilTheyAreTakenAndTellsAll() {
        AtomicLong told = new AtomicLong();
        RunLog log =
                new RunLog(
                        new JobListener() {
                            @Override
                            public void progress(String what, long done, long total) {
                                told.addAndGet(done);
                            }

                            @Override
                            public void superstep(int superstep, long active, long messages) {
                                told.addAndGet(messages);
                            }

                            @Override
                            public void ran(RunRecord record) {
                                told.addAndGet(record.supersteps());
                            }
                        });
        log.progress("something", 1_000, 0);
        log.superstep(0, 0, 10_000);
        for (int run = 0; run <= RunLog.MAX_RUNS; run++) {
            log.ran(new RunRecord("p" + run, "g", 1, 0, List.of(), 0, true, true, List.of()));
        }

        List<RunRecord> taken = log.take();

        assertThat(taken).hasSize(RunLog.MAX_RUNS);
        assertThat(taken.getFirst().program()).isEqualTo("p1");
        assertThat(taken.getLast().program()).isEqualTo("p" + RunLog.MAX_RUNS);
        assertThat(log.take()).isEmpty();
        assertThat(told).hasValue(11_001 + RunLog.MAX_RUNS);
    }
}
