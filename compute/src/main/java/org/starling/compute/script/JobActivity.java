package org.starling.compute.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a running job does at this moment, as its master tells whoever asks. Nothing of it is kept:
 * a new master begins anew with it.
 *
 * @param task how many tasks have begun, this one included
 * @param tasks how many run at most
 * @param name of the task
 * @param as name of its results; null if it has none
 * @param seconds since the task began
 * @param step what the task is at; null if it has not said anything
 * @param done how far the step is
 * @param total of the step; 0 if that is not known
 * @param superstep the last one that has ended of the program that runs; -1 if there was none
 * @param active vertices that computed in it
 * @param messages of the program so far
 * @param etaSeconds how long the step or the program will go on, about; null if nobody can tell
 * @param log the last lines that tasks have said
 */
public record JobActivity(
        int task,
        long tasks,
        String name,
        @Nullable String as,
        double seconds,
        @Nullable String step,
        long done,
        long total,
        int superstep,
        long active,
        long messages,
        @Nullable Number etaSeconds,
        List<String> log) {
    /** Copies the list. */
    public JobActivity {
        log = List.copyOf(log);
    }
}
