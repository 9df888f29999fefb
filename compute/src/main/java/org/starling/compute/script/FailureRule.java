package org.starling.compute.script;

/**
 * What a script does when a task or block fails. Immutable.
 *
 * @param retries how often it is tried again
 * @param goesOn whether the script goes on behind it when the last try has failed, too
 */
record FailureRule(int retries, boolean goesOn) {
    /** The script fails. */
    static final FailureRule FAIL = new FailureRule(0, false);

    /** Name of a result that says whether a step has failed behind which the script went on. */
    static final String FAILED = "failed";

    /** Name of the sentence beside it. */
    static final String ERROR = "error";
}
