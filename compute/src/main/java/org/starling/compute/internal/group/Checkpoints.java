package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreStates;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveRun;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveStates;
import org.starling.compute.internal.protocol.RecoveryMessage.Saved;
import org.starling.compute.internal.run.Histograms;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.internal.run.MasterRunState;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.Durability;
import org.starling.store.StoreNode;

/**
 * How states can be had again after a loss: by checkpoints, and by doing again the runs since.
 *
 * <p>There are two views. What is true <em>now</em> is enough while this master lives: after the
 * loss of a slave, states are restored from it. What is <em>committed</em> is what a new master
 * gets: the view of the beginning of the task under way, because that task's driver begins anew
 * there. Chunks of checkpoints stay as long as one of the two needs them. Confined to the job's
 * thread.
 */
final class Checkpoints {
    private static final Logger LOG = LogManager.getLogger(Checkpoints.class);
    private static final Duration FORGET_TIMEOUT = Duration.ofSeconds(30);

    /** So many runs are done again at most; then states are checkpointed whatever the time. */
    private static final int MAX_REDO = 256;

    /** The first so many losses are told: what is committed has a bound, too. */
    private static final int MAX_EVENTS = 256;

    private final StoreNode store;
    private final Group group;
    private final OrphanedChunks orphans;
    private final long term;
    private final LongSupplier numbers;
    private final CheckpointPace pace;
    private final Map<String, KnownGraph> graphs;
    private final List<StatePart> parts = new ArrayList<>();
    private final List<RunRequest> redo = new ArrayList<>();

    /** States by graph that have changed since they were put into a checkpoint. */
    private final Map<String, SortedMap<String, StateType>> changed = new TreeMap<>();

    private final GoneStates gone = new GoneStates();

    /** Numbers of versions of graphs that slaves may have, or a failed run goes back to. */
    private final Set<Long> held = new TreeSet<>();

    private final List<RecoveryEvent> events = new ArrayList<>();

    /** Role of each lost node that is in no event yet, because the job has not gone on since. */
    private final SortedMap<Integer, String> owed = new TreeMap<>();

    private Progress committed = Progress.nothing();

    /** What may have been committed since: nobody has said so, nor that it has not. */
    private final List<Progress> doubtful = new ArrayList<>();

    private @Nullable CheckpointSink sink;
    private @Nullable RunCheckpoint inRun;
    private int lastSuperstep;

    /**
     * Where a run stands in its job.
     *
     * @param task the task
     * @param index number of the run in the task
     * @param request what was asked for
     * @param shards number of shards of the graph
     * @param histogramsBefore histograms up to where this attempt has begun
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record RunPosition(
            int task, int index, RunRequest request, int shards, long[] histogramsBefore) {}

    Checkpoints(
            StoreNode store,
            Group group,
            OrphanedChunks orphans,
            long term,
            LongSupplier numbers,
            Map<String, KnownGraph> graphs,
            CheckpointOptions options) {
        this.graphs = graphs;
        this.orphans = orphans;
        this.store = store;
        this.group = group;
        this.term = term;
        this.numbers = numbers;
        this.pace = new CheckpointPace(options, System::nanoTime);
    }

    /** A new job begins. */
    void begin(@Nullable CheckpointSink newSink) {
        sink = newSink;
        events.clear();
        owed.clear();
        committed = Progress.nothing();
        doubtful.clear();
        inRun = null;
    }

    /** Goes on from what an older master committed. */
    void resume(Progress progress) {
        committed = progress;
        doubtful.clear();
        inRun = progress.inRun();
        parts.clear();
        parts.addAll(progress.parts());
        redo.clear();
        redo.addAll(progress.redo());
        events.clear();
        events.addAll(progress.events());
        owed.clear();
        progress.members()
                .forEach((node, role) -> {
                    if (!group.isMember(node)) {
                        lost(node, role);
                    }
                });
        changed.clear();
        gone.forgetAll();
        forget();
    }

