package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that a test ran to its end. */
record ProcessRun(int exitCode, String out, String err) {
    private static final long TIMEOUT_SECONDS = 110;

    /** Runs a command with that environment and no other. */
    static ProcessRun of(List<String> command, Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("starling", ".out");
        Path err = Files.createTempFile("starling", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "%s did not end: %s%s"
                                .formatted(command, Files.readString(out), Files.readString(err)));
            }
            return new ProcessRun(
                    process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }
}
