package org.starling.compute.script;

import org.starling.graph.InvalidInputException;

/** Text that is not JSON, or JSON that names a member twice. */
public final class InvalidJsonException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    private final String place;
    private final String problem;

    InvalidJsonException(String place, String problem, Throwable cause) {
        super(place + ": " + problem, cause);
        this.place = place;
        this.problem = problem;
    }

    InvalidJsonException(String place, String problem) {
        super(place + ": " + problem);
        this.place = place;
        this.problem = problem;
    }

    /** Line and column. */
    public String place() {
        return place;
    }

    /** What is wrong there. */
    public String problem() {
        return problem;
    }
}
