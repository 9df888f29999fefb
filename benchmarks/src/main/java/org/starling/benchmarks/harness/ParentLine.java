package org.starling.benchmarks.harness;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.starling.graph.InvalidInputException;

/**
 * A child JVM's line to the process that started it with {@link ChildJvm}: takes requests from
 * standard input and standard output for answers, one line for each.
 *
 * <pre>
 *   done TEXT       the request is done; TEXT is its result, may be empty
 *   refused TEXT    what was asked makes no sense here, in one sentence
 *   failed TEXT     the work failed, in one sentence
 * </pre>
 */
public final class ParentLine {
    static final String DONE = "done ";
    static final String REFUSED = "refused ";
    static final String FAILED = "failed ";

    /** System property with the process id of who started this JVM. */
    static final String PARENT = "starling.bench.parent";

    private static final int HALTED = 3;

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

    private ParentLine() {}

    /**
     * Answers all requests, one after the other, until the parent has no more. Whatever else prints
     * goes to standard error from now on. A parent that is killed ends this process, whatever its
     * threads do.
     *
     * @param work called on this thread
     */
    public static void serve(Work work) throws IOException {
        PrintStream answers =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        endWith(Long.getLong(PARENT, 0));
        BufferedReader requests =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(answer(line, work));
        }
    }

    /** The parent may have ended before this JVM was up; then another process is its parent. */
    private static void endWith(long pid) {
        ProcessHandle parent = ProcessHandle.current().parent().orElse(null);
        if (parent == null || parent.pid() != pid) {
            Runtime.getRuntime().halt(HALTED);
            return;
        }
        CompletableFuture<Void> _ =
                parent.onExit().thenRun(() -> Runtime.getRuntime().halt(HALTED));
    }

    /** A text, if it fits on one line. */
    static String oneLine(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("the text has more than one line: " + text);
        }
        return text;
    }

    private static String answer(String request, Work work) {
        try {
            return DONE + oneLine(work.answer(request));
        } catch (InvalidInputException refused) {
            return REFUSED + sentence(refused);
        } catch (Exception | Error failed) {
            failed.printStackTrace();
            return FAILED + sentence(failed);
        }
    }

    private static String sentence(Throwable problem) {
        String message = problem.getMessage();
        String text = message == null ? problem.toString() : message;
        return text.replaceAll("\\R", " ");
    }
}
