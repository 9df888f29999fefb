package org.starling.graph;

import java.util.function.Supplier;

/**
 * What a program says it needs. Handles obtained here are bound to the program instance and
 * confined to its thread.
 *
 * <p>Names are unique within their kind in one program.
 */
public interface Declaration {
    /** Most elements of a vector in a state. */
    int MAX_VECTOR_LENGTH = 1024;

    /** The graph the program runs on. */
    GraphInfo graph();

    /**
     * A new state column in which every vertex has {@code initial}; replaces an older column of
     * that name.
     */
    IntState intState(String name, int initial);

    /** The same with {@code long} values. */
    LongState longState(String name, long initial);

    /** The same with {@code float} values. */
    FloatState floatState(String name, float initial);

    /** The same with {@code double} values. */
    DoubleState doubleState(String name, double initial);

    /** The same with {@code boolean} values. */
    BooleanState booleanState(String name, boolean initial);

    /** The same that names a vertex for every vertex; none at first. */
    default LongState vertexState(String name) {
        return vertexState(name, -1);
    }

    /**
     * A new state column that names a vertex for every vertex, by its ordinal; less than 0 is none.
     * Where people read it, in files, it is the original id of that vertex, or -1.
     */
    LongState vertexState(String name, long initial);

    /**
     * A new state column of ids, each as {@link Vertex#id} has them; less than 0 is none in a graph
     * whose original ids are texts. Where people read it, in files, there are original ids. Where
     * these are numbers it is a {@link #longState}.
     */
    default LongState idState(String name, long initial) {
        return longState(name, initial);
    }

    /**
     * A column that an earlier program left, that was published, or that is a property of the
     * graph's vertices.
     *
     * @throws InvalidInputException if the graph has no column of that name and type
     */
    IntState existingIntState(String name);

    /** The same with {@code long} values. */
    LongState existingLongState(String name);

    /** The same with ordinals of vertices: a {@link #vertexState}. */
    LongState existingVertexState(String name);

    /** The same with ids: an {@link #idState}. */
    default LongState existingIdState(String name) {
        return existingLongState(name);
    }

    /** The same with {@code float} values. */
    FloatState existingFloatState(String name);

    /** The same with {@code double} values. */
    DoubleState existingDoubleState(String name);

    /** The same with {@code boolean} values. */
    BooleanState existingBooleanState(String name);

    /**
     * Brings a column of another graph over: before the program starts, each vertex gets the value
     * that the vertex with the same id has there. What it gets is a state of this graph, to be
     * declared by {@code existing…State} with the column's type and behind this; it replaces an
     * older one, and stays as states do. Where the column names vertices ({@link #vertexState}),
     * the state has their ids, as {@code long}, or -1 for none.
     *
     * @param state name of the state
     * @param graph the other graph: one of the job, or one that is kept
     * @param column a state that a program has left there, a published column, or a property of
     *     vertices that is no string
     * @param otherwise for vertices that the other graph does not have, in each element; 0 or 1 if
     *     the column is {@code boolean}
     * @throws InvalidInputException when the program is about to run, if there is no such graph or
     *     column, it is of another type than the program has declared, or {@code otherwise} is no
     *     value of its type
     */
    void join(String state, String graph, String column, Number otherwise);

    /**
     * A column of the graph's edges: a property of numbers or booleans that they were made with, or
     * {@code weight}.
     *
     * @throws InvalidInputException if the graph has no such column
     */
    EdgeValues edgeValues(String name);

    /**
     * A property of the graph's vertices that is a string.
     *
     * @throws InvalidInputException if the graph has no such property
     */
    StringProperty stringProperty(String name);

    /**
     * A property of the graph's edges that is a string.
     *
     * @throws InvalidInputException if the graph has no such property
     */
    EdgeStringProperty edgeStringProperty(String name);

    /**
     * A new state column in which every vertex has so many elements, all of them 0; replaces an
     * older column of that name.
     *
     * @param length from 1 to {@value #MAX_VECTOR_LENGTH}
     */
    IntVectorState intVectorState(String name, int length);

    /** The same with {@code long} elements. */
    LongVectorState longVectorState(String name, int length);

    /** The same with {@code float} elements. */
    FloatVectorState floatVectorState(String name, int length);

    /** The same with {@code double} elements. */
    DoubleVectorState doubleVectorState(String name, int length);

    /**
     * A column of vectors that an earlier program left.
     *
     * @throws InvalidInputException if the graph has no column of that name, type and length
     */
    IntVectorState existingIntVectorState(String name, int length);

    /** The same with {@code long} elements. */
    LongVectorState existingLongVectorState(String name, int length);

    /** The same with {@code float} elements. */
    FloatVectorState existingFloatVectorState(String name, int length);

    /** The same with {@code double} elements. */
    DoubleVectorState existingDoubleVectorState(String name, int length);

    /** A channel of combined {@code int} messages; broadcasts go along outgoing edges. */
    default IntChannel intChannel(String name, IntCombiner combiner) {
        return intChannel(name, combiner, EdgeDirection.OUTGOING);
    }

    /** A channel of combined {@code int} messages. */
    IntChannel intChannel(String name, IntCombiner combiner, EdgeDirection broadcasts);

