package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.JobListener;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.QueryMessage.Copied;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.LeaveJob;
import org.starling.compute.internal.protocol.RecoveryMessage.MoveShards;
import org.starling.graph.JobCancelledException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;

/**
 * Lets peers that join the group take part in the job under way, and those that leave it go: shards
 * of the job's graphs move when nothing is under way, and everything else is as behind a loss
 * ({@link RecoveryLoop#restore}). See docs/design/elastic.md. Confined to the job's thread.
 */
final class ShardMover {
    private static final Logger LOG = LogManager.getLogger(ShardMover.class);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(30);
    private static final double NANOS_PER_SECOND = 1e9;

    private final StoreNode store;
    private final Group group;
    private final RecoveryLoop loop;
    private final Checkpoints checkpoints;
    private final Map<String, KnownGraph> graphs;
    private final LongSupplier numbers;
    private final Leadership leadership;

    /** Nodes that have had their share, or could not get one. */
    private final Set<Integer> settled = new TreeSet<>();

    /** Nodes that leave whose shards could not be moved in the task at hand. */
    private final Set<Integer> stuck = new TreeSet<>();

    /** Nodes that are slaves no more and have not heard of it. */
    private final Set<Integer> dismissed = new TreeSet<>();

    private JobListener listener = JobListener.SILENT;
    private int task;
    private int moves;

    /** Whether graphs may be elsewhere than their descriptors say, as moves also end in a loss. */
    private boolean hasMoved;

    /** The members when it was looked last, and nothing was left to do. */
    private int[] seen = {};

    /**
     * What is to be done.
     *
     * @param joined nodes that get shards for the first time, ascending
     * @param leaving nodes that are to have none
     * @param owners by graph: who is to own each shard
     */
    private record Plan(Set<Integer> joined, Set<Integer> leaving, Map<String, int[]> owners) {}

    /**
     * A mover of one master.
     *
     * @param graphs the session's; those that are moved are replaced
     * @param numbers gives numbers of copies
     */
    ShardMover(
            StoreNode store,
            Group group,
            RecoveryLoop loop,
            Checkpoints checkpoints,
            Map<String, KnownGraph> graphs,
            LongSupplier numbers,
            Leadership leadership) {
        this.store = store;
        this.group = group;
        this.loop = loop;
        this.checkpoints = checkpoints;
        this.graphs = graphs;
        this.numbers = numbers;
        this.leadership = leadership;
        Arrays.stream(leadership.slaves().get()).forEach(settled::add);
    }

    /** Tells this one from now on. */
    void listenTo(JobListener newListener) {
        listener = newListener;
    }

    /** A task begins with these slaves, behind others. */
    void beginTask(int newTask, int[] before) {
        task = newTask;
        stuck.clear();
        seen = new int[0];
        Set<Integer> now = asSet(group.slaves());
        settled.retainAll(now); // who is not up yet joins when it is
        Arrays.stream(before).filter(node -> !now.contains(node)).forEach(dismissed::add);
        dismiss();
    }

    /** Graphs of an older master have been found: whoever has none of their shards has no share. */
    void resume() {
        if (!graphs.isEmpty()) {
            settled.clear();
            for (KnownGraph graph : graphs.values()) {
                Arrays.stream(graph.descriptor().shardOwners()).forEach(settled::add);
            }
        }
    }

    /** These are the slaves again; who else has been one for a moment is told. */
    void backTo(int[] slaves) {
        Arrays.stream(group.slaves()).forEach(dismissed::add);
        group.use(slaves);
        dismiss();
    }

    /** Whether chunks of graphs may be with peers that are no slaves. */
    boolean hasMoved() {
        return hasMoved;
    }

    /** How often shards have moved. */
    int moves() {
        return moves;
    }

    /** Whether peers have joined or want to leave and shards can move for it. */
    boolean isDue() {
        int[] now = leadership.slaves().get();
        if (Arrays.equals(now, seen)) {
            return false;
        }
        dismiss();
        Plan plan = plan(now);
        if (!plan.owners.isEmpty() || !plan.leaving.isEmpty()) {
            return true;
        }
        if (plan.joined.containsAll(newcomers(now)) && dismissed.isEmpty()) {
            settled.retainAll(asSet(now));
            settled.addAll(plan.joined);
            seen = now;
        }
        return false;
    }