    // what happens

    /** A graph has been made, with these states that no run can make again. */
    void built(KnownGraph graph, SortedMap<String, StateType> states) {
        if (graph.isReplicated() && !states.isEmpty()) {
            changed.put(graph.name(), new TreeMap<>(states));
            saveStates();
        }
    }

    /** A run has ended and left these states. */
    void ran(KnownGraph graph, RunRequest request, SortedMap<String, StateType> states) {
        endRun();
        if (graph.isReplicated()) {
            gone.made(graph.name(), states.keySet());
            redo.add(request);
            changed.computeIfAbsent(graph.name(), _ -> new TreeMap<>()).putAll(states);
        }
    }

    /**
     * A run has been done again and left these states. The next checkpoint holds them, too: an
     * older master's run is not known here otherwise, and is not done again behind that.
     */
    void ranAgain(KnownGraph graph, SortedMap<String, StateType> states) {
        changed.computeIfAbsent(graph.name(), _ -> new TreeMap<>())
                .putAll(gone.without(graph.name(), states));
    }

    /**
     * A run has ended that would leave something else if it were done again. Its states go into a
     * checkpoint before anybody hears of its results; where a slave is lost meanwhile, the run is
     * as if it had never been.
     */
    void ranOnce(KnownGraph graph, RunRequest request, SortedMap<String, StateType> states) {
        endRun();
        if (!graph.isReplicated()) {
            return;
        }
        gone.made(graph.name(), states.keySet());
        changed.computeIfAbsent(graph.name(), _ -> new TreeMap<>()).putAll(states);
        try {
            saveStates();
        } catch (JobCancelledException | SlaveLostException e) {
            throw e;
        } catch (RuntimeException e) {
            if (RecoveryLoop.isOfStore(e) || group.findMissing() >= 0) {
                throw e;
            }
            throw new JobFailedException(
                    "program %s can't be repeated after a loss, as it combines values in the order in which they come or reads another graph, and what it left could not be put into a checkpoint: %s"
                            .formatted(request.program(), e.getMessage()),
                    e);
        }
    }

    private void endRun() {
        lastSuperstep = 0;
        if (sink == null && inRun != null) {
            inRun = null;
            forget();
        }
    }

    /**
     * Puts states into a checkpoint if one is due; when a slave is lost meanwhile they are as they
     * were.
     *
     * @return true
     */
    boolean saveIfDue() {
        forgetGone();
        if (redo.size() >= MAX_REDO) {
            saveStates();
        } else if (!redo.isEmpty() && pace.isDue() && isWorthwhile()) {
            unlessItFails(this::saveStates);
        }
        return true;
    }

    /**
     * A run is between two supersteps.
     *
     * @return whether there is another checkpoint of it now
     */
    boolean between(MasterRun master, long run, RunPosition position) {
        if (!master.resumes()) {
            return false;
        }
        int next = master.supersteps();
        lastSuperstep = next < lastSuperstep ? 0 : lastSuperstep;
        if (!pace.isDue(next - lastSuperstep) || !isWorthwhile()) {
            return false;
        }
        return saveNow(master, run, position);
    }

    /**
     * A run has failed, and with it has gone what it declared anew, older states of the same names,
     * too. Behind a loss they must not come back, nor may a checkpoint be asked for them; so what
     * is left is put into one, now or, if that fails, as soon as it can be.
     *
     * @param left all states that the graph still has
     */
    void failed(KnownGraph graph, SortedMap<String, StateType> left) {
        SortedMap<String, StateType> known = statesOf(graph.name());
        Set<String> lost = new TreeSet<>(known.keySet());
        lost.removeAll(left.keySet());
        if (lost.isEmpty()) {
            return;
        }
        gone.add(graph.name(), lost);
        changed.put(graph.name(), gone.without(graph.name(), known));
        forgetGone();
    }

