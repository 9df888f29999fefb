package org.starling.benchmarks.net;

import org.starling.graph.JobFailedException;

/** A child JVM that failed, ended or did not answer in time. The message is one sentence. */
public final class ChildFailedException extends JobFailedException {
    private static final long serialVersionUID = 1L;

    ChildFailedException(String message) {
        super(message);
    }

    ChildFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