    /** Moves, if there is something to move; no run is under way. */
    void moveIfDue() {
        if (isDue()) {
            checkpoints.saveAll("", Set.of());
            move();
        }
    }

    /**
     * Moves: copies shards to where they are to be, lets everybody attach all graphs, and brings
     * the states back. No run is under way, and states are in checkpoints or are made again.
     */
    void move() {
        long start = System.nanoTime();
        int[] before = group.slaves();
        Plan plan = plan(leadership.slaves().get());
        listener.progress("moving shards between peers", 0, 2);
        Map<String, KnownGraph> moved;
        try {
            moved = copy(plan, before);
        } catch (JobCancelledException
                | SlaveLostException
                | UnderReplicatedException
                | IndeterminateException e) {
            throw e;
        } catch (RuntimeException e) {
            if (group.findMissing() >= 0) {
                throw e;
            }
            LOG.warn("shards could not be moved; the job goes on with the peers it has", e);
            giveUp(plan, before);
            return;
        }
        listener.progress("moving shards between peers", 1, 2);
        List<MovedShard> older = new ArrayList<>();
        moved.keySet().forEach(name -> older.addAll(of(name).moved()));
        int shards =
                moved.values().stream().mapToInt(graph -> changes(of(graph.name()), graph)).sum();
        checkpoints.hold(older);
        hasMoved = true;
        graphs.putAll(moved);
        dismissed.addAll(plan.leaving);
        group.use(Arrays.stream(group.slaves()).filter(n -> !plan.leaving.contains(n)).toArray());
        loop.restore(false);
        settled.addAll(plan.joined);
        settled.removeAll(plan.leaving);
        dismiss();
        checkpoints.release(older.stream().filter(one -> !isNeeded(one)).toList());
        checkpoints.commitMembers();
        moves++;
        LOG.info(
                "{} shards have moved in {} s: nodes {} joined, nodes {} leave",
                shards,
                (System.nanoTime() - start) / NANOS_PER_SECOND,
                plan.joined,
                plan.leaving);
        listener.progress("moving shards between peers", 2, 2);
    }

    // private

    private KnownGraph of(String name) {
        KnownGraph graph = graphs.get(name);
        if (graph == null) {
            throw new IllegalStateException("no graph " + name);
        }
        return graph;
    }

    private static int changes(KnownGraph before, KnownGraph after) {
        return Placement.moves(
                before.descriptor().shardOwners(),
                after.descriptor().shardOwners(),
                weights(after.shards()));
    }

    private boolean isNeeded(MovedShard copy) {
        return graphs.values().stream().anyMatch(graph -> graph.moved().contains(copy));
    }

