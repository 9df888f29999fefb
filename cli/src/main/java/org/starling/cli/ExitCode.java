package org.starling.cli;

/** What a command tells the shell; a contract with scripts. */
enum ExitCode {
    DONE(0),
    INTERNAL_ERROR(1),
    WRONG_USAGE(2),
    BAD_INPUT(3),
    NO_CLUSTER(4),
    JOB_FAILED(5);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
