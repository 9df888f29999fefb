package org.starling.graph;

import java.util.List;

/**
 * What a job keeps in the store beside its graphs: maps, lists, tables and single values, spread
 * over the peers, with copies as chunks have them. They are named and typed; opening one by its
 * name makes it if there is none. Used by tasks, on the master's side, from one thread.
 *
 * <p><b>What is atomic.</b> All that a task does to structures takes effect at its end, together,
 * or not at all: a task that fails changes nothing, nor does one that is lost with its master. A
 * task that is done again therefore sees structures as it saw them the first time, and putting,
 * adding and appending need no care for that. Within the task its own changes are seen at once.
 *
 * <p><b>Who may write.</b> A structure is its job's alone until it is kept. One that is kept is
 * read by any number of jobs at once, or changed by one: a job that wants to change it while
 * another running job has opened it, or to open it while another one changes it, is refused with
 * that job's number, until that job has ended.
 *
 * <p><b>How long it lives.</b> What was not kept goes with its job, however that ends. What was
 * kept stays until it is dropped, also through a cold start.
 */
public interface Structures {
    /** What a structure survives. */
    enum Durability {
        /** Nothing: for data that can be made again. */
        MEMORY,
        /** The loss of peers. */
        PROCESS,
        /** The loss of peers, and of power. */
        POWER
    }

    /**
     * Opens a map, or makes an empty one.
     *
     * @param name 1 to 128 letters, digits and {@code _ . + - @} and blanks, as of a kept graph
     * @throws InvalidInputException if there is a structure of that name and another type, or
     *     another job changes it
     */
    <K, V> StoredMap<K, V> map(String name, ElementType<K> keys, ElementType<V> values);

    /** Opens a list, or makes an empty one; otherwise as {@link #map}. */
    <V> StoredList<V> list(String name, ElementType<V> values);

    /**
     * Opens a table, or makes an empty one; otherwise as {@link #map}.
     *
     * @param columns at least one, of different names
     */
    StoredTable table(String name, List<StoredTable.Column> columns);

    /** Opens a single value, or makes one that is not set; otherwise as {@link #map}. */
    <V> StoredValue<V> value(String name, ElementType<V> type);

    /**
     * The same, but what it makes has another durability; without, it is the best that the cluster
     * can promise. One that is kept on a cluster needs {@link Durability#POWER}.
     */
    Structures with(Durability durability);

    /**
     * Keeps a structure of this job under its name when the task ends well.
     *
     * @throws InvalidInputException if the job has none of that name, or another one is kept
     * @throws JobFailedException if its durability, or the cluster's, is not enough
     */
    void keep(String name);

    /**
     * Drops a structure when the task ends well; to this job it is gone at once.
     *
     * @throws InvalidInputException if there is none of that name, or another running job has
     *     opened it
     */
    void drop(String name);

    /** Names of the job's own structures and of those that are kept, in their order. */
    List<String> names();

    /**
     * Lets the peers run a program over all parts of a structure at once, each over parts near it,
     * and appends the rows that it emits to a table, in the order of the parts. The structure is
     * seen as it is now. After the loss of a peer all is done again, so the program must do nothing
     * but read and emit.
     *
     * @param name of the structure
     * @param program name of a {@link PartProgram}, as a {@link ProgramProvider} gives it
     * @param into where rows go, another structure
     * @return number of rows
     * @throws InvalidInputException if there is no such structure or program
     * @throws JobFailedException if the program throws
     */
    long each(String name, String program, Parameters parameters, StoredTable into);
}
