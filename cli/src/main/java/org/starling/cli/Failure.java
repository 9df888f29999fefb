package org.starling.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.bench.SenselessChoiceException;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * Something that went wrong, as a user gets to see it. Immutable.
 *
 * @param cause what was thrown
 * @param code what the shell is told
 */
record Failure(Throwable cause, ExitCode code) {
    static Failure of(Throwable cause) {
        return new Failure(cause, code(cause));
    }

    /**
     * Prints it: a sentence on standard error, and for programs the only JSON object on standard
     * output.
     */
    ExitCode print(Terminal terminal, boolean verbose, boolean json) {
        explain(terminal, verbose);
        if (json) {
            terminal.out().println(JsonText.write(tree()));
        }
        return code;
    }

    /** Prints the sentence only. */
    void explain(Terminal terminal, boolean verbose) {
        sentence().lines().forEach(line -> terminal.err().println("starling: " + line));
        if (verbose) {
            cause.printStackTrace(terminal.err());
        } else if (code == ExitCode.INTERNAL_ERROR) {
            terminal.err()
                    .println("This is a bug in Starling or in a task; --verbose shows where.");
        }
    }

    private Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("status", "failed");
        tree.put("error", sentence());
        if (cause instanceof InvalidScriptException script) {
            tree.put("errors", script.errors().stream().map(RecordJson.PLAIN::tree).toList());
        }
        return tree;
    }

    private String sentence() {
        String message = cause.getMessage();
        boolean expected = code != ExitCode.INTERNAL_ERROR;
        return expected && message != null ? message : "internal error: " + cause;
    }

    private static ExitCode code(Throwable cause) {
        return switch (cause) {
            case UsageException usage -> ExitCode.WRONG_USAGE;
            case SenselessChoiceException senseless -> ExitCode.WRONG_USAGE;
            case ClusterException down -> ExitCode.NO_CLUSTER;
            case InvalidInputException input -> ExitCode.BAD_INPUT;
            case JobFailedException failed -> ExitCode.JOB_FAILED;
            case JobCancelledException cancelled -> ExitCode.JOB_FAILED;
            default -> ExitCode.INTERNAL_ERROR;
        };
    }
}
