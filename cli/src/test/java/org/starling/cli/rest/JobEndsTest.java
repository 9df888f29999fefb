package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.starling.cli.FakeService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JsonText;

final class JobEndsTest {
    private final List<Long> read = new ArrayList<>();

    @Test
    void readsEachReportOnceTheNewestFirstAndFewInALook() {
        JobEnds ends = new JobEnds(this::report);
        List<JobView> jobs =
                LongStream.rangeClosed(1, JobEnds.MAX_READS + 5).mapToObj(this::ended).toList();

        ends.tell(jobs);
        assertThat(read).hasSize(JobEnds.MAX_READS).startsWith(25L, 24L).doesNotContain(5L);
        Map<String, String> told = ends.tell(jobs);
        ends.tell(jobs);

        assertThat(read).hasSize(jobs.size()).doesNotHaveDuplicates();
        assertThat(told.get("job/1")).contains("\"seconds\": 2.5");
    }

    @Test
    void forgetsWhatTheClusterHasForgotten() {
        JobEnds ends = new JobEnds(this::report);

        ends.tell(List.of(ended(1)));
        ends.tell(List.of());
        ends.tell(List.of(ended(1)));

        assertThat(read).containsExactly(1L, 1L);
    }

    @Test
    void asksForNoReportOfAJobThatRunsAndMissesNoneThatWasNeverWritten() {
        JobEnds running = new JobEnds(this::report);
        JobView job = FakeService.job(7, "s", JobView.Status.RUNNING, 1, false);
        assertThat(running.tell(List.of(job)))
                .containsExactly(Map.entry("job/7", JsonText.write(job.tree())));
        assertThat(read).isEmpty();

        JobView before = FakeService.job(7, "s", JobView.Status.CANCELLED, 0, true);
        assertThat(new JobEnds(id -> Optional.empty()).tell(List.of(before)))
                .containsExactly(Map.entry("job/7", JsonText.write(before.tree())));
    }

    @Test
    void cutsALongReasonBetweenCharacters() {
        JobEnds ends =
                new JobEnds(id ->
                        Optional.of(JsonText.write(Map.of("error", "\uD83D\uDC26".repeat(1000)))));

        assertThat(ends.tell(List.of(ended(1))).get("job/1"))
                .contains("\"" + "\uD83D\uDC26".repeat(JobEnds.MAX_ERROR - 1) + "…\"");
    }

    private Optional<String> report(long id) {
        read.add(id);
        return Optional.of("{\"seconds\": 2.5}");
    }

    private JobView ended(long id) {
        return FakeService.job(id, "s", JobView.Status.SUCCEEDED, 1, false);
    }
}