    /**
     * Puts what is left of graphs, some of whose states are gone, into a checkpoint, so that
     * nothing brings those back.
     *
     * @return these graphs; none if there are none, or the checkpoint could not be made
     */
    Set<String> forgetGone() {
        Set<String> incomplete = gone.graphs();
        if (!incomplete.isEmpty()) {
            unlessItFails(this::saveStates);
        }
        return gone.graphs().isEmpty() ? incomplete : Set.of();
    }

    /** States of a graph that checkpoints have, or the next one is to have. */
    private SortedMap<String, StateType> statesOf(String graph) {
        SortedMap<String, StateType> known = new TreeMap<>();
        parts.stream()
                .filter(part -> part.graph().equals(graph))
                .forEach(part -> known.putAll(part.states()));
        known.putAll(changed.getOrDefault(graph, new TreeMap<>()));
        return known;
    }

    /** A graph has been dropped. */
    void dropped(String graph) {
        changed.remove(graph);
        gone.forget(graph);
        redo.removeIf(run -> run.graph().equals(graph));
        if (parts.removeIf(part -> part.graph().equals(graph))) {
            forget();
        }
    }

    // peers that join and leave

    /**
     * A run is between two supersteps and will go on in another attempt: what it knows is put into
     * a checkpoint.
     *
     * @return whether there is one; if not, the run must go on as it is
     */
    boolean saveNow(MasterRun master, long run, RunPosition position) {
        long number = inRun == null ? 0 : inRun.checkpoint();
        unlessItFails(() -> saveRun(master, run, position));
        lastSuperstep = master.supersteps();
        return inRun != null && inRun.checkpoint() != number;
    }

    /**
     * Puts all states into a checkpoint that are in none yet, so that no run has to be done again;
     * but not if a run is under way that uses one of them.
     *
     * @param graph graph of the run under way; empty if there is none
     * @param used states that it uses
     */
    void saveAll(String graph, Set<String> used) {
        SortedMap<String, StateType> ofGraph = changed.getOrDefault(graph, new TreeMap<>());
        if (!redo.isEmpty() && Collections.disjoint(ofGraph.keySet(), used)) {
            unlessItFails(this::saveStates);
        }
    }

    /** These copies of shards may be attached still. */
    void hold(List<MovedShard> moved) {
        moved.forEach(one -> held.add(one.number()));
    }

    /** Copies of shards that were held are not attached any more. */
    void release(List<MovedShard> moved) {
        moved.forEach(one -> held.remove(one.number()));
        forget();
    }

    // changes of the topology

    /** Where shards' parts of a run have been written. */
    record SavedRun(long checkpoint, Manifest manifest) {}

    /** A graph is about to change: all its states are put into a checkpoint. */
    void secure(KnownGraph graph, SortedMap<String, StateType> states) {
        if (!redo.isEmpty() || !states.isEmpty()) {
            changed.computeIfAbsent(graph.name(), _ -> new TreeMap<>()).putAll(states);
            saveStates();
        }
    }

    /** A version of a graph may be needed, with the copies of shards that it has been moved to. */
    void hold(KnownGraph graph) {
        hold(graph.moved());
        if (graph.version().exists()) {
            held.add(graph.version().number());
        }
    }

    /** Of versions that were held this one alone may be needed. */
    void holdOnly(@Nullable KnownGraph graph) {
        held.clear();
        if (graph != null) {
            hold(graph);
        }
        forget();
    }

    /** The topology has changed: the run goes on from here, over this version. */
    void changed(SavedRun saved, MasterRunState state, RunPosition position, KnownGraph version) {
        RunCheckpoint made = runCheckpoint(saved, state, position, version);
        if (version.isReplicated()) {
            commit(committed(made));
        }
        inRun = made;
    }

    /** A graph has other ordinals, and these states, with which no older ones go. */
    void replaced(String graph, @Nullable StatePart states) {
        changed.remove(graph);
        gone.forget(graph);
        parts.removeIf(part -> part.graph().equals(graph));
        if (states != null) {
            parts.add(states);
        }
    }

