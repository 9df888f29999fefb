package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.jars.JobCode;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;

/**
 * Does what slaves are needed for, and when one is lost, makes the group whole and does it again.
 *
 * <p>After a loss every slave that is left attaches every graph anew, with the owners that the
 * store names now, and gets all states from checkpoints and by doing the runs since again. So it
 * does not matter what a slave was in the middle of. Confined to the job's thread.
 */
final class RecoveryLoop {
    /**
     * So many losses in one operation, or before a run has come further, are enough: something else
     * is wrong.
     */
    private static final int MAX_LOSSES = 32;

    /**
     * How long work is done again that could not be written or whose data were lost, and from one
     * time to the next.
     */
    static final long STORE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** So often such work is done again at least, however long it takes until it fails. */
    private static final int MIN_REPETITIONS = 3;

    /**
     * So often work is done again beside which other work did not stop, each time at the cost of a
     * process, if that is not all that has failed; else once.
     */
    private static final int MAX_STUCK_RUNS = 4;

    private static final long STORE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** All are there. */
    private static final int NOBODY = -2;

    private static final Logger LOG = LogManager.getLogger(RecoveryLoop.class);
    private static final double NANOS_PER_SECOND = 1e9;

    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final Checkpoints checkpoints;
    private final Map<String, KnownGraph> graphs;
    private final LongSupplier numbers;
    private final Supplier<JobCode> code;
    private final long storePatienceNanos;
    private final List<Loss> unreported = new ArrayList<>();

    /** Losses of older masters that were in the middle of a run, until that run goes on. */
    private final List<Loss> waiting = new ArrayList<>();

    private JobListener listener = JobListener.SILENT;

    private record Loss(int node, String role, int superstep, long startNanos) {}

    /**
     * A loop over work of one master.
     *
     * @param graphs the session's; owners are replaced
     * @param numbers gives numbers of attempts
     * @param code has the programs of the job that runs
     * @param storePatienceNanos {@link #STORE_PATIENCE_NANOS}; a test has less
     */
    RecoveryLoop(
            StoreNode store,
            Group group,
            Recovery recovery,
            Checkpoints checkpoints,
            Map<String, KnownGraph> graphs,
            LongSupplier numbers,
            Supplier<JobCode> code,
            long storePatienceNanos) {
        this.storePatienceNanos = storePatienceNanos;
        this.code = code;
        this.store = store;
        this.group = group;
        this.recovery = recovery;
        this.checkpoints = checkpoints;
        this.graphs = graphs;
        this.numbers = numbers;
    }

    /** Tells this one from now on. */
    void listenTo(JobListener newListener) {
        listener = newListener;
        unreported.clear();
        waiting.clear();
    }

    /** Does work outside of runs, again and again, until no slave is lost meanwhile. */
    <T> T untilDone(Supplier<T> work) {
        return untilDone(() -> -1, work);
    }

    /**
     * The same within a run.
     *
     * @param superstep the superstep that the work is in; -1 if none is under way
     */
    <T> T untilDone(IntSupplier superstep, Supplier<T> work) {
        Patience patience = new Patience();
        int furthest = -1;
        while (true) {
            try {
                T result = work.get();
                goesOn(-1);
                return result;
            } catch (RuntimeException e) {
                int reached = superstep.getAsInt();
                patience = reached > furthest ? new Patience() : patience;
                furthest = Math.max(furthest, reached);
                recover(patience.suspect(e), reached);
            }
        }
    }

    /**
     * A node of an older master, or that master itself, has been lost before this one took over.
     *
     * @param superstep at which a run can go on; -1 if none was under way
     */
    void wasLost(int node, String role, int superstep, long startNanos) {
        checkpoints.lost(node, role);
        (superstep < 0 ? unreported : waiting).add(new Loss(node, role, superstep, startNanos));
    }

    /** A run begins with this superstep. */
    void runGoesOn(int superstep) {
        unreported.addAll(waiting);
        waiting.clear();
        goesOn(superstep);
    }

