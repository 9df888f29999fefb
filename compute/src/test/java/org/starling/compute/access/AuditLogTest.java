package org.starling.compute.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the audit log, and that there are never too many of them. */
final class AuditLogTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678901Z"));

    @TempDir Path folder;

    @Test
    void saysWhoDidWhatToWhatWhenAndFromWhere() throws IOException {
        AuditLog log = new AuditLog(folder, CLOCK);

        log.note(new AuditEntry("ann", AccessRole.SUBMIT, "cancel job", "7", "10.0.0.1", 202));
        log.note(new AuditEntry("b", AccessRole.READ, "submit job", null, "::1", 403));

        assertThat(Files.readAllLines(AuditLog.file(folder)))
                .containsExactly(
                        "{\"time\": \"2026-01-02T03:04:05.678Z\", \"who\": \"ann\", \"role\":"
                                + " \"submit\", \"what\": \"cancel job\", \"object\": \"7\", \"from\":"
                                + " \"10.0.0.1\", \"status\": 202}",
                        "{\"time\": \"2026-01-02T03:04:05.678Z\", \"who\": \"b\", \"role\":"
                                + " \"read\", \"what\": \"submit job\", \"from\": \"::1\", \"status\":"
                                + " 403}");
        assertThat(Files.getPosixFilePermissions(AuditLog.file(folder)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    /** Whoever may ask for something must not push out what others did. */
    @Test
    void cutsWhatIsLong() throws IOException {
        new AuditLog(folder, CLOCK)
                .note(
                        new AuditEntry(
                                "ann", AccessRole.READ, "drop", "g".repeat(1 << 20), "::1", 403));

        assertThat(Files.size(AuditLog.file(folder))).isLessThan(1000);
        assertThat(Files.readString(AuditLog.file(folder))).contains("gggg…\"").contains("403");
    }

    @Test
    void goesOnInItsFileAfterARestart() throws IOException {
        for (int start = 0; start < 2; start++) {
            new AuditLog(folder, CLOCK)
                    .note(new AuditEntry("ann", AccessRole.ADMIN, "drop", "g", "::1", 200));
        }

        assertThat(Files.readAllLines(AuditLog.file(folder))).hasSize(2);
    }

    @Test
    void keepsTheLastFilesAndNoMore() throws IOException {
        AuditLog log = new AuditLog(folder, CLOCK, 300);

        for (int i = 0; i < 100; i++) {
            log.note(new AuditEntry("ann", AccessRole.ADMIN, "drop", "g" + i, "::1", 200));
        }

        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(AuditLog.MAX_FILES);
            for (Path file : all) {
                assertThat(Files.size(file)).isBetween(1L, 300L);
            }
        }
        assertThat(Files.readString(AuditLog.file(folder))).contains("\"g99\"");
        assertThat(Files.readString(folder.resolve("audit-1.jsonl")))
                .contains("\"g97\"")
                .doesNotContain("\"g99\"");
    }
}
