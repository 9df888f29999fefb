package org.starling.compute.internal.group;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.JobListener;
import org.starling.compute.PeerMemory;
import org.starling.compute.RunRecord;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.group.Admission.Admitted;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreRun;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.protocol.RunMessage.EndRun;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.compute.internal.protocol.RunMessage.JoinColumn;
import org.starling.compute.internal.protocol.RunMessage.PrepareReport;
import org.starling.compute.internal.protocol.RunMessage.PrepareRun;
import org.starling.compute.internal.protocol.RunMessage.StopRun;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.compute.internal.query.PointQueries;
import org.starling.compute.internal.run.ColumnJoin;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.Histograms;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.internal.run.MemoryForecast;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.internal.run.RunHistory;
import org.starling.compute.jars.JobCode;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.ProgramFactory;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/**
 * One attempt of a run: leads all slaves from superstep to superstep, from the start or from a
 * checkpoint. Made for the attempt; confined to the job's thread.
 */
final class ProgramRunner {
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(2);

    private final StoreNode store;
    private final Group group;
    private final long run;
    private final KnownGraph graph;
    private final RunRequest request;
    private final Map<String, Path> outputs;
    private final JobCode code;
    private Admission admission = Admission.ALONE;
    private int superstep = -1;

    /** What earlier parts of the run told, between which it has changed its graph. */
    private RunHistory history = new RunHistory();

    private double seconds;

    /** Whether the run goes on in another attempt, though its graph has not changed. */
    private boolean isInterrupted;

    /** Hears when a run goes on, and between supersteps, when nothing is under way. */
    interface Watch {
        /** All slaves are ready to do this superstep first. */
        void begins(int superstep);

        /**
         * There is a next superstep.
         *
         * @param histogramsBefore histograms up to where this attempt has begun
         * @return whether the run goes on in another attempt, from a checkpoint that there is now
         */
        boolean between(MasterRun master, long run, long[] histogramsBefore);

        /** The program has said what it needs, and nothing has been done yet. */
        default void declared(MasterRun master) {}

        /**
         * The last superstep has asked for changes of the topology. When this returns there is a
         * checkpoint from which the run goes on in another attempt.
         *
         * @param histogramsBefore histograms up to where this attempt has begun
         */
        default void change(MasterRun master, long run, long[] histogramsBefore) {
            throw new IllegalStateException("a run that is done again changes the topology");
        }

        /** There is no next superstep; slaves have not let go of the run yet. */
        default void over(MasterRun master, long run) {}
    }

    /** What a run left. */
    record Outcome(
            FinishedRun result,
            SortedMap<String, StateType> states,
            boolean repeatable,
            RunRecord record) {}

    /**
     * An attempt.
     *
     * @param run its number
     * @param outputs file of each output that is wanted
     * @param code has the program
     */
    ProgramRunner(
            StoreNode store,
            Group group,
            long run,
            KnownGraph graph,
            RunRequest request,
            Map<String, Path> outputs,
            JobCode code) {
        this.code = code;
        this.store = store;
        this.group = group;
        this.run = run;
        this.graph = graph;
        this.request = request;
        this.outputs = outputs;
    }

    /** The same attempt, which waits until there is memory for it. */
    ProgramRunner admittedBy(Admission other) {
        admission = other;
        return this;
    }

    /** The same attempt of the part of a run that follows on another one. */
    ProgramRunner behind(@Nullable ProgramRunner earlier) {
        if (earlier != null) {
            history = earlier.history;
            seconds = earlier.seconds;
        }
        return this;
    }

