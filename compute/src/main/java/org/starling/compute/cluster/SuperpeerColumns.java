package org.starling.compute.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnService;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.internal.query.KeptColumns;
import org.starling.compute.internal.query.PointQueries.UnansweredException;
import org.starling.compute.script.UnknownNameException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Columns of kept graphs as a superpeer reads them from the store; what the store can't give is a
 * {@link ClusterException}. Any thread.
 */
final class SuperpeerColumns implements ColumnService {
    /** Within it the parts of a lost peer are with others. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KeptColumns kept;

    SuperpeerColumns(StoreNode store) {
        this.kept = new KeptColumns(store, PATIENCE);
    }

    @Override
    public ColumnTable open(String graph, List<String> columns) {
        return new Table(SuperpeerQueries.answered(() -> kept.open(graph, columns)));
    }

    @Override
    public ColumnTable openAll(String graph) {
        return new Table(SuperpeerQueries.answered(() -> kept.openAll(graph)));
    }

    private record Table(ColumnTable opened) implements ColumnTable {
        @Override
        public long vertices() {
            return opened.vertices();
        }

        @Override
        public ColumnField id() {
            return opened.id();
        }

        @Override
        public List<ColumnField> fields() {
            return opened.fields();
        }

        @Override
        public void read(long offset, long limit, Sink sink) throws IOException {
            try {
                opened.read(offset, limit, sink);
            } catch (StoreException | UnansweredException down) {
                throw new ClusterException(String.valueOf(down.getMessage()), down);
            } catch (UnknownNameException gone) { // it was there when it was opened
                throw new ClusterException(
                        "%s any more; it was dropped or renamed while it was read"
                                .formatted(gone.getMessage()),
                        gone);
            }
        }
    }
}
