package org.starling.graph;

import java.io.IOException;

/**
 * A step of a script. Found through {@link java.util.ServiceLoader}; scripts name it by {@link
 * TaskSignature#name()}.
 *
 * <p>Tasks have no state of their own: the same object may be run many times. They run on the
 * master, one at a time.
 */
public interface Task {
    /** Name, arguments and results, by which a script is checked before anything runs. */
    TaskSignature signature();

    /**
     * Checks of arguments beyond their types; called for the whole script before anything runs.
     *
     * @throws InvalidInputException with one sentence for people
     */
    default void check(Parameters arguments) {}

    /**
     * Tells a session that only forecasts what the task would do, so that people can ask what
     * memory it takes. The session makes no graphs and runs no programs; it answers with estimates,
     * and ends the plan by an exception where it has none. A task that does nothing but use its
     * session may call {@link #run}. By default nothing is planned, and nothing is foretold.
     *
     * @param forecast has the session; files that earlier tasks would write are not there
     */
    default void plan(TaskContext forecast, Parameters arguments) throws IOException {}

    /**
     * Does the work.
     *
     * @param arguments checked against the signature; defaults are filled in
     * @return what the signature's results say
     */
    TaskResult run(TaskContext context, Parameters arguments) throws IOException;
}
