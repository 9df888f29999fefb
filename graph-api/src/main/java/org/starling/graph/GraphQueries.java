package org.starling.graph;

import java.time.Duration;
import java.util.List;

/**
 * Questions about single vertices. They read nothing but what they need, where it lies, and take
 * milliseconds beside whatever jobs run; a peer that is lost meanwhile is waited for. Vertices are
 * named by their original ids, or by the numbers that stand for them where these are texts.
 */
public interface GraphQueries {
    /** The most neighbours in one answer. */
    int MAX_NEIGHBOURS = 10_000;

    /** The most vertices that a search for a path may come to. */
    int MAX_PATH_VERTICES = 1_000_000;

    /** The longest time that a search for a path may take. */
    Duration MAX_PATH_TIME = Duration.ofSeconds(10);

    /**
     * Whether the original ids of a graph are texts.
     *
     * @throws InvalidInputException if there is no such graph
     */
    default boolean hasTextIds(String graph) {
        return false;
    }

    /**
     * The numbers that stand for ids that are texts, all found at once.
     *
     * @throws InvalidInputException if there is no such graph or vertex, or ids are numbers
     */
    default long[] numbers(String graph, List<String> texts) {
        throw new InvalidInputException("the ids of graph \"%s\" are numbers".formatted(graph));
    }

    /**
     * The texts that numbers stand for, all read at once.
     *
     * @throws InvalidInputException if there is no such graph, or ids are numbers
     */
    default List<String> texts(String graph, long[] numbers) {
        throw new InvalidInputException("the ids of graph \"%s\" are numbers".formatted(graph));
    }

    /**
     * Neighbours of a vertex, in the graph's own order: those with many edges come first.
     *
     * @param direction whether edges lead to them or come from them; in an undirected graph there
     *     is no difference
     * @param offset how many to leave out
     * @param limit the most to tell, 0 to {@link #MAX_NEIGHBOURS}
     * @throws InvalidInputException if there is no such graph or vertex, the direction is both, the
     *     graph was made without rows of incoming edges and they are asked for, or a program of
     *     this job has changed the graph
     */
    Neighbours neighbours(String graph, long id, EdgeDirection direction, long offset, int limit);

    /**
     * A vertex' value of a property, of a published column, or of a state that a program of this
     * job has left.
     *
     * @throws InvalidInputException if there is no such graph, column or vertex
     */
    VertexValue value(String graph, String column, long id);

    /**
     * A path with the fewest edges, whatever their weights; in a directed graph along their
     * directions. Of several such paths it is the first one when they are compared vertex by vertex
     * from the beginning, in the graph's own order: it depends on the graph alone.
     *
     * @param maxVertices most vertices to come to, 1 to {@link #MAX_PATH_VERTICES}
     * @param time how long to search at most, up to {@link #MAX_PATH_TIME}
     * @throws InvalidInputException if there is no such graph or vertex, or a program of this job
     *     has changed the graph
     */
    VertexPath path(String graph, long from, long to, int maxVertices, Duration time);
}
