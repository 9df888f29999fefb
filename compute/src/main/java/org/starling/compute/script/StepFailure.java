package org.starling.compute.script;

/**
 * A step has failed: what surrounds it decides whether the script goes on. Caught by the runner.
 */
final class StepFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException reason;

    StepFailure(RuntimeException reason) {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    /** What the script's end is if nobody lets it go on. */
    RuntimeException reason() {
        return reason;
    }
}
