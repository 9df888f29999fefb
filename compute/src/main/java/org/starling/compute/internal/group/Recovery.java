package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.JobListener;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Makes a group whole after a loss: waits until the cluster has decided who is lost, and finds out
 * who owns each shard now. Works from what the directory says, not from where the job stood, so it
 * can be begun anew at any point. Confined to the job's thread.
 */
final class Recovery {
    private static final Logger LOG = LogManager.getLogger(Recovery.class);

    /** How long a silent node may be neither declared lost nor answer. */
    private static final Duration VERDICT_PATIENCE = Duration.ofSeconds(60);

    /** How long the store may take to give a lost node's chunks to others. */
    private static final Duration OWNER_PATIENCE = Duration.ofMinutes(5);

    private static final int NOBODY = -1;
    private static final Duration OWNER_STEP = Duration.ofMillis(500);
    private static final long VERDICT_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final StoreNode store;
    private final Group group;

    private JobListener listener = JobListener.SILENT;

    Recovery(StoreNode store, Group group) {
        this.store = store;
        this.group = group;
    }

    /** Tells this one from now on. */
    void listenTo(JobListener newListener) {
        listener = newListener;
    }

    /** Waits until a node has been declared lost, or answers again. */
    void awaitVerdict(int node) {
        long start = System.nanoTime();
        int suspect = node;
        while (true) {
            group.checkCancelled();
            suspect = suspect >= 0 ? suspect : group.findMissing();
            if (suspect < 0 || !group.isMember(suspect) || group.answers(suspect)) {
                return;
            }
            if (System.nanoTime() - start > VERDICT_PATIENCE.toNanos()) {
                throw new JobFailedException(
                        "node "
                                + suspect
                                + " does not answer, but the cluster has not declared it lost within "
                                + VERDICT_PATIENCE.toSeconds()
                                + " s");
            }
            pause();
        }
    }

    /**
     * Those of some members whose slaves are up; the others can join later.
     *
     * @param needed whether nobody else computes, so that the first one is waited for
     */
    int[] awaitServing(int[] nodes, boolean needed) {
        long start = System.nanoTime();
        while (true) {
            int[] members = Arrays.stream(nodes).filter(group::isMember).toArray();
            int[] serving = group.serving(members);
            boolean isWorthWaiting = needed && serving.length == 0 && members.length > 0;
            if (!isWorthWaiting || System.nanoTime() - start > VERDICT_PATIENCE.toNanos()) {
                return serving;
            }
            group.checkCancelled();
            pause();
        }
    }

    /** Leads those of the slaves from now on that still are members. */
    void useSurvivors() {
        int[] survivors = Arrays.stream(group.slaves()).filter(group::isMember).toArray();
        if (survivors.length == 0) {
            throw new JobFailedException("all peers that computed were lost");
        }
        group.use(survivors);
    }

    /**
     * Finds the owner of each shard of each graph; whoever owns one is a slave from now on.
     *
     * @param graphs by name; entries are replaced
     * @param all whether to ask for all shards, and not only for those of lost nodes
     */
    void locate(Map<String, KnownGraph> graphs, boolean all) {
        Map<Long, Integer> owners = new HashMap<>();
        TreeSet<Integer> slaves = new TreeSet<>();
        Arrays.stream(group.slaves()).forEach(slaves::add);
        graphs.replaceAll((_, graph) -> locate(graph, all, slaves, owners));
        group.use(slaves.stream().mapToInt(Integer::intValue).toArray());
    }

    private KnownGraph locate(
            KnownGraph graph, boolean all, SortedSet<Integer> slaves, Map<Long, Integer> owners) {
        ShardTable shards = graph.shards();
        int[] now = new int[shards.count()];
        for (int shard = 0; shard < now.length; shard++) {
            int owner = shards.owner(shard);
            if (shards.size(shard) == 0) {
                now[shard] = slaves.contains(owner) ? owner : slaves.getFirst();
            } else if (!all && group.isMember(owner)) {
                now[shard] = owner;
            } else {
                long rows = graph.descriptor().outRanges()[shard];
                now[shard] = owner(graph, rows, owner, owners);
            }
            slaves.add(now[shard]);
        }
        return graph.withOwners(now);
    }

