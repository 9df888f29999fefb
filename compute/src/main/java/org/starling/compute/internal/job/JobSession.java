package org.starling.compute.internal.job;

import java.nio.file.Path;
import java.util.List;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.Admission;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.ScriptHost;

/**
 * The engine as one attempt of a job uses it. All methods are the job thread's, but for {@link
 * #cancel}.
 */
interface JobSession extends ScriptHost {
    /** Makes sessions. */
    @FunctionalInterface
    interface Opener {
        /**
         * A session for one attempt.
         *
         * @param term greater than that of every earlier attempt of the job
         * @param admission whether the job may take memory now
         */
        JobSession open(
                long term,
                JobNeeds needs,
                Admission admission,
                JobListener listener,
                CheckpointSink sink);
    }

    /**
     * Goes on where an older master was; removes what it left. Called once, first.
     *
     * @param progress what the sink was given last; empty if nothing
     * @param lostMaster the older master; -1 if there was none
     * @param detectedNanos {@link System#nanoTime} when its loss was noticed
     */
    void resume(byte[] progress, int lostMaster, long detectedNanos);

    /** What the job can name beside what is built in; called before anything else, if at all. */
    void use(JobCode code);

    /** Names of the graphs that are kept now. */
    default List<String> keptGraphs() {
        return List.of();
    }

    /** Puts the files of a folder where whoever has submitted the job can fetch them. */
    default void putResults(Path folder, int task) {}

    /** Removes what tasks from this one on have put there. */
    default void removeResults(int fromTask) {}

    /** A task begins: so many have begun before it. */
    void beginTask(int index);

    /** A task has ended: gives the sink what a new master needs to go on behind it. */
    void endTask();

    /** The job's end is committed: removes its graphs. */
    void endJob();

    /** Lets the job's thread throw at its next wait; any thread. */
    void cancel();
}
