package org.starling.compute.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a script has come: enough for {@link ScriptRunner} to go on with it elsewhere. Immutable.
 *
 * <p>The tasks that have ended are the whole position. A script's way is decided by its text, by
 * results and by failures, so walking it again with these leads through the same branches and
 * rounds to the task that comes next.
 *
 * @param tasks tasks that have ended, in the order in which they ran; one that failed is among them
 *     if the script could go on
 * @param seconds running time so far
 */
public record ScriptProgress(List<TaskReport> tasks, double seconds) implements JsonRecord {
    /** Nothing has run. */
    public static final ScriptProgress NONE = new ScriptProgress(List.of(), 0);

    /** Copies the list. */
    public ScriptProgress {
        tasks = List.copyOf(tasks);
    }

    /**
     * Reads what {@link #tree} made.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    public static ScriptProgress of(@Nullable Object tree) {
        return RecordJson.PLAIN.of(ScriptProgress.class, tree);
    }
}
