package org.starling.compute.cluster;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.starling.compute.internal.query.KeptQueries;
import org.starling.compute.internal.query.PointQueries.UnansweredException;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** Questions about kept graphs as a superpeer passes them on to peers. Any thread. */
final class SuperpeerQueries implements GraphQueries {
    /** With the longest search for a path less than {@link ClusterClient} waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final KeptQueries kept;

    SuperpeerQueries(StoreNode store) {
        this.kept = new KeptQueries(store, PATIENCE);
    }

    @Override
    public Neighbours neighbours(
            String graph, long id, EdgeDirection direction, long offset, int limit) {
        return answered(() -> kept.neighbours(graph, id, direction, offset, limit));
    }

    @Override
    public VertexValue value(String graph, String column, long id) {
        return answered(() -> kept.value(graph, column, id));
    }

    @Override
    public VertexPath path(String graph, long from, long to, int maxVertices, Duration time) {
        return answered(() -> kept.path(graph, from, to, maxVertices, time));
    }

    @Override
    public boolean hasTextIds(String graph) {
        return answered(() -> kept.hasTextIds(graph));
    }

    @Override
    public long[] numbers(String graph, List<String> texts) {
        return answered(() -> kept.numbers(graph, texts));
    }

    @Override
    public List<String> texts(String graph, long[] numbers) {
        return answered(() -> kept.texts(graph, numbers));
    }

    static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (StoreException | UnansweredException down) {
            throw new ClusterException(String.valueOf(down.getMessage()), down);
        }
    }
}
