package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.AskHeld;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.StoreNode;

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
                    store.names().register(DescriptorChunk.name(Attempt.job(term), name), chunk);
                });
        return graphs;
    }

    /**
     * Removes graphs of this job that are not in the progress, and those of jobs that have ended
     * but whose masters did not come to remove them; of those that are in the catalogue the name
     * alone. The slaves are those of before, whoever had to be asked.
     *
     * @param over whether a job has ended and nobody removes its graphs now
     * @param removal held by the one job here that removes graphs of others: ids of chunks that are
     *     gone may be those of a new graph
     */
    void removeOthers(Progress progress, LongPredicate over, Semaphore removal) {
        int[] slaves = group.slaves();
        boolean alsoOthers = removal.tryAcquire();
        try {
            if (alsoOthers) {
                endOthers(over);
                group.use(slaves);
            }
            for (Map.Entry<String, Long> entry : store.names().list().entrySet()) {
                Owned owned = Owned.of(entry.getKey()).orElse(null);
                boolean own = owned != null && owned.job() == Attempt.job(term);
                if (owned == null || (!own && !(alsoOthers && over.test(owned.job())))) {
                    continue;
                }
                if (kept.isKept(entry.getValue())) {
                    store.names().remove(owned.name());
                } else if (!own) {
                    remove(
                            owned,
                            entry.getValue(),
                            Attempt.term(owned.job(), Attempt.MAX_ATTEMPTS));
                } else if (!progress.graphs().containsKey(owned.graph())) {
                    remove(owned, entry.getValue(), term);
                }
            }
        } finally {
            if (alsoOthers) {
                removal.release();
            }
            group.use(slaves);
        }
    }

    /**
     * Ends jobs whose masters were lost before they could tell all peers: of what slaves have made
     * for these that are lost, too, only the others know.
     */
    private void endOthers(LongPredicate over) {
        group.use(
                store.membership().nodes().stream()
                        .filter(node -> node.role() == Role.PEER && node.computes())
                        .mapToInt(NodeInfo::id)
                        .toArray());
        Set<Long> held = new TreeSet<>();
        group.allQuietly(new AskHeld(), CLEANUP_TIMEOUT)
                .forEach(answer ->
                        answer.ifPresent(
                                numbers -> Arrays.stream(numbers.values()).forEach(held::add)));
        for (long job : held) {
            if (job != Attempt.job(term) && over.test(job)) {
                LOG.info("job {} has ended without its master", job);
                long last = Attempt.term(job, Attempt.MAX_ATTEMPTS);
                orphans.ask(new EndJob(last), CLEANUP_TIMEOUT, new ArrayList<>());
            }
        }
    }

    /**
     * Removes a graph that nobody needs: of one that is lost the name, so that no job ends of it.
     */
    private void remove(Owned owned, long chunk, long ownTerm) {
        boolean isThere = leadOwners(owned, chunk);
        if (ownTerm == term) {
            group.all(new Detach(term, owned.graph()));
        } else {
            orphans.ask(new EndJob(ownTerm), CLEANUP_TIMEOUT, new ArrayList<>());
        }
        if (isThere) {
            try {
                group.all(new RemoveGraph(term, chunk));
                store.chunks().remove(chunk);
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
     * @return false if nothing tells any more who that is
     */
    private boolean leadOwners(Owned owned, long chunk) {
        try {
            recovery.awaitOwnerToRemove(Recovery.named(owned.graph()), chunk);
            recovery.useOwners(DescriptorChunk.read(store.chunks(), chunk));
            return true;
        } catch (ChunkNotFoundException e) {
            LOG.info(
                    "of graph \"{}\" of job {} its name alone was left",
                    owned.graph(),
                    owned.job());
        } catch (DataLostException | JobFailedException lost) {
            warn(owned, lost);
        }
        return false;
    }

    private static void warn(Owned owned, RuntimeException why) {
        LOG.warn(
                "graph \"{}\" of job {} is forgotten, and what is left of it stays: {}",
                owned.graph(),
                owned.job(),
                why.getMessage());
    }

    private Manifest manifest(long chunk) {
        recovery.awaitOwner("a checkpoint", chunk);
        return ColumnChunks.manifest(store.chunks(), chunk);
    }
}
