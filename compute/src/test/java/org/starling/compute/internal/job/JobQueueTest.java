package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starling.compute.GroupName;
import org.starling.compute.script.JobPriority;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;

/** What a master of two groups begins next. */
final class JobQueueTest {
    private static final GroupName NIGHT = new GroupName("night");
    private static final GroupName EMPTY = new GroupName("empty");

    /** A job of the default group that has waited for memory for long. */
    private Optional<Long> hungry = Optional.empty();

    private final JobQueue queue =
            new JobQueue(
                    2,
                    group -> !group.equals(EMPTY),
                    group -> group.equals(GroupName.DEFAULT) ? hungry : Optional.empty());

    @Test
    void beginsWhatALostMasterRanFirstThenByPriorityThenByAge() {
        List<JobInfo> jobs =
                List.of(
                        job(1, JobStatus.SUCCEEDED),
                        job(2, JobStatus.QUEUED),
                        job(3, JobStatus.QUEUED),
                        job(4, JobStatus.QUEUED),
                        job(5, JobStatus.RUNNING));
        Map<Long, JobNeeds> needs = Map.of(3L, new JobNeeds(NIGHT, JobPriority.HIGH));

        assertThat(next(jobs, Set.of(), needs)).containsExactly(5L, 3L, 2L);
        assertThat(queue.waitOf(4).orElseThrow().why())
                .isEqualTo("2 jobs run in group default, which are as many as may at once");
        assertThat(queue.waitOf(2)).isEmpty();
        assertThat(next(jobs, Set.of(5L, 3L), needs)).containsExactly(2L);
    }

    @Test
    void letsGroupsNotWaitForOneAnother() {
        List<JobInfo> jobs =
                List.of(
                        job(1, JobStatus.RUNNING),
                        job(2, JobStatus.RUNNING),
                        job(3, JobStatus.QUEUED),
                        job(4, JobStatus.QUEUED));
        Map<Long, JobNeeds> needs =
                Map.of(
                        3L, new JobNeeds(EMPTY, JobPriority.HIGH),
                        4L, new JobNeeds(NIGHT, JobPriority.LOW));

        assertThat(next(jobs, Set.of(1L, 2L), needs)).containsExactly(4L);
        assertThat(queue.waitOf(3).orElseThrow().why())
                .isEqualTo("no peer of group empty is there");
    }

    @Test
    void beginsNothingNewWhileAJobThatRunsHasWaitedForMemoryForLong() {
        List<JobInfo> jobs =
                List.of(
                        job(1, JobStatus.RUNNING),
                        job(2, JobStatus.QUEUED),
                        job(3, JobStatus.QUEUED),
                        job(4, JobStatus.RUNNING));
        Map<Long, JobNeeds> needs =
                Map.of(
                        2L, new JobNeeds(GroupName.DEFAULT, JobPriority.HIGH),
                        3L, new JobNeeds(NIGHT, JobPriority.LOW));
        hungry = Optional.of(1L);

        assertThat(next(jobs, Set.of(1L), needs)).containsExactly(4L, 3L); // one goes on
        assertThat(next(jobs, Set.of(1L), needs)).doesNotContain(2L);
        hungry = Optional.empty();
        assertThat(next(jobs.subList(0, 2), Set.of(1L), needs)).containsExactly(2L);
    }

    @Test
    void saysForWhichHungryJobAnotherWaits() {
        hungry = Optional.of(1L);

        assertThat(next(List.of(job(2, JobStatus.QUEUED)), Set.of(1L), Map.of())).isEmpty();

        assertThat(queue.waitOf(2).orElseThrow().why())
                .isEqualTo("job 1 has waited for memory for long, and gets it before others begin");
    }

    @Test
    void remembersSinceWhenAJobWaits() {
        List<JobInfo> jobs = List.of(job(1, JobStatus.QUEUED));
        Map<Long, JobNeeds> needs = Map.of(1L, new JobNeeds(EMPTY, JobPriority.LOW));
        next(jobs, Set.of(), needs);
        long since = queue.waitOf(1).orElseThrow().sinceNanos();
        next(jobs, Set.of(), needs);
        assertThat(queue.waitOf(1).orElseThrow().sinceNanos()).isEqualTo(since);

        next(List.of(), Set.of(), needs);
        assertThat(queue.waitOf(1)).isEmpty();
    }

    private List<Long> next(List<JobInfo> jobs, Set<Long> running, Map<Long, JobNeeds> needs) {
        return queue.next(jobs, running, id -> needs.getOrDefault(id, JobNeeds.USUAL)).stream()
                .map(JobInfo::id)
                .toList();
    }

    private static JobInfo job(long id, JobStatus status) {
        return new JobInfo(id, "s", status, 0, false);
    }
}
