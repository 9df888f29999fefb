package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.query.PointQueries.Asked;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.UnknownNameException;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Questions about single vertices of kept graphs, outside of jobs. The catalogue is read for each:
 * a graph is the one that has its name when the question is asked. A value is answered only if its
 * column was the same before and after it was read. Any thread.
 */
public final class KeptQueries implements GraphQueries {
    private final CatalogueChunk catalogue;
    private final PointQueries queries;

    /** A vertex was asked for a column that is not the same any more. */
    private static final class ReplacedException extends StoreException {
        private static final long serialVersionUID = 1L;

        private ReplacedException(String column) {
            super("column \"%s\" is being replaced; ask again".formatted(column));
        }
    }

    /**
     * Asks about kept graphs of a node's cluster.
     *
     * @param patience how long to wait for an answer
     */
    public KeptQueries(StoreNode store, Duration patience) {
        this.catalogue = new CatalogueChunk(store);
        this.queries = new PointQueries(store, patience);
    }

    @Override
    public Neighbours neighbours(
            String graph, long id, EdgeDirection direction, long offset, int limit) {
        return queries.neighbours(() -> asked(graph), id, direction, offset, limit);
    }

    @Override
    public VertexPath path(String graph, long from, long to, int maxVertices, Duration time) {
        return queries.path(() -> asked(graph), from, to, maxVertices, time);
    }

    @Override
    public VertexValue value(String graph, String column, long id) {
        for (int tries = 1; ; tries++) {
            KeptColumn before = column(require(graph), column);
            try {
                VertexValue value =
                        queries.value(
                                () -> unchanged(graph, before),
                                id,
                                before.type(),
                                before.manifest(),
                                Objects.hash(before.job(), before.task(), before.name()));
                unchanged(graph, before);
                return value;
            } catch (ReplacedException changed) {
                if (tries == MAX_REPLACEMENTS) {
                    throw changed;
                }
            }
        }
    }

    /** A column that is replaced more often than this under one question is not read. */
    private static final int MAX_REPLACEMENTS = 10;

    private Asked unchanged(String graph, KeptColumn before) {
        KeptGraph now = require(graph);
        if (!now.column(before.name()).equals(Optional.of(before))) {
            throw new ReplacedException(before.name());
        }
        return asked(now);
    }

    private Asked asked(String graph) {
        return asked(require(graph));
    }

    private KeptGraph require(String graph) {
        return catalogue.read().require(graph);
    }

    private static Asked asked(KeptGraph graph) {
        long fingerprint =
                (long) Objects.hash(graph.created(), graph.origin()) << Integer.SIZE
                        | Integer.toUnsignedLong(
                                Objects.hash(graph.vertices(), graph.edges(), graph.zones()));
        return new Asked(graph.name(), new GraphAt(graph.descriptor(), fingerprint, ""));
    }

    private static KeptColumn column(KeptGraph graph, String column) {
        List<String> names = graph.columns().stream().map(KeptColumn::name).toList();
        return graph.column(column)
                .orElseThrow(() ->
                        new UnknownNameException(
                                "graph \"%s\" has no column \"%s\"%s"
                                        .formatted(
                                                graph.name(),
                                                column,
                                                names.isEmpty()
                                                        ? "; it has none at all"
                                                        : NearestName.hint(column, names))));
    }
}
