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
     * Makes a graph of the vertices and edges of another one that conditions hold for. Ids, weights
     * and properties are those of the other graph; its states and published columns are not carried
     * over. The new graph is one of its own: changes of the other one don't reach it.
     *
     * <p>A condition compares columns and numbers by {@code == != < <= > >=}, calculates with them
     * by {@code + - * / %}, and joins comparisons by {@code and}, {@code or}, {@code not}. On
     * vertices it can name their {@code id}, states, published columns and properties; on edges
     * their properties and {@code weight}; of vectors an element, as {@code place[0]}.
     *
     * @param graph the other graph
     * @param vertices condition on vertices; empty if all are taken
     * @param edges condition on edges; empty if all are taken whose ends are
     * @param as name of the new graph, not in use
     * @throws InvalidInputException if a condition makes no sense, or the graph would not fit into
     *     memory; nothing is left behind
     */
    BuildResult project(String graph, String vertices, String edges, String as);

    /**
     * Puts a graph that this job has made into the catalogue, from which later jobs can take it:
     * then it outlives the job, and what the catalogue tells of it is on disks. A graph that is
     * kept already stays so.
     *
     * @throws InvalidInputException if another graph of that name is kept, or no kept graph can
     *     have it
     * @throws JobFailedException if the cluster can't promise that the graph stays
     */
    void keep(String graph);

    /**
     * Checks the name of a graph that is to be kept: 1 to 128 letters, digits and {@code _ . + - @}
     * and blanks, the first one a letter, a digit or {@code _}.
     *
     * @throws InvalidInputException if it is another one
     */
    static void requireKeepable(String name) {
        KeptName.require(name);
    }

    /**
     * Checks the name of a column that is to be published: 1 to 128 characters, and not "id", as
     * the ids are called where columns are handed out.
     *
     * @throws InvalidInputException if it is another one
     */
    static void requireColumnName(String name) {
        KeptName.requirePublished(name);
    }

    /**
     * Writes a state of a kept graph as a column of it, which outlives the job. Later jobs, and
     * this one, read it like a state of that name.
     *
     * @param as name of the column
     * @param replace whether it may take the place of a column of that name
     * @throws InvalidInputException if the graph is not kept, has no such state, or has a column of
     *     that name that must not be replaced, that another running job may read, or that this task
     *     has published already
     */
    void publish(String graph, String state, String as, boolean replace);

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
     * The numbers by which programs and the methods here name vertices of a graph whose original
     * ids are texts ({@link GraphInfo#textIds}). All are found at once: one question to each peer.
     *
     * @throws InvalidInputException if the graph's ids are numbers, or it lacks one of the vertices
     */
    default long[] numbers(String graph, List<String> texts) {
        throw new InvalidInputException("the ids of graph \"%s\" are numbers".formatted(graph));
    }

    /**
     * The original ids of vertices of a graph where these are texts, in the order of the numbers.
     * All are read at once: a question to each peer, more if the texts are long.
     *
     * @param numbers what {@link Vertex#id} is for programs
     * @throws InvalidInputException if the graph's ids are numbers
     */
    default List<String> texts(String graph, long[] numbers) {
        throw new InvalidInputException("the ids of graph \"%s\" are numbers".formatted(graph));
    }

    /**
     * Ids as results of tasks have them, whatever they are in that graph: texts, or numbers as
     * {@link VertexId#number} makes them.
     *
     * @param ids as programs see them
     */
    default List<Object> shown(String graph, List<Long> ids) {
        return ids.isEmpty() || !info(graph).textIds()
                ? ids.stream().<Object>map(VertexId::number).toList()
                : List.copyOf(texts(graph, ids.stream().mapToLong(Long::longValue).toArray()));
    }

    /** The same of one id. */
    default Object shown(String graph, long id) {
        return shown(graph, List.of(id)).getFirst();
    }

    /** Questions about single vertices, of graphs of this job and of kept ones. */
    GraphQueries queries();

    /**
     * Writes a state as lines {@code id value}, in the order of ids; of a vector all elements stand
     * there, with a blank before each. The file appears whole or not at all. A state that names
     * vertices is written with their original ids, -1 for none.
     *
     * @throws InvalidInputException if the graph has no such state or the file cannot be written
     */
    void write(String graph, String state, Path file);

    /**
     * The same as many files beside one another, which all peers write at once: parts {@code
     * FILE.part-00000.STAMP}, one for each shard that has vertices, and {@code FILE} itself, a JSON
     * object that names them in their order. Within a part, and from one to the next, vertices
     * stand in the order of ordinals, which is not that of ids. {@code FILE} appears last: who
     * finds it finds all that it names, whole; parts that an older one has named go then. All peers
     * must see the folder.
     *
     * @throws InvalidInputException if the graph has no such state or the files cannot be written
     * @throws JobFailedException if peers do not see the same folder
     */
    void writeParts(String graph, String state, Path file);

    /**
     * Writes columns of vertices, with their ids, as a folder of files, which all peers write at
     * once: {@code part-00000} and so on with the ending of the format, one for each shard that has
     * vertices. Each is a table of its own. Within a part, and from one to the next, vertices stand
     * in the order of ordinals, which is not that of ids. The folder appears last, whole or not at
     * all, and in the place of one that holds such parts alone. All peers must see the folder that
     * it is in.
     *
     * @param columns states, properties and published columns
     * @param format one of {@link VertexTableFormats#names}
     * @param ending of the files' names, behind the point
     * @param folder its absolute path without links
     * @throws InvalidInputException if the graph has no such column, there is no such format, or
     *     the files cannot be written
     * @throws JobFailedException if peers do not see the same folder
     */
    default void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        throw new InvalidInputException("no tables can be written here; write one state in parts");
    }

    /** What the job keeps in the store beside its graphs. */
    Structures structures();

    /**
     * Forgets a graph and its states; one that is kept leaves the catalogue, too.
     *
     * @throws InvalidInputException if there is none of that name, or another running job uses it
     */
    void drop(String graph);
}
