package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.protocol.PointMessage.ColumnAt;
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
 * a graph is the one that has its name when the question is asked. A value, of a property or of a
 * published column, is answered only if its column was the same before and after it was read. Any
 * thread.
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
            KeptGraph before = require(graph);
            ColumnAt at = locate(before, column);
            try {
                VertexValue value = queries.value(() -> unchanged(before, column, at), id, at);
                unchanged(before, column, at);
                return named(before, at, value);
            } catch (ReplacedException changed) {
                if (tries == MAX_REPLACEMENTS) {
                    throw changed;
                }
            }
        }
    }

    /** Who reads a column of ids reads texts, if these are. */
    private VertexValue named(KeptGraph graph, ColumnAt column, VertexValue value) {
        return graph.hasTextIds()
                        && column.valueType().element().namesVertices()
                        && value.value() instanceof Number number
                ? new VertexValue(
                        value.type(),
                        texts(graph.name(), new long[] {number.longValue()}).getFirst())
                : value;
    }

    @Override
    public boolean hasTextIds(String graph) {
        return require(graph).hasTextIds();
    }

    @Override
    public long[] numbers(String graph, List<String> texts) {
        return hasTextIds(graph)
                ? queries.numbers(() -> asked(graph), texts)
                : GraphQueries.super.numbers(graph, texts);
    }

    @Override
    public List<String> texts(String graph, long[] numbers) {
        return hasTextIds(graph)
                ? queries.texts(() -> asked(graph), numbers)
                : GraphQueries.super.texts(graph, numbers);
    }

    /** A column that is replaced more often than this under one question is not read. */
    private static final int MAX_REPLACEMENTS = 10;

    private Asked unchanged(KeptGraph before, String column, ColumnAt at) {
        KeptGraph now = require(before.name());
        Asked asked = asked(now);
        if (!asked.equals(asked(before)) || !locate(now, column).equals(at)) {
            throw new ReplacedException(column);
        }
        return asked;
    }

    private Asked asked(String graph) {
        return asked(require(graph));
    }

    private KeptGraph require(String graph) {
        return catalogue.read().require(graph);
    }

    static Asked asked(KeptGraph graph) {
        long fingerprint =
                (long) Objects.hash(graph.created(), graph.origin()) << Integer.SIZE
                        | Integer.toUnsignedLong(
                                Objects.hash(graph.vertices(), graph.edges(), graph.zones()));
        return new Asked(graph.name(), new GraphAt(graph.descriptor(), fingerprint, ""));
    }

    static ColumnAt locate(KeptGraph graph, String column) {
        int property = StoredProperty.find(graph.properties(), column, false);
        if (property >= 0) {
            return ColumnAt.property(graph.properties().get(property).type(), property);
        }
        return graph.column(column)
                .map(found ->
                        ColumnAt.published(
                                found.type(),
                                found.manifest(),
                                Objects.hash(found.job(), found.task(), found.name())))
                .orElseThrow(() ->
                        new UnknownNameException(
                                noColumn(graph.name(), column, graph.columnNames())));
    }

    /** What is wrong where no column of vertices has a name. */
    public static String noColumn(String graph, String column, Collection<String> names) {
        return "graph \"%s\" has no column \"%s\" of vertices%s"
                .formatted(
                        graph,
                        column,
                        names.isEmpty() ? "; it has none at all" : NearestName.hint(column, names));
    }
}