    /** A run that has changed its graph has ended, and everybody has what it left. */
    void settled(KnownGraph graph) {
        if (!graph.isReplicated()) {
            parts.removeIf(part -> part.graph().equals(graph.name()));
        }
        endRun();
        holdOnly(null);
    }

    /** Lets all slaves, who have just attached a graph, take its states out of checkpoints. */
    void restoreStates(String graph) {
        parts.stream().filter(part -> part.graph().equals(graph)).forEach(this::restore);
    }

    /** A task has ended: from here a new master goes on. */
    void commitTask(int next) {
        forgetGone();
        inRun = null;
        SortedMap<String, Long> chunks = new TreeMap<>();
        SortedMap<String, GraphVersion> versions = new TreeMap<>();
        SortedMap<String, List<StoredColumn>> kept = new TreeMap<>();
        for (KnownGraph graph : graphs.values()) {
            chunks.put(graph.name(), graph.chunk());
            if (graph.version().exists()) {
                versions.put(graph.name(), graph.version());
            }
            if (graph.kept()) {
                kept.put(graph.name(), graph.columns());
            }
        }
        commit(
                new Progress(
                        next,
                        chunks,
                        versions,
                        kept,
                        List.copyOf(parts),
                        List.copyOf(redo),
                        List.copyOf(events),
                        members(),
                        null));
        forget();
    }

    /** The job is over: nothing is needed any more. */
    void end() {
        parts.clear();
        redo.clear();
        changed.clear();
        gone.forgetAll();
        inRun = null;
        sink = null;
        committed = Progress.nothing();
        doubtful.clear();
        held.clear();
        forget();
    }

    /**
     * A node was lost; what is committed until {@link #survived} says that this is not told yet.
     */
    void lost(int node, String role) {
        if (events.stream().noneMatch(event -> event.node() == node)) {
            owed.put(node, role);
        }
    }

    /** The job goes on behind losses; of very many the first ones are told. */
    void survived(List<RecoveryEvent> survived) {
        int room = Math.clamp(MAX_EVENTS - events.size(), 0, survived.size());
        if (room < survived.size()) {
            LOG.warn("more than {} losses: the report tells of the first ones alone", MAX_EVENTS);
        }
        events.addAll(survived.subList(0, room));
        survived.forEach(event -> owed.remove(event.node()));
        commit(committed(inRun));
    }

    /** A master has begun, and should it be lost, another one must know with whom it worked. */
    void commitMembers() {
        commit(committed(inRun));
    }

    // what is asked

    /** Where this run can go on; null for its start. */
    @Nullable RunCheckpoint inRun(int task, int index, RunRequest request) {
        RunCheckpoint checkpoint = inRun;
        return checkpoint != null && checkpoint.isOf(task, index, request) ? checkpoint : null;
    }

    /** The middle of a run that a checkpoint holds; null if none does. */
    @Nullable RunCheckpoint inRun() {
        return inRun;
    }

    /** Runs to be done again, in this order, once {@link #restoreStates} is done. */
    List<RunRequest> redo() {
        return List.copyOf(redo);
    }

    /** Role of each lost node that is in no event yet. */
    SortedMap<Integer, String> owed() {
        return new TreeMap<>(owed);
    }

    /** Losses so far. */
    List<RecoveryEvent> events() {
        return List.copyOf(events);
    }

    /** True if a new master could need a graph. */
    boolean isCommitted(long descriptorChunk) {
        return committed.graphs().containsValue(descriptorChunk)
                || doubtful.stream().anyMatch(one -> one.graphs().containsValue(descriptorChunk));
    }

    /** Lets all slaves, who have just attached the graphs, take states out of checkpoints. */
    void restoreStates() {
        parts.forEach(this::restore);
    }

    private void restore(StatePart part) {
        group.all(
                new RestoreStates(
                        term,
                        part.checkpoint(),
                        part.graph(),
                        List.copyOf(part.states().keySet()),
                        List.copyOf(part.states().values()),
                        part.manifest().chunks()));
    }