    /** A channel of combined {@code long} messages; broadcasts go along outgoing edges. */
    default LongChannel longChannel(String name, LongCombiner combiner) {
        return longChannel(name, combiner, EdgeDirection.OUTGOING);
    }

    /** A channel of combined {@code long} messages. */
    LongChannel longChannel(String name, LongCombiner combiner, EdgeDirection broadcasts);

    /** A channel of combined {@code float} messages; broadcasts go along outgoing edges. */
    default FloatChannel floatChannel(String name, FloatCombiner combiner) {
        return floatChannel(name, combiner, EdgeDirection.OUTGOING);
    }

    /** A channel of combined {@code float} messages. */
    FloatChannel floatChannel(String name, FloatCombiner combiner, EdgeDirection broadcasts);

    /** A channel of combined {@code double} messages; broadcasts go along outgoing edges. */
    default DoubleChannel doubleChannel(String name, DoubleCombiner combiner) {
        return doubleChannel(name, combiner, EdgeDirection.OUTGOING);
    }

    /** A channel of combined {@code double} messages. */
    DoubleChannel doubleChannel(String name, DoubleCombiner combiner, EdgeDirection broadcasts);

    /**
     * A channel whose messages carry nothing but their sender; broadcasts go along outgoing edges.
     */
    default VertexChannel vertexChannel(String name) {
        return vertexChannel(name, EdgeDirection.OUTGOING);
    }

    /** A channel whose messages carry nothing but their sender. */
    VertexChannel vertexChannel(String name, EdgeDirection broadcasts);

    /**
     * A channel of messages that are not combined. The run is forecast with one message along every
     * stored edge in a superstep.
     */
    default RecordChannel recordChannel(String name, RecordLayout layout) {
        return recordChannel(name, layout, graph().storedEdges());
    }

    /**
     * A channel of messages that are not combined.
     *
     * @param messages how many may wait for one superstep, in the whole graph: with so many the run
     *     is forecast, and refused if they do not fit into the memory of its peers
     */
    RecordChannel recordChannel(String name, RecordLayout layout, long messages);

    /** A published column, {@code initial} for those who have not published. */
    IntMirror intMirror(String name, int initial);

    /** A published column, {@code initial} for those who have not published. */
    LongMirror longMirror(String name, long initial);

    /** A published column, {@code initial} for those who have not published. */
    DoubleMirror doubleMirror(String name, double initial);

    /** A value per superstep made of contributions of all vertices. */
    LongAggregator longAggregator(String name, LongCombiner combiner);

    /** A value per superstep made of contributions of all vertices. */
    DoubleAggregator doubleAggregator(String name, DoubleCombiner combiner);

    /** Counts by bucket, summed over the whole run. */
    Histogram histogram(String name);

    /** A value set by the master between supersteps. */
    LongGlobal longGlobal(String name, long initial);

    /** A value set by the master between supersteps. */
    DoubleGlobal doubleGlobal(String name, double initial);

    /**
     * The phase of a program that has several, set by the master between supersteps. A run begins
     * with the first constant.
     */
    default <P extends Enum<P>> PhaseGlobal<P> phaseGlobal(String name, Class<P> phases) {
        return new PhaseGlobal<>(phases, longGlobal(name, 0));
    }

    /**
     * Lines for a file that {@link RunOptions#outputs()} names; where it names none, they are
     * dropped.
     */
    TextOutput textOutput(String name);

    /**
     * One object per node and run, built by the first worker that asks for it and shared by all
     * workers of the node. It must not be changed after it was built, except where it says that it
     * is safe for use by several threads.
     */
    <T> PerNode<T> perNode(String name, Supplier<T> build);

    /**
     * Rows of all vertices, for programs that look further than one edge. Rows of other peers'
     * shards are copied to this node before superstep 0 and count against its memory. Safe for use
     * by several threads.
     */
    Adjacency wholeGraph();

    /**
     * This program changes the graph: it may add and remove vertices and edges, for the next
     * superstep. The job has its own version of the graph from the first change on; a graph that is
     * kept or that other jobs use stays as it is. Such a program must be able to go on in new
     * instances ({@link Program#resumes}), since each change makes new ones, and writes no lines
     * ({@link #textOutput}).
     */
    Topology topology();

    /**
     * This program reads incoming edges: {@link Shard#incoming} or {@link Vertex#inDegree}. A
     * directed graph that was made without them ({@link BuildOptions#withoutIncoming}) is refused
     * before the run begins, as it is for channels that broadcast against edges or add floating
     * point numbers.
     */
    void needsIncomingEdges();

    /**
     * This program reads neighbours as numbers of 4 bytes ({@link Adjacency#copy}, {@link
     * Adjacency#address}), or keeps ordinals in as many. A graph whose neighbours take 8 is refused
     * before the run begins.
     */
    void needsNarrowNeighbours();

    /**
     * Only the vertices with these ids start; without this call, all do.
     *
     * @throws InvalidInputException if the graph has no vertex with such an id
     */
    void startAt(long... ids);

    /**
     * All vertices that are not settled compute in every superstep, until {@link Master#halt()}.
     */
    void alwaysActive();

    /**
     * The run takes about so many supersteps: so people can be told how long it goes on. It changes
     * nothing else.
     */
    default void expectSupersteps(long about) {}
}
