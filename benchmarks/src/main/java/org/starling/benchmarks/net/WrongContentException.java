package org.starling.benchmarks.net;

/** What came is not what was sent. */
final class WrongContentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongContentException(String message) {
        super(message);
    }

    /** Compares what came with what was sent. */
    static void check(Object flow, Tally sent, Tally received) {
        if (!sent.equals(received)) {
            throw new WrongContentException(
                    "%s: %s were sent, %s came".formatted(flow, sent, received));
        }
    }
}