    /**
     * Runs to the end, or to the next change of the topology; leaves nothing of the run behind if
     * it does not come there.
     *
     * @param from where to go on; null for the start
     * @return null if the topology has changed
     */
    @Nullable Outcome run(@Nullable RunCheckpoint from, JobListener listener, Watch watch) {
        ProgramFactory factory = code.program(request.program());
        NodeContext node = NodeContext.ofMaster(store);
        boolean ended = false;
        List<String> stuck = new ArrayList<>();
        try (MasterRun master =
                new MasterRun(
                        run,
                        graph.descriptor().info(),
                        node,
                        group.size(),
                        request.program(),
                        factory.create(ParameterCodec.read(request.parameters())))) {
            watch.declared(master);
            master.goOn(history);
            Admitted<MemoryPlan> admitted =
                    admission.await(() -> memoryPlan(master), group::checkCancelled);
            MemoryPlan plan = admitted.need();
            plan.check();
            join(master);
            prepare(admitted, master.forecast(), from);
            if (from != null) {
                restore(from, master);
            }
            long[] before = from == null ? new long[0] : from.manifest().histograms();
            seconds += supersteps(master, listener, watch, before);
            if (master.changes() > 0) {
                watch.change(master, run, before);
                group.all(new EndRun(run, true));
                ended = true;
                return null;
            }
            if (isInterrupted) {
                group.all(new EndRun(run, false));
                ended = true;
                return null;
            }
            watch.over(master, run);
            List<long[]> histograms = new ArrayList<>();
            List<EndReport> ends = group.all(new EndRun(run, true));
            ends.forEach(end -> histograms.add(end.histograms()));
            ended = true;
            histograms.add(before);
            outputs.values().forEach(file -> OutputParts.join(file, run, graph.shards().count()));
            FinishedRun result =
                    new FinishedRun(
                            master.supersteps(),
                            master.messages(),
                            Collections.unmodifiableSortedSet(
                                    new TreeSet<>(master.states().keySet())),
                            seconds,
                            master.aggregates(),
                            Histograms.byName(master.histograms(), Histograms.sum(histograms)));
            return new Outcome(
                    result,
                    new TreeMap<>(master.states()),
                    master.isRepeatable(),
                    record(master, seconds, plan.beside(ends)));
        } catch (JobCancelledException e) {
            ended = true;
            leaveNothing(stuck);
            throw Group.cancelled(e, stuck);
        } catch (RuntimeException e) {
            ended = true;
            leaveNothing(stuck);
            throw Group.failed(e, stuck);
        } finally {
            if (!ended) {
                leaveNothing(stuck);
            }
            admission.release();
        }
    }

    private void leaveNothing(List<String> stuck) {
        group.allQuietly(new EndRun(run, false), CLEANUP_TIMEOUT, stuck);
        int shards = graph.shards().count();
        outputs.values().forEach(file -> OutputParts.remove(file, run, shards));
    }

    private RunRecord record(MasterRun master, double seconds, List<PeerMemory> memory) {
        return new RunRecord(
                request.program(),
                request.graph(),
                master.supersteps(),
                seconds,
                memory,
                master.mostMessages(),
                master.resumes() && outputs.isEmpty(),
                graph.descriptor().incoming(),
                master.history());
    }

    /** Brings columns of other graphs over, which all slaves have attached. */
    private void join(MasterRun master) {
        for (ColumnJoin join : master.joins()) {
            StateType type = master.joinType(join);
            group.all(
                    new JoinColumn(
                            run,
                            request.graph(),
                            join.graph(),
                            join.column(),
                            join.state(),
                            type,
                            join.otherwiseBits(type),
                            group.slaves()));
        }
    }

    private void prepare(
            Admitted<MemoryPlan> admitted, MemoryForecast forecast, @Nullable RunCheckpoint from) {
        outputs.values().forEach(ProgramRunner::checkWritable);
        outputs.values().forEach(file -> OutputParts.removeOlder(file, run));
        int[] slaves = group.slaves();
        List<PrepareReport> reports =
                group.<PrepareReport, PrepareRun>each(slave ->
                        new PrepareRun(
                                run,
                                request.graph(),
                                request.program(),
                                request.parameters(),
                                ParameterCodec.writeFiles(outputs),
                                slaves,
                                admitted.need().spareBytes(slave, admitted.bytes())
                                        + forecast.recordBytes(graph.shards(), slaves[slave]),
                                code.digests()));
        long[] startAt = reports.get(0).startAt();
        if (from == null // behind its start a run may have removed where it began
                && reports.stream().mapToInt(PrepareReport::startsHere).sum() < startAt.length) {
            for (long id : startAt) {
                checkExists(id);
            }
        }
    }