    private boolean isWorthwhile() {
        return store.promised().compareTo(Durability.PROCESS) >= 0;
    }

    /** A checkpoint that cannot be made does not end the job; the next one may do better. */
    private void unlessItFails(Runnable save) {
        long start = pace.now();
        try {
            save.run();
        } catch (JobCancelledException | SlaveLostException e) {
            throw e;
        } catch (RuntimeException e) {
            if (group.findMissing() >= 0) {
                throw e;
            }
            LOG.warn("a checkpoint could not be made; the job goes on without it", e);
            forget();
        } finally {
            pace.made(start);
        }
    }

    /** All graphs or none: runs that are done again must find all states as they were. */
    private void saveStates() {
        List<StatePart> made = new ArrayList<>();
        for (var entry : changed.entrySet()) {
            if (entry.getValue().isEmpty()) {
                continue;
            }
            long checkpoint = numbers.getAsLong();
            List<String> names = List.copyOf(entry.getValue().keySet());
            KnownGraph graph = graphs.get(entry.getKey());
            boolean replicated = graph == null || graph.isReplicated(); // null: being built
            Manifest manifest = save(checkpoint, entry.getKey(), names, replicated);
            made.add(
                    new StatePart(
                            checkpoint, entry.getKey(), new TreeMap<>(entry.getValue()), manifest));
        }
        parts.removeIf(part -> gone.graphs().contains(part.graph())); // newer ones have all of it
        parts.addAll(made);
        redo.clear();
        changed.clear();
        gone.forgetAll();
        dropSuperseded();
        forget();
    }

    /**
     * Writes states into chunks.
     *
     * @param replicated whether they get backups, as the graph has
     */
    Manifest save(long checkpoint, String graph, List<String> states, boolean replicated) {
        return saveManifest(
                checkpoint, replicated, saveShards(checkpoint, graph, states, 0), new long[0]);
    }

    /**
     * The same without a manifest.
     *
     * @param shards number of shards, at least
     * @return for each shard the chunk of the first state; those of the others follow
     */
    long[] saveShards(long checkpoint, String graph, List<String> states, int shards) {
        long[] chunks = chunks(group.settled(_ -> new SaveStates(checkpoint, graph, states)));
        return Arrays.copyOf(chunks, Math.max(shards, chunks.length));
    }

    /**
     * What runs that would be done again have read is about to change: lets none of them be done
     * again while this master lives. A new one sees what they have seen ({@link Progress#kept}).
     */
    void settle() {
        if (!redo.isEmpty()) {
            saveStates();
        }
    }

    private void saveRun(MasterRun master, long run, RunPosition position) {
        KnownGraph graph = Objects.requireNonNull(graphs.get(position.request().graph()));
        SavedRun saved = writeRun(master, run, position, graph);
        RunCheckpoint made = runCheckpoint(saved, master.state(), position, graph);
        commit(committed(made));
        inRun = made;
        forget();
    }

    /** Lets slaves write what they know of a run into chunks. */
    SavedRun writeRun(MasterRun master, long run, RunPosition position, KnownGraph graph) {
        long checkpoint = numbers.getAsLong();
        int next = master.supersteps();
        List<Saved> saved =
                group.settled(slave -> new SaveRun(run, checkpoint, next, master.expected(slave)));
        List<long[]> histograms = new ArrayList<>();
        saved.forEach(part -> histograms.add(part.histograms()));
        histograms.add(position.histogramsBefore());
        long[] chunks = Arrays.copyOf(chunks(saved), position.shards());
        return new SavedRun(
                checkpoint,
                saveManifest(checkpoint, graph.isReplicated(), chunks, Histograms.sum(histograms)));
    }

