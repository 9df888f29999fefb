package org.starling.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.starling.compute.cluster.ClusterException;

/**
 * Runs a script on another host with the system's {@code ssh}, which never asks anybody anything.
 * The script goes over its standard input, so that no list of processes shows the secrets in it.
 * Stateless; blocks.
 */
final class HostShell {
    private static final List<String> SSH =
            List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15");

    /** What ssh itself ends with, as {@code man ssh} says. */
    private static final int SSH_FAILED = 255;

    private HostShell() {}

    /**
     * Runs it.
     *
     * @param target the host, as ssh knows it
     * @param script for bash
     * @param patience how long at most
     * @return what it printed
     * @throws ClusterException if the host can't be reached or the script fails; names the host
     */
    static String run(String target, String script, Duration patience) {
        List<String> command = new ArrayList<>(SSH);
        command.addAll(List.of(target, "bash", "-s"));
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException missing) {
            throw new ClusterException(
                    "%s: ssh can't be started; install OpenSSH's client".formatted(target),
                    missing);
        }
        CompletableFuture<String> out = text(process.getInputStream());
        CompletableFuture<String> err = text(process.getErrorStream());
        try (OutputStream in = process.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        } catch (IOException endedEarly) {
            // its exit code and its words say why
            return end(target, process, patience, out, err);
        }
        return end(target, process, patience, out, err);
    }

    private static String end(
            String target,
            Process process,
            Duration patience,
            CompletableFuture<String> out,
            CompletableFuture<String> err) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new ClusterException(
                        "%s: no answer within %d s".formatted(target, patience.toSeconds()));
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new ClusterException(target + ": interrupted", interrupted);
        }
        int code = process.exitValue();
        if (code != 0) {
            throw new ClusterException(
                    "%s: %s%s"
                            .formatted(
                                    target,
                                    code == SSH_FAILED ? "ssh: " : "",
                                    lastLine(err.join(), code)));
        }
        return out.join().strip();
    }

    /** As a word of the shell. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** As words of the shell. */
    static String quoted(List<String> words) {
        return words.stream().map(HostShell::quoted).collect(Collectors.joining(" "));
    }

    private static String lastLine(String said, int code) {
        return said.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((_, last) -> last)
                .orElse("it failed without a word (exit code " + code + ")");
    }

    /** Read by a thread of its own, so that neither stream fills up. */
    private static CompletableFuture<String> text(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
