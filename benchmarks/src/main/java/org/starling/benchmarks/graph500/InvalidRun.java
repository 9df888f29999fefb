package org.starling.benchmarks.graph500;

import org.starling.graph.JobFailedException;

/** A benchmark run whose results are wrong, so that none may be printed. */
final class InvalidRun extends JobFailedException {

    private static final long serialVersionUID = 1L;

    /** With the sentence of the reference, and one that says what is wrong. */
    InvalidRun(String reason) {
        super("No results printed for invalid run. Reason: " + reason + ".");
    }
}