    /** Asks all slaves what they have to give. */
    private MemoryPlan memoryPlan(MasterRun master) {
        int[] slaves = group.slaves();
        List<String> hosts = new ArrayList<>();
        for (int slave : slaves) {
            hosts.add(store.membership().node(slave).map(NodeInfo::host).orElse("node " + slave));
        }
        List<StatusReport> reports = group.all(new Status());
        MemoryForecast forecast = master.forecast();
        long[] neighbours = forecast.copiesRows() ? storedNeighbours() : new long[slaves.length];
        return MemoryPlan.of(request, forecast, graph.shards(), slaves, neighbours, hosts, reports);
    }

    /** Neighbours in the rows of each slave, those of outgoing edges alone. */
    private long[] storedNeighbours() {
        int directions = graph.descriptor().directed() ? 2 : 1;
        MeasureGraph command = new MeasureGraph(Attempt.term(run), request.graph());
        return group.all(command).stream().mapToLong(n -> n.values()[2] / directions).toArray();
    }

    private void checkExists(long id) {
        long term = Attempt.term(run);
        for (Numbers answer : group.all(new FindOrdinal(term, request.graph(), id))) {
            if (answer.values()[0] >= 0) {
                return;
            }
        }
        throw new InvalidInputException(PointQueries.noVertex(request.graph(), id));
    }

    private void restore(RunCheckpoint from, MasterRun master) {
        int next = from.state().superstep();
        group.all(new RestoreRun(run, from.checkpoint(), next, from.manifest().chunks()));
        master.restore(from.state());
    }

    private double supersteps(MasterRun master, JobListener listener, Watch watch, long[] before) {
        long start = System.nanoTime();
        superstep = master.supersteps();
        watch.begins(superstep);
        listener.begins(master.expectedSupersteps(), master.messages());
        if (!master.isOver() && superstep > 0) {
            checkGoesOn(master); // it has changed its graph in the superstep before
        }
        while (!master.isOver()) {
            FaultPoint.superstep(FaultPoint.MASTER, superstep, () -> false);
            long begin = System.nanoTime();
            List<SuperstepReport> reports = reports(group, run, master::command);
            boolean more = master.advance(reports, System.nanoTime() - begin);
            listener.superstep(master.supersteps() - 1, master.computed(), master.messages());
            if (!more || master.changes() > 0) {
                break;
            }
            checkGoesOn(master);
            superstep = master.supersteps();
            if (watch.between(master, run, before)) {
                isInterrupted = true;
                break;
            }
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private void checkGoesOn(MasterRun master) {
        if (master.supersteps() >= request.maxSupersteps()) {
            throw new JobFailedException(
                    "program "
                            + request.program()
                            + " has not ended after "
                            + request.maxSupersteps()
                            + " supersteps; let it halt, or allow more");
        }
    }

    /**
     * Lets all slaves do a superstep.
     *
     * @param command by index of a slave
     */
    static List<SuperstepReport> reports(Group group, long run, IntFunction<Superstep> command) {
        return group.each(command, ProgramRunner::worst, new StopRun(run));
    }

    /** The first failure that is not a consequence of another one, if there is any. */
    private static Optional<RuntimeException> worst(List<SuperstepReport> reports) {
        return reports.stream()
                .flatMap(report -> report.failure().stream())
                .min(Comparator.comparing(Failure::kind))
                .map(worst ->
                        CommandFailedException.exception(
                                worst.kind(),
                                worst.text(),
                                new IllegalStateException("reported by a slave")));
    }

    private static void checkWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new InvalidInputException(
                    "cannot write "
                            + file
                            + ": its folder does not exist or cannot be written; make the folder first");
        }
    }
}
