package org.starling.compute.script;

import org.jspecify.annotations.Nullable;

/** Hears how far a script is. Called on the runner's thread. */
public interface ScriptListener {
    /** Hears nothing. */
    ScriptListener SILENT = new ScriptListener() {};

    /**
     * A task begins.
     *
     * @param run how many tasks have begun, this one included
     * @param task its name
     * @param as name of its results, if it has one
     */
    default void taskStarted(int run, String task, @Nullable String as) {}

    /** A task says how far it is; {@code total} is 0 where that is not known. */
    default void progress(String what, long done, long total) {}

    /** A task says something to whoever watches. */
    default void log(String line) {}

    /** A task has ended well. */
    default void taskEnded(TaskReport report) {}

    /**
     * A task's time is over, and it neither looks nor ends when its thread is interrupted: nothing
     * will follow. Called by a thread of its own.
     *
     * @param why a sentence
     */
    default void taskStuck(String why) {}

    /**
     * A task has failed, and what surrounds it may let the script go on.
     *
     * @param report with the reason
     */
    default void taskFailed(TaskReport report) {}
}
