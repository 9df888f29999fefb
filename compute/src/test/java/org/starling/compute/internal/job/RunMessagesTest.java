package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.starling.compute.JobListener;
import org.starling.compute.script.JobCourse;

/** Messages by superstep, of which a run tells the sum so far. */
final class RunMessagesTest {
    @Test
    void areThoseOfTheSuperstepAloneWhenARunGoesOnFromACheckpoint() {
        ActivityWatch watch = new ActivityWatch(() -> 0);
        JobCounts counts = new JobCounts();
        JobListener run = counts.counting(watch);

        watch.taskStarted(1, "graph.pagerank", null);
        run.begins(0, 0);
        run.superstep(0, 10, 100);
        run.superstep(1, 10, 250);
        run.superstep(2, 10, 300);
        run.begins(0, 250); // a loss: superstep 2 again
        run.superstep(2, 10, 300);
        run.begins(0, 0); // another program
        run.superstep(0, 10, 400);

        assertThat(watch.course().points().stream().map(JobCourse.Point::messages))
                .containsExactly(100L, 150L, 50L, 50L, 400L);
        assertThat(counts.figures(0).messages()).isEqualTo(750);
    }

    @Test
    void saysBehindWhichSuperstepsThereWereCheckpoints() {
        ActivityWatch watch = new ActivityWatch(() -> 0);
        JobListener run = new JobCounts().counting(watch);

        watch.taskStarted(1, "graph.pagerank", null);
        run.begins(0, 0);
        for (int superstep = 0; superstep < 5 * JobCourse.MAX_POINTS; superstep++) {
            run.superstep(superstep, 10, 0);
            if (superstep == 7) {
                run.checkpointed();
            }
        }

        assertThat(watch.course().points().stream().filter(JobCourse.Point::checkpoint))
                .singleElement()
                .satisfies(point -> assertThat(point.first()).isLessThanOrEqualTo(7))
                .satisfies(point -> assertThat(point.last()).isGreaterThanOrEqualTo(7));
    }
}
