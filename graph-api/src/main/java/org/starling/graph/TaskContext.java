package org.starling.graph;

import java.nio.file.Path;
import java.util.List;

/** What a task can reach while it runs. */
public interface TaskContext {
    /** Graphs, and programs to run on them. */
    GraphSession graphs();

    /** What the job keeps in the store beside its graphs. */
    default Structures structures() {
        return graphs().structures();
    }

    /**
     * A file to read, named relative to the script's folder.
     *
     * @throws InvalidInputException if it lies outside the configured roots or does not exist
     */
    Path inputFile(String name);

    /**
     * Files to read, in the order of their names: one that is named, those that a pattern with
     * {@code *} or {@code ?} in its last part matches, or those of a folder. Of patterns and
     * folders, hidden files ({@code .name}, {@code _name}) and empty ones are left out.
     *
     * @throws InvalidInputException if there is none, or one lies outside the configured roots
     */
    default List<Path> inputFiles(String name) {
        return List.of(inputFile(name));
    }

    /**
     * A file to write, named relative to the script's folder.
     *
     * @throws InvalidInputException if it lies outside the configured roots, or its folder does not
     *     exist
     */
    Path outputFile(String name);

    /** Tells people how far the task is; {@code total} is 0 where it is not known. */
    void progress(String what, long done, long total);

    /**
     * A line of the task's own log, for people who watch the job; the last ones are in its report.
     * Long lines are cut.
     */
    default void log(String line) {}

    /**
     * Ends the task if the job was cancelled. Long loops outside {@link GraphSession} call it now
     * and then.
     *
     * @throws JobCancelledException if so
     */
    void checkCancelled();

    /** Number of peers that compute. */
    int peers();

    /** True if the peers are separate processes. */
    boolean separateProcesses();

    /** Largest resident memory of each process so far, in bytes. */
    List<Long> peakResidentBytes();
}
