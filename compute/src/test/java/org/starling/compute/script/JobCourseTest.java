package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JobCourseTest {
    private static final int LONG = 100_000;

    private final JobCourse.Log log = new JobCourse.Log();

    @Test
    void keepsEachSuperstepOfAShortJob() {
        log.add(point(1, 0));
        log.add(point(1, 1));
        log.add(point(2, 0));

        assertThat(log.course().points()).containsExactly(point(1, 0), point(1, 1), point(2, 0));
    }

    @Test
    void putsSuperstepsOfALongJobTogetherAndLosesNone() {
        log.add(point(1, 0));
        for (int superstep = 0; superstep < LONG; superstep++) {
            log.add(point(2, superstep));
        }

        List<JobCourse.Point> points = log.course().points();
        assertThat(points).hasSizeBetween(JobCourse.MAX_POINTS / 4, JobCourse.MAX_POINTS);
        assertThat(points.getFirst()).isEqualTo(point(1, 0));
        int next = 0;
        for (JobCourse.Point point : points.subList(1, points.size())) {
            int supersteps = point.last() - point.first() + 1;
            assertThat(point.first()).isEqualTo(next);
            assertThat(point.active()).isEqualTo(10L * supersteps);
            assertThat(point.messages()).isEqualTo(7L * supersteps);
            next = point.last() + 1;
        }
        assertThat(next).isEqualTo(LONG);
    }

    @Test
    void forgetsTheEarliestOfVeryManyTasks() {
        for (int task = 1; task <= LONG; task++) {
            log.add(point(task, 0));
        }

        assertThat(log.course().points())
                .hasSizeBetween(JobCourse.MAX_POINTS / 2, JobCourse.MAX_POINTS)
                .last()
                .isEqualTo(point(LONG, 0));
    }

    /** After a loss supersteps are done again. */
    @Test
    void keepsSuperstepsThatAreDoneAgainApart() {
        log.add(point(1, 4));
        log.add(point(1, 5));
        log.add(point(1, 3));

        assertThat(log.course().points()).hasSize(3);
    }

    private static JobCourse.Point point(int task, int superstep) {
        return new JobCourse.Point(task, "task " + task, superstep, superstep, 10, 7, false);
    }
}
