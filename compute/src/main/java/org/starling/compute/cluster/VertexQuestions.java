package org.starling.compute.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexId;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/**
 * Questions about single vertices as people ask them: vertices are named as they are written, and
 * answers are JSON trees in which ids are numbers or texts, as the graph has them. Any thread.
 */
public interface VertexQuestions {
    /**
     * Neighbours of a vertex.
     *
     * @throws InvalidInputException if the question makes no sense, or what it names is not there
     */
    Map<String, @Nullable Object> neighbours(
            String graph, String vertex, EdgeDirection direction, long offset, int limit);

    /** What a column has for a vertex. */
    Map<String, @Nullable Object> value(String graph, String column, String vertex);

    /** A path with the fewest edges. */
    Map<String, @Nullable Object> path(
            String graph, String from, String to, int maxVertices, Duration time);

    /** Asks where vertices are named by numbers. */
    static VertexQuestions over(GraphQueries queries) {
        return new OverQueries(queries);
    }

    /** Turns what people write into numbers, and numbers into what they read. */
    record OverQueries(GraphQueries queries) implements VertexQuestions {
        @Override
        public Map<String, @Nullable Object> neighbours(
                String graph, String vertex, EdgeDirection direction, long offset, int limit) {
            long id = number(graph, "the vertex", vertex);
            Neighbours found = queries.neighbours(graph, id, direction, offset, limit);
            return QueryJson.tree(
                    graph, shown(graph, id, vertex), direction, found, shown(graph, found.ids()));
        }

        @Override
        public Map<String, @Nullable Object> value(String graph, String column, String vertex) {
            long id = number(graph, "the vertex", vertex);
            VertexValue found = queries.value(graph, column, id);
            return QueryJson.tree(graph, shown(graph, id, vertex), column, found);
        }

        @Override
        public Map<String, @Nullable Object> path(
                String graph, String from, String to, int maxVertices, Duration time) {
            long first = number(graph, "from", from);
            long last = number(graph, "to", to);
            VertexPath found = queries.path(graph, first, last, maxVertices, time);
            return QueryJson.tree(
                    graph,
                    shown(graph, first, from),
                    shown(graph, last, to),
                    found,
                    shown(graph, found.ids()));
        }

        private long number(String graph, String what, String vertex) {
            if (queries.hasTextIds(graph)) {
                return queries.numbers(graph, List.of(vertex))[0];
            }
            return QueryJson.id(vertex)
                    .orElseThrow(() ->
                            new InvalidInputException(
                                    "%s: expected an id, a whole number from 0 to 2^64 - 1, found \"%s\""
                                            .formatted(what, vertex)));
        }

        private Object shown(String graph, long id, String written) {
            return queries.hasTextIds(graph) ? written : VertexId.number(id);
        }

        private List<Object> shown(String graph, List<Long> ids) {
            return !ids.isEmpty() && queries.hasTextIds(graph)
                    ? List.copyOf(
                            queries.texts(graph, ids.stream().mapToLong(Long::longValue).toArray()))
                    : List.copyOf(QueryJson.numbers(ids));
        }
    }
}
