package org.starling.compute.internal.group;

import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.catalogue.Catalogue;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.CatalogueUsers;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.catalogue.Leaving;
import org.starling.compute.internal.catalogue.LeavingChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * A job's part in the catalogue: says that it uses graphs, adds and drops them, publishes columns.
 * Every step can be done again after a loss of a peer or of the master and then changes nothing
 * more; what it tells others stands in the catalogue before it is done, so that whoever comes later
 * can end it. Confined to the job's thread.
 */
final class KeptGraphs {
    private static final Logger LOG = LogManager.getLogger(KeptGraphs.class);

    /** How long after a loss who makes what is to stay waits for the peers. */
    private static final Duration PEERS_PATIENCE = Duration.ofSeconds(30);

    /** How long a job's end waits for backups, to say what the next job's end says as well. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(5);

    private final StoreNode store;
    private final CatalogueChunk catalogue;
    private final LeavingChunks leaving;
    private final CatalogueUsers users;
    private final InstantSource clock;

    /** The job; 0 if the master has none, because it is no cluster's. */
    private final long job;

    /** Whether the catalogue names the job. */
    private boolean noted;

    /**
     * The kept graphs of a job.
     *
     * @param clock for people who ask when a graph was made
     */
    KeptGraphs(StoreNode store, long job, InstantSource clock) {
        this.store = store;
        this.catalogue = new CatalogueChunk(store);
        this.leaving = new LeavingChunks(store, catalogue);
        this.users = new CatalogueUsers(store);
        this.clock = clock;
        this.job = job;
    }

    /** Names of all kept graphs. */
    List<String> names() {
        return catalogue.read().names();
    }

    /**
     * Uses a graph, if there is one of that name. Behind a loss the catalogue knows of that
     * already, and nothing is written, for which there might be too few backups.
     */
    Optional<KnownGraph> use(String name) {
        Catalogue value = catalogue.change(before -> before.replace(name, this::used));
        Optional<KeptGraph> found = value.find(name);
        noted |= found.isPresent() && job != 0;
        return found.map(this::known);
    }

    private KeptGraph used(KeptGraph graph) {
        return job == 0 || graph.users().contains(job) ? graph : graph.usedBy(job, now());
    }

    /**
     * What a task that is done again made before it was lost.
     *
     * @throws InvalidInputException if there is a graph of that name that it did not make
     */
    Optional<BuildResult> madeBefore(String name, int task) {
        Optional<KeptGraph> found = catalogue.read().find(name);
        if (found.isPresent() && !found.get().isMadeBy(job, task)) {
            throw new InvalidInputException(
                    "graph \"%s\" is kept already; drop it first or take another name"
                            .formatted(name));
        }
        return found.map(graph -> {
            GraphInfo info =
                    DescriptorChunk.read(store.chunks(), graph.descriptor()).named(name).info();
            KeptGraph.Origin made = graph.origin();
            return new BuildResult(
                    info,
                    made.selfLoops(),
                    made.duplicates(),
                    made.readSeconds(),
                    made.constructionSeconds());
        });
    }

    /** Whether a graph of the job is in the catalogue, under whatever name. */
    boolean isKept(long descriptor) {
        Catalogue value = catalogue.read();
        return value.of(descriptor).isPresent()
                || value.leaving().stream().anyMatch(one -> one.descriptor() == descriptor);
    }

    /**
     * The durability that a graph made now can have. A job of a cluster waits for peers that were
     * lost a moment ago: what it makes meanwhile would be lost with the next one, and could not be
     * kept.
     */
    Durability promised() {
        return job == 0 ? store.promised() : store.awaitPromised(PEERS_PATIENCE);
    }

    /**
     * Checks that what is kept stays.
     *
     * @throws JobFailedException if the cluster can't promise that, or could not when the graph was
     *     made
     */
    void requireDurable(KnownGraph graph) {
        if (job == 0) {
            return;
        }
        if (promised() != Durability.POWER) {
            throw new JobFailedException(
                    "graph \"%s\" can't be kept: %s".formatted(graph.name(), store.promise()));
        }
        if (!graph.isReplicated()) {
            throw new JobFailedException(
                    "graph \"%s\" can't be kept: it has no backups, for too few peers were up when it was made; make it anew"
                            .formatted(graph.name()));
        }
    }

    /**
     * Adds a graph, all of which is on disks; the job is its first user.
     *
     * @param bytes memory of its rows and ids
     * @param made what building it told; null if that is not known
     */
    void add(KnownGraph graph, long bytes, int task, @Nullable BuildResult made) {
        GraphInfo info = graph.descriptor().info();
        String now = now();
        KeptGraph.Origin origin =
                made == null
                        ? new KeptGraph.Origin(job, task, 0, 0, 0, 0)
                        : new KeptGraph.Origin(
                                job,
                                task,
                                made.skippedSelfLoops(),
                                made.skippedDuplicates(),
                                made.readSeconds(),
                                made.constructionSeconds());
        KeptGraph entry =
                new KeptGraph(
                        info.name(),
                        graph.chunk(),
                        info.vertices(),
                        info.edges(),
                        info.directed(),
                        info.weighted(),
                        bytes,
                        zones(graph),
                        graph.descriptor().properties(),
                        List.of(),
                        now,
                        now,
                        origin,
                        job == 0 ? List.of() : List.of(job),
                        info.textIds() ? true : null);
        catalogue.change(
                before -> before.of(graph.chunk()).isPresent() ? before : before.add(entry));
        noted |= job != 0;
    }