    /** The job goes on behind a loss, if there was one. */
    void goesOn(int superstep) {
        if (unreported.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        List<RecoveryEvent> events = new ArrayList<>();
        for (Loss loss : unreported) {
            events.add(
                    new RecoveryEvent(
                            loss.node,
                            loss.role,
                            loss.superstep,
                            superstep,
                            (now - loss.startNanos) / NANOS_PER_SECOND));
        }
        unreported.clear();
        checkpoints.survived(events);
    }

    /** Leads those of these slaves from now on who are up, and whoever owns shards. */
    void useSlaves(int[] wanted) {
        for (int slave : group.slaves()) {
            if (!group.isMember(slave)) {
                throw new SlaveLostException(
                        slave, "node " + slave + " was lost", new IllegalStateException());
            }
        }
        TreeSet<Integer> all = new TreeSet<>();
        TreeSet<Integer> joined = new TreeSet<>();
        Arrays.stream(wanted).filter(group::isMember).forEach(joined::add);
        Arrays.stream(group.slaves()).filter(joined::remove).forEach(all::add);
        int[] newcomers = joined.stream().mapToInt(Integer::intValue).toArray();
        Arrays.stream(recovery.awaitServing(newcomers, all.isEmpty())).forEach(all::add);
        for (KnownGraph graph : graphs.values()) {
            Arrays.stream(graph.descriptor().shardOwners()).forEach(all::add);
        }
        if (all.isEmpty()) {
            throw new JobFailedException("there is no peer that computes");
        }
        int[] slaves = all.stream().mapToInt(Integer::intValue).toArray();
        if (!Arrays.equals(slaves, group.slaves())) {
            group.use(slaves);
            restore(false);
        }
    }

    /**
     * Lets all slaves attach all graphs, and brings the states back.
     *
     * @param askForAll whether owners are asked for anew, and not only those of lost nodes
     */
    void restore(boolean askForAll) {
        recovery.locate(graphs, askForAll);
        for (KnownGraph graph : graphs.values()) {
            group.all(attachment(graph));
        }
        checkpoints.restoreStates();
        for (RunRequest run : checkpoints.redo()) {
            KnownGraph graph = graphs.get(run.graph());
            if (graph == null) {
                throw new IllegalStateException("a run to be done again without its graph");
            }
            ProgramRunner runner =
                    new ProgramRunner(
                            store, group, numbers.getAsLong(), graph, run, Map.of(), code.get());
            ProgramRunner.Outcome again =
                    Objects.requireNonNull(
                            runner.run(null, JobListener.SILENT, Unwatched.INSTANCE));
            checkpoints.ranAgain(graph, again.states());
        }
        for (String graph : checkpoints.forgetGone()) {
            attach(Objects.requireNonNull(graphs.get(graph)), false);
            checkpoints.restoreStates(graph);
        }
    }

    /** Lets all slaves attach one more graph, whoever owns its shards. */
    void attach(KnownGraph graph) {
        int[] before = group.slaves();
        Map<String, KnownGraph> one = new TreeMap<>(Map.of(graph.name(), graph));
        recovery.locate(one, true);
        graphs.putAll(one);
        if (Arrays.equals(before, group.slaves())) {
            one.values().forEach(located -> group.all(attachment(located)));
        } else {
            restore(false);
        }
    }

    /**
     * Lets all slaves turn to another version of a graph, whose shards they own.
     *
     * @param keepsStates whether they keep the states that they have; ordinals are the same then
     */
    void attach(KnownGraph graph, boolean keepsStates) {
        group.all(attachment(graph, keepsStates));
    }

    private Attach attachment(KnownGraph graph) {
        return attachment(graph, false);
    }

    private Attach attachment(KnownGraph graph, boolean keepsStates) {
        return new Attach(
                numbers.getAsLong(),
                graph.name(),
                graph.chunk(),
                0,
                graph.descriptor().shardOwners(),
                graph.columns(),
                graph.version(),
                keepsStates,
                graph.moved());
    }

    private void recover(int first, int superstep) {
        long start = System.nanoTime();
        int[] before = group.slaves();
        int suspect = first;
        Patience patience = new Patience();
        while (true) {
            listener.progress("recovering from a loss", 0, 0);
            try {
                recovery.awaitVerdict(suspect);
                recovery.useSurvivors();
                restore(false);
                break;
            } catch (RuntimeException e) {
                suspect = patience.suspect(e);
            }
        }
        boolean lost = false;
        for (int node : before) {
            if (!group.isMember(node)) {
                checkpoints.lost(node, RecoveryEvent.SLAVE);
                unreported.add(new Loss(node, RecoveryEvent.SLAVE, superstep, start));
                lost = true;
            }
        }
        if (!lost && first != NOBODY) {
            unreported.add(new Loss(RecoveryEvent.NO_NODE, RecoveryEvent.SLAVE, superstep, start));
        }
    }

    /** Whether the store may be able in a moment to do what it could not do. */
    static boolean isOfStore(RuntimeException failure) {
        return failure instanceof UnderReplicatedException
                || failure instanceof IndeterminateException
                || failure instanceof DataLostException
                || failure instanceof UnservedException;
    }

    /** How often, and for how long, one piece of work is done again. */
    private final class Patience {
        private int losses;

        /** How often it has failed where work did not stop. */
        private int stuckRuns;

        /** How often the store could not do what it was to do. */
        private int refusals;

        /** When it first could not. */
        private long firstNanos;

        /**
         * Who may be lost, so that something failed; nobody if it was the store, and it is worth
         * while to try again. Throws the failure if it is neither.
         *
         * <p>Behind a loss a write may find fewer backups than it needs for longer than it waits
         * for them, until others take their places; or it is not acknowledged in time, and nobody
         * knows whether it has taken effect. Data that are lost may come back with the nodes that
         * have them, and who can't be reached may be reached again. The work is done again, as
         * behind a loss.
         */
        int suspect(RuntimeException failure) {
            if (failure instanceof JobCancelledException) {
                throw failure;
            }
            StuckRunException stuck = StuckRunException.of(failure);
            if (stuck != null && ++stuckRuns > (stuck.equals(failure) ? 1 : MAX_STUCK_RUNS)) {
                throw stuck;
            }
            if (isOfStore(failure) && !isOver()) {
                LOG.info("the work waits for the store: {}", failure.getMessage());
                group.checkCancelled();
                LockSupport.parkNanos(this, STORE_PAUSE_NANOS);
                int missing = group.findMissing();
                return missing < 0 ? NOBODY : missing;
            }
            int suspect =
                    failure instanceof SlaveLostException lost ? lost.node() : group.findMissing();
            if (suspect < 0 && !(failure instanceof SlaveLostException)) {
                throw failure;
            }
            if (losses++ >= MAX_LOSSES) {
                throw new JobFailedException(
                        "given up after "
                                + MAX_LOSSES
                                + " losses at the same place; the last one: "
                                + failure.getMessage(),
                        failure);
            }
            if (losses > 1) {
                LockSupport.parkNanos(this, STORE_PAUSE_NANOS); // a network may be cut for a while
            }
            return suspect;
        }

        private boolean isOver() {
            long now = System.nanoTime();
            firstNanos = refusals == 0 ? now : firstNanos;
            return refusals++ >= MIN_REPETITIONS && now - firstNanos > storePatienceNanos;
        }
    }

    /** Runs that are done again are nobody's concern. */
    private enum Unwatched implements ProgramRunner.Watch {
        INSTANCE;

        @Override
        public void begins(int superstep) {}

        @Override
        public boolean between(MasterRun master, long run, long[] histogramsBefore) {
            return false;
        }
    }
}