    private int owner(KnownGraph graph, long rows, int before, Map<Long, Integer> owners) {
        if (!ChunkId.isReplicated(rows)) {
            if (group.isMember(ChunkId.creator(rows))) {
                return ChunkId.creator(rows);
            }
            throw new JobFailedException(
                    "a peer was lost in the middle of the job: node "
                            + before
                            + " held a part of graph \""
                            + graph.name()
                            + "\", which has no backups");
        }
        return owners.computeIfAbsent(
                ChunkId.zone(rows), _ -> awaitOwner(named(graph.name()), rows));
    }

    /** Leads from now on whoever owns rows of a graph, too; where they are lost, nobody. */
    void useOwners(GraphDescriptor graph) {
        ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
        TreeSet<Integer> slaves = new TreeSet<>();
        Arrays.stream(group.slaves()).forEach(slaves::add);
        Map<Long, Integer> owners = new HashMap<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            long rows = graph.outRanges()[shard];
            if (shards.size(shard) > 0 && ChunkId.isReplicated(rows)) {
                slaves.add(
                        owners.computeIfAbsent(
                                ChunkId.zone(rows), _ -> ownerOrNobody(graph.name(), rows)));
            } else if (shards.size(shard) > 0) {
                slaves.add(ChunkId.creator(rows));
            }
        }
        slaves.removeIf(slave -> !group.isMember(slave));
        group.use(slaves.stream().mapToInt(Integer::intValue).toArray());
    }

    private int ownerOrNobody(String graph, long chunk) {
        try {
            return awaitOwnerToRemove(named(graph), chunk);
        } catch (ChunkNotFoundException | JobFailedException lost) {
            LOG.info("of graph \"{}\" a part is not removed: {}", graph, lost.getMessage());
            return NOBODY;
        }
    }

    /**
     * Waits until somebody owns a chunk that the job needs; also while its data are lost, as nodes
     * that have them may be on their way back.
     *
     * @param what it is a part of, for people
     * @throws JobFailedException if nobody ever will, or nobody does for long, or it is gone with
     *     its zone
     */
    int awaitOwner(String what, long chunk) {
        return awaitOwner(what, chunk, true);
    }

    /**
     * The same of a chunk that is to be removed: if its data are lost, it is not waited for.
     *
     * @throws ChunkNotFoundException if it is gone with its zone: nothing of that is to be removed
     * @throws JobFailedException if they are, or nobody takes it over for long
     */
    int awaitOwnerToRemove(String what, long chunk) {
        return awaitOwner(what, chunk, false);
    }

    private int awaitOwner(String what, long chunk, boolean isNeeded) {
        int creator = ChunkId.creator(chunk);
        if (!ChunkId.isReplicated(chunk) && !group.isMember(creator)) {
            throw new JobFailedException(
                    "a part of %s is gone: chunk %s has no backups, and node %d, which held it, was lost"
                            .formatted(what, ChunkId.toString(chunk), creator));
        }
        long start = System.nanoTime();
        DataLostException lost = null;
        while (System.nanoTime() - start < OWNER_PATIENCE.toNanos()) {
            group.checkCancelled();
            try {
                int owner = store.chunks().awaitOwner(chunk, OWNER_STEP);
                if (owner >= 0 && group.isMember(owner)) {
                    return owner;
                }
                lost = null;
            } catch (ChunkNotFoundException e) {
                if (isNeeded) {
                    throw gone(what, e);
                }
                throw e;
            } catch (DataLostException e) {
                if (!isNeeded) {
                    throw gone(what, e);
                }
                if (lost == null) {
                    LOG.warn("the job waits for {}: {}", what, e.getMessage());
                    listener.progress("waiting until nodes come back with data of " + what, 0, 0);
                }
                lost = e;
            }
            pause(); // the store may name a node that is lost already
        }
        if (lost != null) {
            throw gone(what, lost);
        }
        throw new JobFailedException(
                "nobody has taken over chunk "
                        + ChunkId.toString(chunk)
                        + " of "
                        + what
                        + " within "
                        + OWNER_PATIENCE.toMinutes()
                        + " minutes");
    }

    /** A graph, for people. */
    static String named(String graph) {
        return "graph \"" + graph + "\"";
    }

    private static JobFailedException gone(String what, StoreException lost) {
        return new JobFailedException("a part of " + what + " is gone: " + lost.getMessage(), lost);
    }

    private void pause() {
        LockSupport.parkNanos(this, VERDICT_STEP_NANOS);
        if (Thread.currentThread().isInterrupted()) { // or no pause would be one
            throw new JobCancelledException("the job's thread was interrupted");
        }
    }
}
