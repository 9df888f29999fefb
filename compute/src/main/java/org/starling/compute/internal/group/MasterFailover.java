package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.function.LongPredicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;
import org.starling.store.UnservedException;

/**
 * What a new master does first: reads how far the job was, finds its graphs, and removes what older
 * masters left that was never committed. All of it can be done twice. Confined to the job's thread.
 */
final class MasterFailover {
    private static final Logger LOG = LogManager.getLogger(MasterFailover.class);
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(2);

    private final StoreNode store;
    private final Group group;
    private final KeptGraphs kept;
    private final long term;
    private final Recovery recovery;
    private final OrphanedChunks orphans;

    MasterFailover(
            StoreNode store,
            Group group,
            Recovery recovery,
            KeptGraphs kept,
            long term,
            OrphanedChunks orphans) {
        this.kept = kept;
        this.orphans = orphans;
        this.store = store;
        this.group = group;
        this.term = term;
        this.recovery = recovery;
    }

    /** The progress that was committed; empty bytes are the start of the job. */
    Progress read(byte[] progress) {
        return progress.length == 0 ? Progress.nothing() : Progress.of(progress, this::manifest);
    }

    /** The graphs of the progress, whoever owns them. */
    Map<String, KnownGraph> graphs(Progress progress) {
        Map<String, KnownGraph> graphs = new TreeMap<>();
        progress.graphs()
                .forEach((name, chunk) -> {
                    recovery.awaitOwner(Recovery.named(name), chunk);
                    List<StoredColumn> columns = progress.kept().get(name);
                    if (columns != null || kept.isKept(chunk)) {
                        graphs.put(
                                name,
                                kept.known(name, chunk, columns == null ? List.of() : columns));
                        return;
                    }
                    GraphDescriptor descriptor = DescriptorChunk.read(store.chunks(), chunk);
                    GraphVersion version = progress.versions().get(name);
                    if (version != null) {
                        graphs.put(
                                name, KnownGraph.version(descriptor.named(name), chunk, version));
                        return;
                    }
                    graphs.put(name, KnownGraph.of(descriptor, chunk));
                    store.names().register(new Owned(Attempt.job(term), chunk).name(), chunk);
                });
        return graphs;
    }

    /**
     * Removes graphs of this job that are not in the progress, and all that jobs have left that
     * have ended but whose masters did not come to remove it; of graphs that are in the catalogue
     * the name alone. The slaves are those of before, whoever had to be asked.
     *
     * @param over whether a job has ended and nobody removes what it has left now
     * @param removal held by the one job here that removes what others have left: ids of chunks
     *     that are gone may be those of a new graph
     */
    void removeOthers(Progress progress, LongPredicate over, Semaphore removal) {
        int[] slaves = group.slaves();
        boolean alsoOthers = removal.tryAcquire();
        try {
            Map<String, Long> names = store.names().list(Owned.PREFIX);
            graphsOf(Attempt.job(term), names).stream()
                    .filter(owned ->
                            kept.isKept(owned.chunk())
                                    || !progress.graphs().containsValue(owned.chunk()))
                    .forEach(owned -> {
                        group.use(slaves);
                        remove(owned);
                    });
            if (alsoOthers) {
                jobs(names).stream()
                        .filter(job -> job != Attempt.job(term) && over.test(job))
                        .forEach(job -> removeAllOf(job, names));
            }
        } finally {
            if (alsoOthers) {
                removal.release();
            }
            group.use(slaves);
        }
    }

    private static List<Owned> graphsOf(long job, Map<String, Long> names) {
        return names.keySet().stream()
                .map(Owned::of)
                .flatMap(Optional::stream)
                .filter(owned -> owned.job() == job)
                .toList();
    }

    private static Set<Long> jobs(Map<String, Long> names) {
        Set<Long> jobs = new TreeSet<>();
        for (String name : names.keySet()) {
            Owned.of(name).ifPresent(owned -> jobs.add(owned.job()));
            MadeRecord.of(name).ifPresent(made -> jobs.add(made.job()));
        }
        return jobs;
    }

    /** Ends a job on all peers, and removes what it has left. */
    private void removeAllOf(long job, Map<String, Long> names) {
        LOG.info("job {} has ended without its master", job);
        group.use(store.membership().computingPeers().stream().mapToInt(NodeInfo::id).toArray());
        EndJob last = new EndJob(Attempt.term(job, Attempt.MAX_ATTEMPTS));
        orphans.end(last, CLEANUP_TIMEOUT, new ArrayList<>());
        try {
            graphsOf(job, names).forEach(this::remove);
        } catch (UnservedException e) {
            if (group.findMissing() >= 0) {
                throw e;
            }
            LOG.info("a later master removes what job {} has left: {}", job, e.getMessage());
            return;
        }
        orphans.stands(job, kept.allManifests());
        orphans.removeOf(job);
    }

    /**
     * Removes a graph that nobody needs: of one that is lost or in the catalogue the name, so that
     * no job ends of it. What can't be reached for now is tried again with all else that the job
     * needs.
     */
    private void remove(Owned owned) {
        Optional<GraphDescriptor> graph =
                kept.isKept(owned.chunk()) ? Optional.empty() : leadOwners(owned);
        if (graph.isPresent()) {
            if (owned.job() == Attempt.job(term)) {
                group.all(new Detach(term, graph.get().name()));
            }
            try {
                group.all(new RemoveGraph(term, owned.chunk()));
                store.chunks().remove(owned.chunk());
            } catch (ChunkNotFoundException | DataLostException | JobFailedException e) {
                if (group.findMissing() >= 0) {
                    throw e; // it is tried again behind the loss
                }
                warn(owned, e);
            }
        }
        store.names().remove(owned.name());
    }

    /**
     * Leads whoever owns rows of a graph, too.
     *
     * @return its descriptor; nothing if that is not there any more
     */
    private Optional<GraphDescriptor> leadOwners(Owned owned) {
        try {
            recovery.awaitOwnerToRemove("a graph of job " + owned.job(), owned.chunk());
            Optional<GraphDescriptor> graph = find(store.chunks(), owned);
            if (graph.isPresent()) {
                orphans.stands(owned.job(), graph.get().number());
                recovery.useOwners(graph.get());
            } else {
                LOG.info("of a graph of job {} its name alone was left", owned.job());
            }
            return graph;
        } catch (ChunkNotFoundException e) {
            LOG.info("of a graph of job {} its name alone was left", owned.job());
        } catch (DataLostException | JobFailedException lost) {
            warn(owned, lost);
        }
        return Optional.empty();
    }

    /** A graph's descriptor, if the chunk is not another one's by now. */
    static Optional<GraphDescriptor> find(ChunkService chunks, Owned owned) {
        return DescriptorChunk.find(chunks, owned.chunk())
                .filter(graph -> Attempt.job(Attempt.term(graph.number())) == owned.job());
    }

    private static void warn(Owned owned, RuntimeException why) {
        LOG.warn(
                "a graph of job {} is forgotten, and what is left of it stays: {}",
                owned.job(),
                why.getMessage());
    }

    private Manifest manifest(long chunk) {
        recovery.awaitOwner("a checkpoint", chunk);
        return ColumnChunks.manifest(store.chunks(), chunk);
    }
}
