package org.starling.cli;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.UnknownNameException;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/**
 * Answers about graphs in which vertex {@code n} has edges of weight {@code n + 0.5} to the next
 * {@code n}, for vertices below ten; the greatest id of all has one to 0. Immutable.
 */
final class FakeQueries implements GraphQueries {
    private static final long GREATEST = -1;

    private final Set<String> graphs;
    private final boolean down;

    FakeQueries(Set<String> graphs, boolean down) {
        this.graphs = Set.copyOf(graphs);
        this.down = down;
    }

    @Override
    public Neighbours neighbours(
            String graph, long id, EdgeDirection direction, long offset, int limit) {
        check(graph, id);
        long count = id == GREATEST ? 1 : id;
        long first = id == GREATEST || direction == EdgeDirection.INCOMING ? 0 : id + 1;
        List<Long> ids =
                LongStream.range(first, first + count).skip(offset).limit(limit).boxed().toList();
        return new Neighbours(count, offset, ids, ids.stream().map(to -> id + 0.5f).toList());
    }

    @Override
    public VertexValue value(String graph, String column, long id) {
        check(graph, id);
        return switch (column) {
            case "rank" -> new VertexValue("double", id / 8.0);
            case "place" -> new VertexValue("float[2]", List.of(0.5, 1.5));
            case "parent" -> new VertexValue("vertex", null);
            default ->
                    throw new UnknownNameException(
                            "graph \"%s\" has no column \"%s\"".formatted(graph, column));
        };
    }

    @Override
    public VertexPath path(String graph, long from, long to, int maxVertices, Duration time) {
        check(graph, from);
        check(graph, to);
        if (maxVertices < 10) {
            return new VertexPath(List.of(), false, maxVertices);
        }
        return from > to
                ? new VertexPath(List.of(), true, 4)
                : new VertexPath(LongStream.rangeClosed(from, to).boxed().toList(), true, 7);
    }

    private void check(String graph, long id) {
        if (down) {
            throw new ClusterException("a part of the graph is being recovered");
        }
        if (!graphs.contains(graph)) {
            throw new UnknownNameException("no graph \"%s\" is kept".formatted(graph));
        }
        if (id > 9 || id < GREATEST) {
            throw new UnknownNameException("graph \"%s\" has no vertex %d".formatted(graph, id));
        }
    }
}
