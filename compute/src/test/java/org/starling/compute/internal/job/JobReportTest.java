package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.store.Job;
import org.starling.store.JobStatus;

final class JobReportTest {
    @Test
    void leavesExplainedRunsOutBeforeResults() {
        String report = written(Map.of("task", "t", "result", "kept", "runs", tooMuch()));

        assertThat(report).contains("kept").contains("explained runs of tasks");
        assertThat(report).hasSizeLessThan(Job.MAX_REPORT_BYTES);
    }

    @Test
    void leavesResultsOutWhereThatIsNotEnough() {
        String report = written(Map.of("task", "t", "result", tooMuch(), "runs", List.of(1L)));

        assertThat(report).contains("\"task\": \"t\"").contains("results of tasks");
        assertThat(report).hasSizeLessThan(Job.MAX_REPORT_BYTES);
    }

    @Test
    void saysThatAJobFailedForWhatItWasAskedFor() {
        JobReport wrong =
                JobReport.failed(1, "a", List.of(), new InvalidInputException("no vertex \"Eve\""));
        JobReport lost =
                JobReport.failed(1, "a", List.of(), new JobFailedException("a peer is lost"));

        assertThat(new String(wrong.bytes(), StandardCharsets.UTF_8))
                .contains("\"invalidInput\": true");
        assertThat(new String(lost.bytes(), StandardCharsets.UTF_8)).doesNotContain("invalidInput");
    }

    @Test
    void tellsWhenTheJobEnded() {
        JobReport report =
                JobReport.failed(1, "a", List.of(), new JobFailedException("lost"))
                        .endedAt(Instant.parse("2026-01-02T03:04:05.678Z"));

        assertThat(new String(report.bytes(), StandardCharsets.UTF_8))
                .contains("\"ended\": \"2026-01-02T03:04:05Z\"");
    }

    private static List<Long> tooMuch() {
        return Collections.nCopies(Job.MAX_REPORT_BYTES, 1L);
    }

    private static String written(Map<String, Object> task) {
        JobReport report = new JobReport(JobStatus.SUCCEEDED, Map.of("tasks", List.of(task)));
        return new String(report.bytes(), StandardCharsets.UTF_8);
    }
}