    private static RunCheckpoint runCheckpoint(
            SavedRun saved, MasterRunState state, RunPosition position, KnownGraph graph) {
        boolean isVersion = graph.version().exists();
        return new RunCheckpoint(
                saved.checkpoint,
                position.task(),
                position.index(),
                position.request(),
                state,
                isVersion ? graph.chunk() : 0,
                graph.version(),
                saved.manifest);
    }

    /** Writes where chunks of a checkpoint are. */
    Manifest saveManifest(long checkpoint, boolean replicated, long[] chunks, long[] histograms) {
        long[] numbers = Manifest.numbers(chunks, histograms);
        SaveManifest command = new SaveManifest(checkpoint, replicated, numbers);
        long chunk = group.one(group.slaves()[0], command).values()[0];
        return new Manifest(chunk, chunks, histograms);
    }

    private static long[] chunks(List<Saved> saved) {
        int shards = 0;
        for (Saved part : saved) {
            for (int shard : part.shards()) {
                shards = Math.max(shards, shard + 1);
            }
        }
        long[] chunks = new long[shards];
        for (Saved part : saved) {
            for (int i = 0; i < part.shards().length; i++) {
                chunks[part.shards()[i]] = part.chunks()[i];
            }
        }
        return chunks;
    }

    /** A part of whose states newer ones exist is not needed. */
    private void dropSuperseded() {
        Map<String, Set<String>> newer = new TreeMap<>();
        List<StatePart> kept = new ArrayList<>();
        for (StatePart part : parts.reversed()) {
            Set<String> names = newer.computeIfAbsent(part.graph(), _ -> new HashSet<>());
            if (names.addAll(part.states().keySet())) {
                kept.add(0, part);
            }
        }
        parts.clear();
        parts.addAll(kept);
    }

    private Progress committed(@Nullable RunCheckpoint newInRun) {
        return new Progress(
                committed.task(),
                committed.graphs(),
                committed.versions(),
                committed.kept(),
                committed.parts(),
                committed.redo(),
                List.copyOf(events),
                members(),
                newInRun);
    }

    private SortedMap<Integer, String> members() {
        SortedMap<Integer, String> members = new TreeMap<>();
        for (int slave : group.slaves()) {
            members.put(slave, RecoveryEvent.SLAVE);
        }
        members.put(store.nodeId(), RecoveryEvent.MASTER);
        members.putAll(owed);
        return members;
    }

    private void commit(Progress progress) {
        CheckpointSink to = sink;
        if (to == null) {
            return;
        }
        doubtful.add(progress);
        if (!to.commit(progress.bytes())) {
            throw new JobCancelledException("another master leads this job now");
        }
        committed = progress;
        doubtful.clear();
    }

    /** Removes what neither view needs; what can't be removed now is later. */
    private void forget() {
        Set<Long> kept = needed();
        long[] numbersOf = kept.stream().mapToLong(Long::longValue).toArray();
        orphans.end(new KeepCheckpoints(term, numbersOf), FORGET_TIMEOUT, new ArrayList<>());
        orphans.removeCheckpoints(number -> !kept.contains(number));
    }

    private Set<Long> needed() {
        Set<Long> kept = new TreeSet<>();
        parts.forEach(part -> kept.add(part.checkpoint()));
        addNeeded(inRun, kept);
        addNeeded(committed, kept);
        doubtful.forEach(one -> addNeeded(one, kept));
        kept.addAll(held);
        for (KnownGraph graph : graphs.values()) {
            kept.add(graph.version().number());
            graph.moved().forEach(one -> kept.add(one.number()));
        }
        return kept;
    }

    private static void addNeeded(Progress progress, Set<Long> kept) {
        progress.parts().forEach(part -> kept.add(part.checkpoint()));
        progress.versions().values().forEach(version -> kept.add(version.number()));
        addNeeded(progress.inRun(), kept);
    }

    private static void addNeeded(@Nullable RunCheckpoint run, Set<Long> kept) {
        if (run != null) {
            kept.add(run.checkpoint());
            kept.add(run.version().number());
        }
    }
}
