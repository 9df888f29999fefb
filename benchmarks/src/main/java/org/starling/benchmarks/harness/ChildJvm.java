package org.starling.benchmarks.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.JavaCommand;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/**
 * A JVM of its own, as the process sees it that started it: runs a main class with this one's Java,
 * class path and flags, and answers lines with lines ({@link ParentLine} is its end). Its standard
 * error is this process's. It ends when it is closed, and when this process ends, however that
 * comes about. Used by one thread.
 */
public final class ChildJvm implements AutoCloseable {
    /** How long a child may take to end by itself. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader answers;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a JVM.
     *
     * @param name for messages
     * @param main its main class, which opens a {@link ParentLine}
     * @param arguments of {@code main}
     * @param flags more flags for its Java, like {@code -Dname=value}
     * @throws JobFailedException if there can be no such process
     */
    public static ChildJvm start(
            String name, Class<?> main, List<String> arguments, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.add("-D" + ParentLine.PARENT + "=" + ProcessHandle.current().pid());
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(main, all, arguments));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            return new ChildJvm(name, builder.start());
        } catch (IOException broken) {
            throw new JobFailedException(
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
     * @throws JobFailedException if the child has ended
     */
    public void tell(String request) {
        try {
            requests.write(ParentLine.oneLine(request));
            requests.newLine();
            requests.flush();
        } catch (IOException gone) {
            throw new JobFailedException(ended(), gone);
        }
    }

    /**
     * Waits for the answer to the oldest request that has none yet.
     *
     * @return its result
     * @throws InvalidInputException if the child refused the request
     * @throws JobFailedException if the work failed, the child has ended, or there is no answer in
     *     time, after which the child is of no more use
     */
    public String await(Duration patience) {
        String line = nextLine(patience);
        if (line.startsWith(ParentLine.DONE)) {
            return line.substring(ParentLine.DONE.length());
        }
        if (line.startsWith(ParentLine.REFUSED)) {
            throw new InvalidInputException(
                    name + ": " + line.substring(ParentLine.REFUSED.length()));
        }
        throw new JobFailedException(
                line.startsWith(ParentLine.FAILED)
                        ? name + ": " + line.substring(ParentLine.FAILED.length())
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
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String nextLine(Duration patience) {
        FutureTask<@Nullable String> reading = new FutureTask<>(answers::readLine);
        Thread.ofVirtual().name("answer of " + name).start(reading);
        try {
            String line = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new JobFailedException(ended());
            }
            return line;
        } catch (TimeoutException late) {
            throw new JobFailedException(
                    "%s does not answer within %d ms".formatted(name, patience.toMillis()), late);
        } catch (ExecutionException gone) {
            throw new JobFailedException(ended(), gone);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobFailedException("waiting for " + name + " was interrupted", interrupted);
        }
    }

    private String ended() {
        return name + " has ended; its messages stand above";
    }
}
