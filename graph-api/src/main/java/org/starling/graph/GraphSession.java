package org.starling.graph;

import java.nio.file.Path;
import java.util.List;

/**
 * What drivers of graph jobs can do: make graphs, run programs on them, read states. Used by tasks
 * and algorithms on the master's side, from one thread.
 */
public interface GraphSession {
    /**
     * Makes a graph from an edge source.
     *
     * @param graph its name, not in use
     * @param source name of an {@link EdgeSourceProvider}
     * @throws InvalidInputException if the source is bad or the graph would not fit into memory;
     *     nothing is left behind
     */
    BuildResult build(String graph, String source, Parameters parameters, BuildOptions options);

    /**
     * Facts about a graph.
     *
     * @throws InvalidInputException if there is none of that name
     */
    GraphInfo info(String graph);

    /**
     * What each peer holds of a graph, in the order of peers. Costs a look at every vertex.
     *
     * @throws InvalidInputException if there is none of that name
     */
    List<GraphShare> shares(String graph);

    /** Names of all graphs. */
    List<String> graphs();

    /**
     * Runs a program until it ends.
     *
     * @param program name of a {@link ProgramProvider}
     * @throws InvalidInputException if the program refuses its parameters (an unknown source
     *     vertex, for example)
     * @throws JobFailedException if user code throws; the message names vertex and superstep
     * @throws JobCancelledException if the job was cancelled
     */
    RunResult run(String graph, String program, Parameters parameters, RunOptions options);

    /** Runs a program with default options. */
    default RunResult run(String graph, String program, Parameters parameters) {
        return run(graph, program, parameters, RunOptions.DEFAULT);
    }

    /**
     * Values of a state, in the order of ids.
     *
     * @throws InvalidInputException if the graph has no such state
     */
    StateCursor read(String graph, String state);

    /**
     * The vertices and their rows, in the order of ordinals, which is not that of ids: vertices
     * with many edges have the smallest ones. All of them pass through here, shard by shard: for
     * graphs that drivers can hold, or for a look at the beginning.
     *
     * @throws InvalidInputException if there is no graph of that name
     */
    RowCursor rows(String graph);

    /**
     * Ordinal of an original id.
     *
     * @throws InvalidInputException if the graph has no such vertex
     */
    long ordinal(String graph, long id);

    /** Original id of an ordinal. */
    long id(String graph, long ordinal);

    /**
     * Writes a state as lines {@code id value}, in the order of ids; of a vector all elements stand
     * there, with a blank before each. The file appears whole or not at all. A state that names
     * vertices is written with their original ids, -1 for none.
     *
     * @throws InvalidInputException if the graph has no such state or the file cannot be written
     */
    void write(String graph, String state, Path file);

    /**
     * Forgets a graph and its states.
     *
     * @throws InvalidInputException if there is none of that name
     */
    void drop(String graph);
}