    /** Takes a graph out; its chunks stay until {@link #removeLeft}. */
    void drop(KnownGraph graph) {
        long token = token();
        catalogue.change(before -> {
            Optional<KeptGraph> entry = before.of(graph.chunk());
            if (entry.isEmpty()) {
                return before; // done before
            }
            users.requireNoOther(entry.get(), job, "dropped");
            return before.drop(entry.get().name(), Leaving.of(token, job, entry.get()));
        });
        noted |= job != 0;
    }

    /** The published column of a graph, if there is one of that name. */
    Optional<KeptColumn> column(KnownGraph graph, String name) {
        return entry(catalogue.read(), graph).column(name);
    }

    /** Whether this task has published a column, before it was begun again. */
    boolean isPublishedBy(KeptColumn column, int task) {
        return job != 0 && column.job() == job && column.task() == task;
    }

    /** Says that a column is being written, so that it goes if it does not become one. */
    long intend(long manifest) {
        long token = token();
        catalogue.change(before -> before.leave(Leaving.of(token, job, manifest)));
        noted |= job != 0;
        return token;
    }

    /**
     * Manifests of all columns that the catalogue leads to, those that leave among them; none if it
     * has nothing of this job.
     */
    List<Long> manifests() {
        return noted ? allManifests() : List.of();
    }

    /** The same, whatever it has of this job. */
    List<Long> allManifests() {
        Catalogue value = catalogue.read();
        List<Long> manifests = new ArrayList<>();
        value.graphs()
                .forEach(graph ->
                        graph.columns().forEach(column -> manifests.add(column.manifest())));
        value.leaving().forEach(one -> manifests.addAll(one.manifests()));
        return manifests;
    }

    /**
     * Lets what was intended be a column.
     *
     * @param token of the intention
     * @param replace whether it may take the place of another one
     */
    KeptColumn publish(KnownGraph graph, KeptColumn column, long token, boolean replace) {
        long olderToken = token();
        catalogue.change(before -> {
            KeptGraph entry = entry(before, graph);
            Optional<KeptColumn> older = entry.column(column.name());
            if (older.equals(Optional.of(column))) {
                return before; // done before
            }
            if (before.leaving().stream().noneMatch(one -> one.token() == token)) {
                throw new JobCancelledException("the job has ended without this master");
            }
            Catalogue after = before.stay(one -> one.token() == token);
            if (older.isPresent()) {
                requireReplace(entry, column.name(), replace);
                after = after.leave(Leaving.of(olderToken, job, older.get().manifest()));
            }
            return after.replace(entry.name(), one -> one.with(column));
        });
        return column;
    }

    /**
     * Checks that a column may take another one's place.
     *
     * @throws InvalidInputException if not
     */
    void requireReplace(KeptGraph graph, String column, boolean replace) {
        if (!replace) {
            throw new InvalidInputException(
                    "graph \"%s\" has a column \"%s\" already; take another name, or say \"replace\": true"
                            .formatted(graph.name(), column));
        }
        users.requireNoOther(graph, job, "given another column \"" + column + "\"");
    }

    /** The entry of a graph that the job uses. */
    KeptGraph entry(KnownGraph graph) {
        return entry(catalogue.read(), graph);
    }

    /** A column that a task of this job makes. */
    KeptColumn made(String name, StateType type, long manifest, int task) {
        return new KeptColumn(name, type, manifest, job, task);
    }

    /** Removes what the job has dropped, now that no master can need it; or leaves it to others. */
    void removeLeft(Predicate<Leaving> which) {
        if (!noted && job != 0) {
            return;
        }
        try {
            leaving.remove(one -> one.job() == job && which.test(one));
        } catch (StoreException down) {
            LOG.warn("what job {} has dropped is removed later: {}", job, down.getMessage());
        }
    }

    /** An older master of the job has been here. */
    void resume(boolean used) {
        noted = used || (job != 0 && hasLeft(catalogue.read()));
    }

    /**
     * The job is over: it uses nothing any more, and what it has not ended goes. If the catalogue
     * can't be changed now, both are left to others.
     */
    void end() {
        if (!noted) {
            return;
        }
        try {
            new CatalogueChunk(store, END_PATIENCE).change(before -> users.without(before, job));
            leaving.remove(one -> one.job() == job || !users.isRunning(one.job()));
        } catch (StoreException down) {
            LOG.warn("the catalogue names job {} behind its end: {}", job, down.getMessage());
        }
        noted = false;
    }

    /** A graph of the catalogue as a job sees it. */
    KnownGraph known(KeptGraph graph) {
        List<StoredColumn> columns = new ArrayList<>();
        for (KeptColumn column : graph.columns()) {
            columns.add(new StoredColumn(column.name(), column.type(), column.manifest()));
        }
        return known(graph.name(), graph.descriptor(), columns);
    }

    /** A kept graph under its name in the job. */
    KnownGraph known(String name, long descriptor, List<StoredColumn> columns) {
        GraphDescriptor read = DescriptorChunk.read(store.chunks(), descriptor);
        return KnownGraph.kept(read.named(name).withoutOwners(), descriptor, columns);
    }

    private boolean hasLeft(Catalogue value) {
        return value.leaving().stream().anyMatch(one -> one.job() == job);
    }

    private static KeptGraph entry(Catalogue value, KnownGraph graph) {
        return value.of(graph.chunk())
                .orElseThrow(() ->
                        new InvalidInputException(
                                "graph \"%s\" is not kept any more".formatted(graph.name())));
    }

    /** Of the graph as it was built: copies that shards have moved to go with the job. */
    private List<Long> zones(KnownGraph graph) {
        return graph.moved().isEmpty()
                ? graph.descriptor().zones()
                : DescriptorChunk.read(store.chunks(), graph.chunk()).zones();
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static long token() {
        return ThreadLocalRandom.current().nextLong();
    }
}