    private Set<Integer> newcomers(int[] members) {
        return Arrays.stream(members)
                .filter(node -> !settled.contains(node))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Works out who is to have what; nobody joins or leaves where nothing can move. */
    private Plan plan(int[] members) {
        boolean safe =
                store.promised().compareTo(Durability.PROCESS) >= 0
                        && graphs.values().stream().allMatch(KnownGraph::isReplicated);
        Set<Integer> leaving = new TreeSet<>();
        if (safe) {
            Arrays.stream(group.slaves())
                    .filter(node -> isLeaving(node) && !stuck.contains(node))
                    .forEach(leaving::add);
        }
        Set<Integer> joined = newcomers(members);
        joined.removeIf(node -> !group.answers(node)); // its slave may not be up yet
        Set<Integer> takers = asSet(members);
        takers.removeIf(node -> !settled.contains(node) && !joined.contains(node));
        Map<String, int[]> owners = new TreeMap<>();
        if (takers.isEmpty()) {
            return new Plan(joined, Set.of(), owners);
        }
        if (safe && !(joined.isEmpty() && leaving.isEmpty())) {
            graphs.forEach((name, graph) -> place(name, graph, takers, leaving::contains, owners));
        }
        return new Plan(joined, leaving, owners);
    }

    private static void place(
            String name,
            KnownGraph graph,
            Set<Integer> takers,
            IntPredicate leaves,
            Map<String, int[]> owners) {
        int[] now = graph.descriptor().shardOwners();
        long[] weights = weights(graph.shards());
        int[] next = Placement.place(now, weights, asArray(takers), leaves);
        if (!Arrays.equals(now, next)) {
            owners.put(name, next);
        }
    }

    /** Shards were cut so that they have about the same weight. */
    private static long[] weights(ShardTable shards) {
        return IntStream.range(0, shards.count())
                .mapToLong(shard -> shards.size(shard) > 0 ? 1 : 0)
                .toArray();
    }

    private boolean isLeaving(int node) {
        return store.membership().node(node).map(NodeInfo::isLeaving).orElse(false);
    }

    private Map<String, KnownGraph> copy(Plan plan, int[] before) {
        Set<Integer> all = asSet(before);
        for (int node : plan.joined) {
            if (all.add(node)) {
                group.one(node, new BeginTask(leadership.term(), task, leadership.weight()));
            }
        }
        plan.owners.values().forEach(owners -> Arrays.stream(owners).forEach(all::add));
        group.use(asArray(all));
        Map<String, KnownGraph> moved = new TreeMap<>();
        plan.owners.forEach((name, owners) -> moved.put(name, copy(of(name), owners)));
        return moved;
    }

    private KnownGraph copy(KnownGraph graph, int[] owners) {
        int[] before = graph.descriptor().shardOwners();
        int[] slaves = group.slaves();
        List<Copied> copied =
                group.settled(slave -> {
                    int[] shards =
                            IntStream.range(0, owners.length)
                                    .filter(shard -> owners[shard] == slaves[slave])
                                    .filter(shard -> before[shard] != owners[shard])
                                    .filter(shard -> graph.shards().size(shard) > 0)
                                    .toArray();
                    return new MoveShards(
                            leadership.term(),
                            graph.name(),
                            graph.chunk(),
                            graph.moved(),
                            shards,
                            Arrays.stream(shards).mapToLong(_ -> numbers.getAsLong()).toArray());
                });
        List<MovedShard> moved = new ArrayList<>();
        copied.forEach(copy -> addTo(moved, copy));
        return graph.moved(owners, moved);
    }

    private static void addTo(List<MovedShard> moved, Copied copy) {
        for (int i = 0; i < copy.shards().length; i++) {
            moved.add(
                    new MovedShard(
                            copy.shards()[i],
                            copy.columns()[i],
                            copy.out()[i],
                            copy.in().length > 0 ? copy.in()[i] : 0,
                            copy.ids()[i],
                            copy.properties().length > 0 ? copy.properties()[i] : 0));
        }
    }

    /**
     * Nothing has moved, and is not tried again: not at all for who joins, in this task for others.
     */
    private void giveUp(Plan plan, int[] before) {
        Set<Integer> old = asSet(before);
        plan.joined.stream().filter(node -> !old.contains(node)).forEach(dismissed::add);
        settled.addAll(plan.joined);
        stuck.addAll(plan.leaving);
        group.use(before);
        dismiss();
        checkpoints.release(List.of());
    }

    /** Who does not hear it is lost, or hears it later. */
    private void dismiss() {
        dismissed.removeAll(asSet(group.slaves()));
        dismissed.removeIf(node -> !group.isMember(node));
        for (int node : List.copyOf(dismissed)) {
            try {
                LeaveJob command = new LeaveJob(leadership.term());
                store.network().request(node, command, LEAVE_TIMEOUT).join();
                dismissed.remove(node);
            } catch (CompletionException e) {
                LOG.info("node {} has not let go of the job yet: {}", node, e.getMessage());
            }
        }
    }

    private static Set<Integer> asSet(int[] nodes) {
        return Arrays.stream(nodes).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private static int[] asArray(Set<Integer> nodes) {
        return nodes.stream().mapToInt(Integer::intValue).toArray();
    }
}
