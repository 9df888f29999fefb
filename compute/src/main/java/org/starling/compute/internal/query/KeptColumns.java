package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnService;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.PointMessage.ColumnAt;
import org.starling.graph.InvalidInputException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Columns of kept graphs, outside of jobs. The catalogue is read when they are opened, and again
 * behind every few megabytes that are read: what comes out was that graph's column all the time.
 * Any thread.
 */
public final class KeptColumns implements ColumnService {
    private final StoreNode store;
    private final Duration patience;
    private final CatalogueChunk catalogue;

    /** A column, and in which chunk the values of each shard lie. */
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Found(ColumnField field, StateType type, long[] chunkOfShard) {}

    /**
     * Columns of kept graphs of a node's cluster.
     *
     * @param patience how long to wait for parts whose peer was lost
     */
    public KeptColumns(StoreNode store, Duration patience) {
        this.store = store;
        this.patience = patience;
        this.catalogue = new CatalogueChunk(store);
    }

    @Override
    public ColumnTable openAll(String graph) {
        return open(graph, catalogue.read().require(graph).columnNames());
    }

    @Override
    public ColumnTable open(String name, List<String> columns) {
        if (columns.size() > MAX_COLUMNS) {
            throw new InvalidInputException(
                    "%d columns at once are more than the %d that are read together; name some"
                            .formatted(columns.size(), MAX_COLUMNS));
        }
        KeptGraph kept = catalogue.read().require(name);
        List<ColumnAt> places =
                columns.stream().map(column -> KeptQueries.locate(kept, column)).toList();
        store.chunks().awaitOwner(kept.descriptor(), patience);
        GraphDescriptor descriptor = DescriptorChunk.read(store.chunks(), kept.descriptor());
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            found.add(found(columns.get(i), places.get(i), descriptor));
        }
        Runnable check = () -> requireUnchanged(kept, columns, places);
        check.run();
        return new ColumnReader(
                store,
                patience,
                new OpenGraph(descriptor, store.chunks()),
                KeptQueries.asked(kept).at(),
                found,
                check);
    }

    private Found found(String name, ColumnAt at, GraphDescriptor descriptor) {
        StateType type = at.valueType();
        long[] chunks;
        if (at.property() >= 0) {
            chunks = descriptor.propertyChunks(at.property());
        } else {
            store.chunks().awaitOwner(at.manifest(), patience);
            chunks = ColumnChunks.manifest(store.chunks(), at.manifest()).chunks();
        }
        ColumnField.Kind kind = kind(type.element(), descriptor.textIds());
        return new Found(new ColumnField(name, kind, type.length()), type, chunks);
    }

    /** What values are outside, where those that name vertices are ids. */
    static ColumnField.Kind kind(ColumnType type, boolean textIds) {
        return switch (type) {
            case BOOLEAN -> ColumnField.Kind.BOOLEAN;
            case INT -> ColumnField.Kind.INT;
            case LONG -> ColumnField.Kind.LONG;
            case FLOAT -> ColumnField.Kind.FLOAT;
            case DOUBLE -> ColumnField.Kind.DOUBLE;
            case VERTEX, ID -> textIds ? ColumnField.Kind.NAME : ColumnField.Kind.VERTEX;
            case STRING -> ColumnField.Kind.STRING;
        };
    }

    private void requireUnchanged(KeptGraph before, List<String> columns, List<ColumnAt> places) {
        KeptGraph now = catalogue.read().require(before.name());
        boolean isSame = KeptQueries.asked(now).equals(KeptQueries.asked(before));
        for (int i = 0; isSame && i < places.size(); i++) {
            isSame = KeptQueries.locate(now, columns.get(i)).equals(places.get(i));
        }
        if (!isSame) {
            throw new StoreException(
                    "graph \"%s\" or one of its columns has been replaced while it was read; ask again"
                            .formatted(before.name()));
        }
    }
}
