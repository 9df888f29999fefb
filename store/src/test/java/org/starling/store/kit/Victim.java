package org.starling.store.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A node in a process of its own that can be killed, paused, resumed and started again. */
final class Victim {
    private static final long END_SECONDS = 10;

    private final String name;
    private final Path logFile;
    private final List<String> before;
    private final List<String> arguments;
    private Process process;
    private boolean isPaused;

    /**
     * Starts it.
     *
     * @param before words before its command, which place it on a host
     */
    Victim(String name, Path logFile, List<String> before, List<String> arguments) {
        this.name = name;
        this.logFile = logFile;
        this.before = List.copyOf(before);
        this.arguments = List.copyOf(arguments);
        process = launch();
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    Path logFile() {
        return logFile;
    }

    /** Whether it has printed a line. */
    boolean says(String line) {
        try (Stream<String> lines = Files.lines(logFile)) {
            return lines.anyMatch(line::equals);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has logs of zones in its data directory. */
    boolean keepsLogs() {
        Path folder = logFile.resolveSibling(name);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isPaused() {
        return isPaused;
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
        isPaused = false;
    }

    void pause() {
        signal("-STOP");
        isPaused = true;
    }

    void resume() {
        signal("-CONT");
        isPaused = false;
    }

    /** Starts it again with the same data directory. */
    void restart() {
        process = launch();
    }

    private Process launch() {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx192m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeChild.class.getName()));
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String signal) {
        try {
            int exit =
                    new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                            .start()
                            .waitFor();
            if (exit != 0 && process.isAlive()) {
                throw new IllegalStateException("kill " + signal + " failed for " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
