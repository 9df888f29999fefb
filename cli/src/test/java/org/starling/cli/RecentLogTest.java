package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.LogLine.Level;

final class RecentLogTest {
    private final RecentLog log = new RecentLog();

    @Test
    void tellsTheLastLinesOldestFirst() {
        keep(Level.INFO, "one");
        keep(Level.WARN, "two");
        keep(Level.INFO, "three");

        assertThat(log.last(2, Level.INFO))
                .extracting(LogLine::message)
                .containsExactly("two", "three");
    }

    @Test
    void leavesLessUrgentLinesOut() {
        keep(Level.WARN, "one");
        keep(Level.INFO, "two");
        keep(Level.ERROR, "three");

        assertThat(log.last(10, Level.WARN))
                .extracting(LogLine::message)
                .containsExactly("one", "three");
    }

    @Test
    void forgetsTheOldestLinesWhenThereAreTooMany() {
        for (int i = 0; i <= RecentLog.KEPT_LINES; i++) {
            keep(Level.INFO, "line " + i);
        }

        assertThat(log.last(Integer.MAX_VALUE, Level.DEBUG))
                .hasSize(RecentLog.KEPT_LINES)
                .first()
                .returns("line 1", LogLine::message);
    }

    @Test
    void forgetsTheOldestLinesWhenTheyAreTooLong() {
        String message = "x".repeat(RecentLog.LONGEST);
        for (int i = 0; i < RecentLog.KEPT_LINES; i++) {
            keep(Level.INFO, message);
        }

        assertThat(log.last(Integer.MAX_VALUE, Level.DEBUG))
                .hasSize(RecentLog.KEPT_CHARACTERS / RecentLog.LONGEST);
    }

    @Test
    void makesOneShortLineOfWhateverIsSaid() {
        String line = RecentLog.cut("a\nb\r\n\tc\u001b[31m" + "d".repeat(RecentLog.LONGEST));

        assertThat(line).startsWith("a b c [31md").endsWith("d …");
        assertThat(line).hasSizeLessThanOrEqualTo(RecentLog.LONGEST + 2);
    }

    private void keep(Level level, String message) {
        log.keep(new LogLine("", level, "Test", message));
    }
}
