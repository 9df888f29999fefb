package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives zones up in a process where an access to released memory ends it ({@link ZoneDepositions}).
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ZoneDepositionsTest {
    private static final long SEED =
            Long.getLong("starling.seed", System.nanoTime() & Integer.MAX_VALUE);
    private static final int FEW = 100;
    private static final int SOME = 250;
    private static final int MANY = 10_000;

    /** Chunks of a zone: for many zones, and so that a zone takes its time to be freed. */
    private static final int SMALL = 2_000;

    private static final int LARGE = 200_000;

    private static final int PER_LIFE = 25;
    private static final int PER_SHORT_LIFE = 4;

    private static final long LIMIT_SECONDS = 900;

    @TempDir private Path folder;

    @Test
    void touchesNoReleasedMemoryWhenZonesAreGivenUpUnderOperations() throws Exception {
        assertThat(exitOf(FEW, SMALL, PER_LIFE))
                .as(() -> "seed " + SEED + ": " + output())
                .isZero();
    }

    @Test
    @Tag("slow")
    void touchesNoReleasedMemoryInManyDepositions() throws Exception {
        assertThat(exitOf(MANY, SMALL, PER_LIFE))
                .as(() -> "seed " + SEED + ": " + output())
                .isZero();
    }

    @Test
    void crashesWhenFreeingZonesIsNoUseOfTheMemory() throws Exception {
        assertThat(exitOf(SOME, LARGE, PER_SHORT_LIFE, ZoneDepositions.UNCOUNTED))
                .as(this::output)
                .isNotZero();
        assertThat(output()).contains("SIGSEGV");
    }

    private int exitOf(int depositions, int chunks, int perLife, String... more) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-Xmx64m",
                                "-XX:-CreateCoredumpOnCrash",
                                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                                "-Dstarling.net.keepReleasedUnreadable=true",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ZoneDepositions.class.getName(),
                                Integer.toString(depositions),
                                Long.toString(SEED),
                                Integer.toString(chunks),
                                Integer.toString(perLife)));
        command.addAll(List.of(more));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(this::output).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output.txt"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
