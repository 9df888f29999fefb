package org.starling.benchmarks.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.JavaCommand;
import org.starling.graph.InvalidInputException;

/**
 * A JVM of its own, as the process sees it that started it: runs a main class with this one's Java,
 * class path and flags, and answers lines with lines ({@link ParentLine} is its end). Its standard
 * error is this process's. It ends when it is closed, and when this process ends, however that
 * comes about.
 *
 * <p>Used by one thread; a thread of its own takes in what the child answers.
 */
public final class ChildJvm implements AutoCloseable {
    /** How long a child may take to end by itself. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(5);

    /** Stands for the end of the child's output, which no answer equals. */
    private static final String END = "";

    private final String name;
    private final Process process;
    private final BufferedWriter requests;
    private final BlockingQueue<String> answers =
            new ArrayBlockingQueue<>(ChildLine.MAX_WAITING + 1);

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().name("answers of " + name).start(this::listen);
    }

    /**
     * Starts a JVM.
     *
     * @param name for messages
     * @param main its main class, which opens a {@link ParentLine}
     * @param arguments of {@code main}
     * @param flags more flags for its Java, like {@code -Dname=value}
     * @throws ChildFailedException if there can be no such process
     */
    public static ChildJvm start(
            String name, Class<?> main, List<String> arguments, List<String> flags) {
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(main, flags, arguments));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            return new ChildJvm(name, builder.start());
        } catch (IOException broken) {
            throw new ChildFailedException(
                    "%s can't be started: %s".formatted(name, broken.getMessage()), broken);
        }
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @return what {@link #await} returns
     */
    public String ask(String request, Duration patience) {
        tell(request);
        return await(patience);
    }

    /**
     * Sends a request; its answer is taken by {@link #await}, in the order of requests.
     *
     * @param request one line
     * @throws ChildFailedException if the child has ended
     */
    public void tell(String request) {
        try {
            requests.write(ChildLine.checked(request));
            requests.newLine();
            requests.flush();
        } catch (IOException gone) {
            throw new ChildFailedException(ended(), gone);
        }
    }

    /**
     * Waits for the answer to the oldest request that has none yet.
     *
     * @return its result
     * @throws InvalidInputException if the child refused the request
     * @throws ChildFailedException if the work failed, the child has ended, or there is no answer
     *     in time
     */
    public String await(Duration patience) {
        String line = nextLine(patience);
        if (line.startsWith(ChildLine.DONE)) {
            return line.substring(ChildLine.DONE.length());
        }
        if (line.startsWith(ChildLine.REFUSED)) {
            throw new InvalidInputException(
                    name + ": " + line.substring(ChildLine.REFUSED.length()));
        }
        throw new ChildFailedException(
                line.startsWith(ChildLine.FAILED)
                        ? name + ": " + line.substring(ChildLine.FAILED.length())
                        : "%s answered \"%s\"".formatted(name, line));
    }

    /** The child's process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the child has not ended yet. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Lets the child begin to end; whoever has several asks all of them before closing them. */
    public void askToEnd() {
        try {
            requests.close();
        } catch (IOException gone) {
            process.destroy(); // its input is gone already: it is ending or must be told otherwise
        }
    }

    /** Lets the child end, and ends it by force if that takes too long. */
    @Override
    public void close() {
        askToEnd();
        try {
            if (!process.waitFor(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String nextLine(Duration patience) {
        @Nullable String line;
        try {
            line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ChildFailedException("waiting for " + name + " was interrupted", interrupted);
        }
        if (line == null) {
            throw new ChildFailedException(
                    "%s does not answer within %d ms".formatted(name, patience.toMillis()));
        }
        if (line.equals(END)) {
            answers.add(END); // there is room for it beside all answers: it stays the last
            throw new ChildFailedException(ended());
        }
        return line;
    }

    private void listen() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine();
                    line != null && answers.size() < ChildLine.MAX_WAITING;
                    line = output.readLine()) {
                answers.add(line.equals(END) ? "an empty line" : line);
            }
        } catch (IOException broken) {
            process.destroy(); // what can't be heard is of no use any more
        }
        answers.add(END);
    }

    private String ended() {
        return name + " has ended; its messages stand above";
    }
}
