package org.starling.compute.internal.group;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.compute.internal.run.MasterRun;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.store.StoreNode;

/**
 * What a run does to its graph, over all its attempts: nothing, unless its program changes the
 * topology.
 *
 * <p>Such a run begins with all states of the graph in a checkpoint. Each change makes a version of
 * the graph and a checkpoint of the run that belongs to it, both in one commit, and the run goes on
 * in new instances over the version, as behind a loss. Confined to the job's thread.
 */
final class ChangingRun {
    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final RecoveryLoop loop;
    private final Checkpoints checkpoints;
    private final VersionMaker versions;
    private final Map<String, KnownGraph> graphs;
    private final String name;

    /** The graph as it was; null as long as nothing has been done. */
    private @Nullable KnownGraph before;

    private VersionMaker.@Nullable Packed packed;
    private ProgramRunner.@Nullable Outcome done;

    ChangingRun(
            StoreNode store,
            Group group,
            Recovery recovery,
            RecoveryLoop loop,
            Checkpoints checkpoints,
            VersionMaker versions,
            Map<String, KnownGraph> graphs,
            String name) {
        this.store = store;
        this.group = group;
        this.recovery = recovery;
        this.loop = loop;
        this.checkpoints = checkpoints;
        this.versions = versions;
        this.graphs = graphs;
        this.name = name;
    }

    /** What the run has left, if it has ended and its graph only has to be attached. */
    ProgramRunner.@Nullable Outcome done() {
        return done;
    }

    /** Whether it is a run that may change its graph. */
    boolean hasBegun() {
        return before != null;
    }

    /** Whether the graph is of that name. */
    boolean isOf(String graph) {
        return name.equals(graph);
    }

    /** Whether what the run has left is in no checkpoint, and must be. */
    boolean mustSave() {
        return hasChanged() && done == null;
    }

    /** The graph as it was before the run, if that has changed it. */
    @Nullable KnownGraph before() {
        return before;
    }

    /** Whether the graph is not what it was. */
    boolean hasChanged() {
        KnownGraph was = before;
        return was != null && graph().chunk() != was.chunk();
    }

    /**
     * Goes to the version that a checkpoint is of, which a master of before may have made.
     *
     * @param from null for the start of the run
     */
    void goTo(@Nullable RunCheckpoint from) {
        if (from == null
                || !from.version().exists()
                || from.version().number() == graph().version().number()) {
            return;
        }
        begin();
        recovery.awaitOwner(Recovery.named(name), from.graphChunk());
        GraphDescriptor descriptor =
                DescriptorChunk.read(store.chunks(), from.graphChunk()).named(name);
        KnownGraph version = KnownGraph.version(descriptor, from.graphChunk(), from.version());
        graphs.put(name, version);
        recovery.locate(graphs, true);
        loop.restore(false);
    }

    /**
     * A run is about to begin.
     *
     * @throws InvalidInputException if it can't be had with changes of the topology
     */
    void prepare(MasterRun master, String program, boolean writes) {
        if (!master.changesTopology()) {
            return;
        }
        if (writes) {
            throw new InvalidInputException(
                    "program %s changes the graph, so it can't write lines while it runs; write its states when it has ended"
                            .formatted(program));
        }
        if (!master.joins().isEmpty()) {
            throw new InvalidInputException(
                    "program %s changes the graph, so it can't bring columns of others over; do that before, by graph.join"
                            .formatted(program));
        }
        if (graph().descriptor().textIds()) {
            throw new InvalidInputException(
                    "program %s changes the graph, and the ids of graph \"%s\" are texts, which can't go with changed vertices; load it with numbers as ids"
                            .formatted(program, name));
        }
        for (StoredProperty property : graph().descriptor().properties()) {
            if (property.isString() && !property.ofEdges()) {
                throw new InvalidInputException(
                        "program %s changes the graph, and graph \"%s\" has the property \"%s\" of strings, which can't go with changed vertices; make a graph without it"
                                .formatted(program, name, property.name()));
            }
            if (property.ofEdges()) {
                throw new InvalidInputException(
                        "program %s changes the graph, and edges of graph \"%s\" have the column \"%s\", which new edges would not have; make a graph without it"
                                .formatted(program, name, property.name()));
            }
        }
        if (!master.resumes()) {
            throw new JobFailedException(
                    "program %s changes the graph, so it must be able to go on in new instances, but says that it can't"
                            .formatted(program));
        }
        begin();
    }

    private void begin() {
        if (before == null) {
            checkpoints.secure(graph(), versions.states(name));
            before = graph();
            checkpoints.hold(before);
        }
    }

    /** The last superstep has asked for changes: makes the version, and the checkpoint. */
    void change(MasterRun master, long run, Checkpoints.RunPosition position) {
        if (master.hasBroadcasts()) {
            List<SuperstepReport> _ = ProgramRunner.reports(group, run, master::delivery);
            master.delivered();
        }
        Checkpoints.SavedRun saved = checkpoints.writeRun(master, run, position, graph());
        KnownGraph version = versions.change(graph(), run, master.supersteps());
        master.changed(version.version().firstAdded() < version.shards().vertices());
        checkpoints.changed(saved, master.state(), position, version);
        checkpoints.hold(graph());
        graphs.put(name, version);
    }

    /** The run with the older version has ended; everybody turns to the new one. */
    void turn() {
        loop.attach(graph(), true);
        checkpoints.holdOnly(before);
    }

    /** The last superstep is over, and the run has not ended yet. */
    void pack(long run) {
        packed = graph().version().gone() > 0 ? versions.pack(graph(), run) : null;
    }

    /** The run has ended. */
    void ended(ProgramRunner.Outcome outcome) {
        VersionMaker.Packed last = packed;
        if (last == null) {
            return;
        }
        checkpoints.hold(graph());
        graphs.put(name, last.graph());
        checkpoints.replaced(name, last.states());
        done = outcome;
        attachAnew();
    }

    /** Everybody has the graph as it is left. */
    void settle() {
        if (before != null) {
            checkpoints.settled(graph());
            before = null;
        }
    }

    /** The run has failed: the graph is what it was, from its next use on. */
    void rollBack() {
        if (hasChanged()) {
            checkpoints.hold(graph());
            graphs.put(name, Objects.requireNonNull(before));
        }
    }

    /** Lets all slaves attach the graph, and take its states out of checkpoints. */
    void attachAnew() {
        loop.attach(graph(), false);
        checkpoints.restoreStates(name);
    }

    private KnownGraph graph() {
        return Objects.requireNonNull(graphs.get(name));
    }
}
