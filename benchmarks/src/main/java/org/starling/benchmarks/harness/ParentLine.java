package org.starling.benchmarks.harness;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A child JVM's line to the process that started it with {@link ChildJvm}. Opening it takes
 * standard output for answers: whatever else prints there goes to standard error. When the parent
 * closes the line or ends, the child has a second to end by itself, then it is halted, whatever its
 * threads do.
 *
 * <p>Used by the child's main thread; a daemon takes in the requests.
 */
public final class ParentLine {
    /** What a child does with a request. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it.
         *
         * @param request one line
         * @return one line, may be empty
         * @throws Exception tells the parent that it failed; {@link InvalidInputException} that it
         *     makes no sense
         */
        String answer(String request) throws Exception;
    }

    private static final Duration END_PATIENCE = Duration.ofSeconds(1);
    private static final int HALTED = 3;

    /** Stands for the end of the parent's requests. */
    private static final String END = "\n";

    private final PrintStream output;
    private final BlockingQueue<String> requests =
            new ArrayBlockingQueue<>(ChildLine.MAX_WAITING + 1);
    private final Thread worker = Thread.currentThread();

    /** On the thread that does the work. */
    private ParentLine(PrintStream output) {
        this.output = output;
    }

    /**
     * Answers all requests, one after the other, until the parent has no more.
     *
     * @param work called on this thread
     */
    public static void serve(Work work) throws InterruptedException {
        ParentLine line = open();
        for (String request = line.next(); request != null; request = line.next()) {
            line.answer(request, work);
        }
    }

    private static ParentLine open() {
        PrintStream answers =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        ParentLine line = new ParentLine(answers);
        Thread.ofPlatform().daemon().name("requests of the parent").start(line::listen);
        return line;
    }

    private @Nullable String next() throws InterruptedException {
        String request = requests.take();
        return request.equals(END) ? null : request;
    }

    private void answer(String request, Work work) {
        String answer;
        try {
            answer = ChildLine.DONE + ChildLine.checked(work.answer(request));
        } catch (InvalidInputException refused) {
            answer = ChildLine.REFUSED + sentence(refused);
        } catch (Exception | Error failed) {
            failed.printStackTrace();
            answer = ChildLine.FAILED + sentence(failed);
        }
        output.println(answer);
        output.flush();
    }

    private static String sentence(Throwable problem) {
        String message = problem.getMessage();
        String text = message == null ? problem.toString() : message;
        return text.replaceAll("\\R", " ");
    }

    private void listen() {
        try (BufferedReader input =
                new BufferedReader(
                        new InputStreamReader(
                                new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = input.readLine();
                    line != null && requests.size() < ChildLine.MAX_WAITING;
                    line = input.readLine()) {
                requests.add(line);
            }
        } catch (IOException broken) {
            System.err.println("the parent can't be heard: " + broken.getMessage());
        }
        requests.add(END);
        endProcess();
    }

    /** Ends the process, whatever threads it has left. */
    private void endProcess() {
        try {
            boolean ended = worker.join(END_PATIENCE);
            Runtime.getRuntime().halt(ended ? 0 : HALTED);
        } catch (InterruptedException unexpected) {
            Runtime.getRuntime().halt(HALTED);
        }
    }
}
