package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.compute.internal.protocol.RecoveryMessage.ReleaseCheckpoint;
import org.starling.compute.internal.protocol.RecoveryMessage.SetColumns;
import org.starling.graph.InvalidInputException;

/**
 * Writes a state as a column of a kept graph: into chunks of a checkpoint that nobody goes back to,
 * which then change hands from the slaves to the catalogue. Until they are a column they stand in
 * the catalogue as something that leaves, so that they go if this master is lost. Confined to the
 * job's thread.
 */
final class ColumnPublisher {
    private final Group group;
    private final long term;
    private final KeptGraphs kept;
    private final Checkpoints checkpoints;
    private final OrphanedChunks orphans;
    private final Map<String, KnownGraph> graphs;
    private final LongSupplier numbers;

    /**
     * What the task under way has published here. What the catalogue says it has published, and is
     * not here, an earlier master has.
     */
    private final Set<Published> published = new HashSet<>();

    private record Published(long graph, String column) {}

    /**
     * A publisher of one master.
     *
     * @param graphs the session's; their columns are replaced
     */
    ColumnPublisher(
            Group group,
            long term,
            KeptGraphs kept,
            Checkpoints checkpoints,
            OrphanedChunks orphans,
            Map<String, KnownGraph> graphs,
            LongSupplier numbers) {
        this.group = group;
        this.term = term;
        this.kept = kept;
        this.checkpoints = checkpoints;
        this.orphans = orphans;
        this.graphs = graphs;
        this.numbers = numbers;
    }

    /**
     * Leaves what the catalogue says is on its way out to who removes it there: what two remove is
     * removed once too often. To be called before any checkpoint is forgotten behind a loss.
     */
    void release() {
        orphans.stands(Attempt.job(term), kept.manifests());
    }

    /** Publishes; can be done again by the same task behind a loss. */
    void publish(KnownGraph graph, String state, String as, boolean replace, int task) {
        release();
        Optional<KeptColumn> older = kept.column(graph, as);
        if (older.isPresent() && !kept.isPublishedBy(older.get(), task)) {
            kept.requireReplace(kept.entry(graph), as, replace);
            checkpoints.settle();
        }
        boolean done = older.isPresent() && kept.isPublishedBy(older.get(), task);
        Published one = new Published(graph.chunk(), as);
        if (done && published.contains(one)) {
            throw new InvalidInputException(
                    "column \"%s\" of graph \"%s\" has been published by this task already; publish it once in a task"
                            .formatted(as, graph.name()));
        }
        show(graph, done ? older.get() : write(graph, state, as, replace, task));
        published.add(one);
    }

    /** A task begins, which can publish each column once. */
    void beginTask() {
        published.clear();
    }

    private KeptColumn write(KnownGraph graph, String state, String as, boolean replace, int task) {
        StateType type = type(graph, state);
        long checkpoint = numbers.getAsLong();
        Manifest manifest =
                checkpoints.save(checkpoint, graph.name(), List.of(state), graph.isReplicated());
        long token = kept.intend(manifest.chunk());
        orphans.stands(Attempt.job(term), List.of(manifest.chunk()));
        group.all(new ReleaseCheckpoint(term, checkpoint));
        return kept.publish(graph, kept.made(as, type, manifest.chunk(), task), token, replace);
    }

    private StateType type(KnownGraph graph, String state) {
        ReadVertices command = new ReadVertices(term, graph.name(), state, 0, 0);
        VertexValues values = group.one(graph.shards().owner(0), command);
        return Objects.requireNonNull(values.valueType());
    }

    /** Lets this job see the column. */
    private void show(KnownGraph graph, KeptColumn column) {
        List<StoredColumn> columns = new ArrayList<>(graph.columns());
        columns.removeIf(one -> one.name().equals(column.name()));
        columns.add(new StoredColumn(column.name(), column.type(), column.manifest()));
        graphs.put(graph.name(), graph.keptWith(List.copyOf(columns)));
        group.all(new SetColumns(term, graph.name(), columns));
    }
}
