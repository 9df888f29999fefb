package org.starling.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that has ended.
 *
 * @param exitCode its exit code
 * @param said what it printed, on either stream
 */
record Ended(int exitCode, String said) {
    private static final long MINUTES = 5;

    /** Runs a command with that environment and no other. */
    static Ended run(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("starling", ".log");
        try {
            Process process = start(folder, environment, command, log);
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "%s did not end: %s".formatted(command, Files.readString(log)));
            }
            return new Ended(process.exitValue(), Files.readString(log));
        } finally {
            Files.deleteIfExists(log);
        }
    }

    /** Starts a command with that environment and no other. */
    static Process start(
            Path folder, Map<String, String> environment, List<String> command, Path log)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
