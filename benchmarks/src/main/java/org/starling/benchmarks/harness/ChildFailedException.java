package org.starling.benchmarks.harness;

import org.starling.graph.JobFailedException;

/** A child JVM that failed, ended or did not answer in time. The message is one sentence. */
public final class ChildFailedException extends JobFailedException {
    private static final long serialVersionUID = 1L;

    /** With a sentence. */
    public ChildFailedException(String message) {
        super(message);
    }

    /** With a sentence and what led to it. */
    public ChildFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
