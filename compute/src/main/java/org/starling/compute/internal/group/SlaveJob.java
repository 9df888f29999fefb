package org.starling.compute.internal.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.build.Projection;
import org.starling.compute.internal.build.SlaveBuild;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.BuildMessage.BuildProjection;
import org.starling.compute.internal.protocol.BuildMessage.BuildRead;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.BuildMessage.MakeRows;
import org.starling.compute.internal.protocol.BuildMessage.PartReport;
import org.starling.compute.internal.protocol.BuildMessage.RowReport;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.JarMessage.ReleaseCode;
import org.starling.compute.internal.protocol.OutputMessage.EndWriting;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.protocol.OutputMessage.WriteTable;
import org.starling.compute.internal.protocol.QueryMessage.AskColumns;
import org.starling.compute.internal.protocol.QueryMessage.ColumnNames;
import org.starling.compute.internal.protocol.QueryMessage.FindIds;
import org.starling.compute.internal.protocol.QueryMessage.FindNumbers;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.FindTexts;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.TextsFound;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.LeaveJob;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreRun;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveRun;
import org.starling.compute.internal.protocol.RecoveryMessage.Saved;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.protocol.RunMessage.EndRun;
import org.starling.compute.internal.protocol.RunMessage.FindValues;
import org.starling.compute.internal.protocol.RunMessage.JoinColumn;
import org.starling.compute.internal.protocol.RunMessage.PrepareReport;
import org.starling.compute.internal.protocol.RunMessage.PrepareRun;
import org.starling.compute.internal.protocol.RunMessage.StopRun;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.compute.internal.protocol.RunMessage.ValuesFound;
import org.starling.compute.internal.protocol.StructureMessage.Rows;
import org.starling.compute.internal.protocol.StructureMessage.SweepParts;
import org.starling.compute.internal.protocol.StructureMessage.SweptParts;
import org.starling.compute.internal.protocol.TopologyMessage.FindNamed;
import org.starling.compute.internal.protocol.TopologyMessage.MakeVersion;
import org.starling.compute.internal.protocol.TopologyMessage.PackReport;
import org.starling.compute.internal.protocol.TopologyMessage.PackVersion;
import org.starling.compute.internal.protocol.TopologyMessage.SaveDescriptor;
import org.starling.compute.internal.protocol.TopologyMessage.SendChanges;
import org.starling.compute.internal.protocol.TopologyMessage.VersionReport;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.Gate;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.SlaveRun;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.StopSign;
import org.starling.compute.internal.run.VertexTexts;
import org.starling.compute.internal.structure.PartReader;
import org.starling.compute.internal.topology.ChangeSender;
import org.starling.compute.internal.topology.GraphPacker;
import org.starling.compute.internal.topology.IdFinder;
import org.starling.compute.internal.topology.VersionBuild;
import org.starling.compute.jars.JobCode;
import org.starling.graph.FileTrouble;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.PartProgram;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.net.Message;
import org.starling.net.NativeMemory;
import org.starling.net.Responder;
import org.starling.store.Durability;
import org.starling.store.StoreException;

/**
 * All that one job has on one slave: its newest master's term, its graphs, runs and builds, and a
 * team of workers. Jobs know nothing of one another.
 *
 * <p>The job's master waits for the answers of all slaves before it sends the next command, so
 * commands need no locks among themselves. But when one slave fails, the master ends what that
 * belongs to while others may still be at work on it, and asks again for ends where it has heard
 * nothing. So ends wait for what they end, and for one another. Commands run on the network's
 * workers, supersteps and blocks on receiving threads. Owned by {@link SlaveService}, which makes
 * it at the job's first command and ends it with the job.
 */
final class SlaveJob {
    private final long number;
    private final NodeContext node;
    private final StuckWork stuck;
    private final SlaveGraphs graphs;
    private final Commands commands;
    private final SlaveCode code;
    private final Map<Long, SlaveRun> runs = new ConcurrentHashMap<>();
    private final Map<Long, SlaveBuild> builds = new ConcurrentHashMap<>();

    /** Held while a run or build is ended, and where a build begins to be known. */
    private final Object ending = new Object();

    /** Results that are being written, by attempt. */
    private final Map<Long, PartWriting> writings = new ConcurrentHashMap<>();

    /** Columns of other graphs that runs want. */
    private final SlaveJoins joins = new SlaveJoins();

    /** What is under way for runs that have not begun. */
    private final Set<Preparation> preparing = ConcurrentHashMap.newKeySet();

    /** Programs that run over structures. */
    private final Set<StopSign> sweeps = ConcurrentHashMap.newKeySet();

    private final BroughtFiles brought;

    private final MadeChunks madeByBuilds;

    /**
     * Largest number of a build or run that has ended: a cancelled command may begin behind its own
     * end. Raised before what ends is looked for, and looked at by what begins when that can be
     * found; under {@link #ending} where both sides would free a build.
     */
    private final AtomicLong lastEnded = new AtomicLong();

    /** {@link System#nanoTime} of the last command; any thread. */
    private volatile long lastCommandNanos = System.nanoTime();

    /**
     * Work for a run, which reads and replaces columns of graphs: nobody may use these for another
     * run before it is out.
     */
    private record Preparation(long run, String what, StopSign stop, Gate gate) {}

    /**
     * Nothing of the job is here yet.
     *
     * @param node with a team that is the job's alone
     * @param loaders of jars that the job brings
     * @param brought files that were sent along with it; closed with the job
     */
    SlaveJob(
            long number,
            NodeContext node,
            StuckWork stuck,
            JarLoaders loaders,
            BroughtFiles brought) {
        this.brought = brought;
        this.number = number;
        this.node = node;
        this.stuck = stuck;
        this.graphs = new SlaveGraphs(node);
        this.madeByBuilds = new MadeChunks(node, Kind.BUILD);
        this.code = new SlaveCode(loaders, node.team(), stuck);
        this.commands =
                new Commands(
                        this::stopAll,
                        this::forgetAll,
                        what -> stuck.found(what, StuckWork.COMMAND_PATIENCE));
    }

    /** The job's number. */
    long number() {
        return number;
    }

    /** Graphs, and checkpoints of their states. */
    SlaveGraphs graphs() {
        return graphs;
    }

    /** Whether no command has come or been under way for so long. */
    boolean isSilentFor(Duration time) {
        return !commands.isAnyInside() && System.nanoTime() - lastCommandNanos > time.toNanos();
    }

    // coming in

    /** Does a command of a master beside others. */
    <R extends Message> R shared(long term, Commands.Work<R> work) throws IOException {
        lastCommandNanos = System.nanoTime();
        return commands.shared(term, work);
    }

    /** Lets go of everything and refuses what comes from now on, also from newer masters. */
    void end(long term) {
        brought.close(); // first, as a command may be copying one
        commands.end(term);
        node.team().close();
        removeMade();
    }

    private void removeMade() {
        madeByBuilds.remove(_ -> true);
        graphs.checkpoints().remove(_ -> true);
    }

    /** Lets go of everything but its chunks that the directory knows of. */
    void leave(LeaveJob command) throws IOException {
        brought.close();
        commands.alone(
                command.term(),
                () -> {
                    forgetAll();
                    return new Done();
                });
        node.team().close();
        removeMade();
    }

    /** Lets all work stop soon; any thread. */
    void stopAll() {
        runs.values().forEach(SlaveRun::stop);
        builds.values().forEach(SlaveBuild::stop);
        writings.values().forEach(PartWriting::stop);
        sweeps.forEach(StopSign::raise);
        preparing.forEach(one -> one.stop.raise());
    }

    /**
     * Waits, after {@link #stopAll}, until no worker works; false if one does even then, and what
     * it works in must stay.
     */
    boolean awaitWorkersEnd(Duration timeout) {
        node.team().close();
        return node.team().awaitEnd(timeout);
    }

    /**
     * Frees everything at the end of the node, after {@link #awaitWorkersEnd}. Commands may still
     * be on their way out, and blocks may come, as others go on.
     *
     * @return false if somebody works even after this time in what is left, which must stay
     */
    boolean close(Duration timeout) {
        brought.close();
        if (!commands.shut(timeout)) {
            return false;
        }
        boolean isFree = true;
        for (SlaveRun run : runs.values()) {
            if (run.awaitEnd(timeout)) {
                run.close();
            } else {
                isFree = false;
            }
        }
        for (SlaveBuild build : builds.values()) {
            if (build.gate().shut(timeout)) {
                build.close();
            } else {
                isFree = false;
            }
        }
        if (isFree) {
            joins.close();
            graphs.closeAll();
            code.releaseAll();
        }
        return isFree;
    }

    // commands

    Done beginTask(BeginTask command) {
        node.team().share().weigh(command.weight());
        FaultPoint.task(FaultPoint.SLAVE, command.task());
        return new Done();
    }

    Numbers buildStep(BuildStep command) {
        return inBuild(command.build(), build -> new Numbers(build.step(command)));
    }

    /** Writes the descriptor of a graph that is being made, or of a version. */
    Numbers saveDescriptor(SaveDescriptor command) {
        return builds.containsKey(command.number())
                ? inBuild(command.number(), _ -> saveDescriptor(command, madeByBuilds))
                : graphs.make(() -> saveDescriptor(command, graphs.checkpoints()));
    }

    private Numbers saveDescriptor(SaveDescriptor command, MadeChunks made) {
        byte[] text = command.descriptor().getBytes(StandardCharsets.UTF_8);
        Durability durability = command.replicated() ? Durability.PROCESS : Durability.MEMORY;
        long chunk =
                made.make(
                        command.number(),
                        node.chunks().with(durability),
                        new int[] {text.length},
                        pinned ->
                                NativeMemory.copyFromArray(
                                        text, 0, pinned.address(0), text.length));
        made.settle(command.number());
        return new Numbers(chunk);
    }

    RowReport makeRows(MakeRows command) {
        return inBuild(command.build(), build -> build.makeRows(command.replicated()));
    }

    PartReport buildRead(BuildRead command) throws IOException {
        JobCode jars = code.of(command.term(), command.jars());
        SlaveBuild build =
                code.call(jars, "source " + command.source(), () -> newBuild(command, jars));
        begin(command.build(), build);
        return inBuild(command.build(), made -> made.read(command.parts()));
    }

    PartReport buildProjection(BuildProjection command) throws IOException {
        Projection projection = projection(graphs.graph(command.graph()), command);
        SlaveBuild build;
        try {
            build =
                    new SlaveBuild(
                            command.build(),
                            node,
                            new Slaves(command.slaves(), node.node()),
                            madeByBuilds,
                            projection,
                            command.options());
        } catch (RuntimeException | Error e) { // there is no build that could close it
            projection.close();
            throw e;
        }
        begin(command.build(), build);
        int[] parts = IntStream.range(0, projection.parts()).toArray();
        return inBuild(command.build(), made -> made.read(parts));
    }

    private Projection projection(StoredGraph graph, BuildProjection command) {
        return new Projection(
                graph,
                command.vertices(),
                command.edges(),
                numbers -> VertexTexts.of(numbers, graph, node, command.term()));
    }

    private void begin(long number, SlaveBuild build) {
        synchronized (ending) {
            if (number > lastEnded.get()) {
                builds.put(number, build);
                return;
            }
        }
        build.close();
        throw new JobCancelledException("the build has ended");
    }

    private SlaveBuild newBuild(BuildRead command, JobCode jars) {
        Parameters parameters = ParameterCodec.read(command.parameters());
        bring(parameters.asMap().values());
        try {
            return new SlaveBuild(
                    command.build(),
                    node,
                    new Slaves(command.slaves(), node.node()),
                    madeByBuilds,
                    jars.edgeSource(command.source()).create(parameters),
                    command.options());
        } catch (IOException e) {
            throw new InvalidInputException(
                    "node %d cannot read: %s".formatted(node.node(), FileTrouble.reason(e)), e);
        }
    }

    /** What a source is to read may have been sent along to another host. */
    private void bring(Collection<?> values) {
        for (Object value : values) {
            if (value instanceof Collection<?> list) {
                bring(list);
            } else if (value instanceof String name && name.startsWith("/")) {
                brought.bring(Path.of(name));
            }
        }
    }

    /** What somebody gets to hear whose input can't be read. */
    static InvalidInputException unreadable(IOException e) {
        return new InvalidInputException("cannot read: " + FileTrouble.reason(e), e);
    }

    Done endBuild(EndBuild command) {
        lastEnded.accumulateAndGet(command.build(), Math::max);
        stopBuild(command.build());
        if (command.stands()) {
            madeByBuilds.forget(command.build());
        } else {
            madeByBuilds.remove(build ->
                    build == command.build()
                            || Attempt.term(build) < Attempt.term(command.build()));
        }
        return new Done();
    }

    Done awaitAndAttach(Attach command) throws IOException {
        shared(command.term(), () -> graphs.awaitShards(command));
        return commands.alone(command.term(), () -> attach(command));
    }

    Done detach(Detach command) throws IOException {
        return commands.alone(command.term(), () -> graphs.detach(command.graph()));
    }

    /** Lets go of a graph that is not kept any more, between commands. */
    void letGo(long descriptorChunk) {
        if (graphs.attached(descriptorChunk).isPresent()) {
            commands.between(() -> graphs.attached(descriptorChunk).ifPresent(graphs::detach));
        }
    }

    Done releaseCode(ReleaseCode command) throws IOException {
        return commands.alone(
                command.term(),
                () -> {
                    code.release(command.term());
                    return new Done();
                });
    }

    /** Brings a column of another graph over for a run that is to be prepared. */
    Done joinColumn(JoinColumn command) {
        return preparing(
                command.run(),
                "a column of graph " + command.from(),
                stop -> {
                    StoredGraph graph = graphs.graph(command.graph());
                    StoredGraph from = graphs.graph(command.from());
                    joins.add(
                            command.run(),
                            new ColumnFetch(command, graph, from, node, stop).make());
                    return new Done();
                });
    }

    /** Tells another slave what is here of what it wants to bring over. */
    ValuesFound findValues(FindValues question) {
        return preparing(
                question.run(),
                "a column of graph " + question.graph(),
                _ -> ColumnFetch.answer(question, graphs.graph(question.graph())));
    }

    PrepareReport prepareRun(PrepareRun command) {
        String what = "program " + command.program();
        return preparing(
                command.run(),
                what,
                stop -> {
                    joins.give(command.run(), graphs.graph(command.graph()));
                    JobCode jars = code.of(command.term(), command.jars());
                    SlaveRun run = code.call(jars, what, () -> newRun(command, jars, stop));
                    runs.put(command.run(), run);
                    return run.prepared();
                });
    }

    /** Does something for a run that has not begun, and whose end waits for that. */
    private <R> R preparing(long run, String what, Function<StopSign, R> work) {
        Preparation own = new Preparation(run, what, new StopSign(), new Gate());
        boolean _ = own.gate.enter();
        preparing.add(own);
        try {
            if (run <= lastEnded.get()) { // looked at when the end can find this
                throw new JobCancelledException("the run has ended");
            }
            return work.apply(own.stop);
        } finally {
            preparing.remove(own);
            own.gate.leave();
        }
    }

    private SlaveRun newRun(PrepareRun command, JobCode jars, StopSign stop) {
        ProgramFactory factory = jars.program(command.program());
        Parameters parameters = ParameterCodec.read(command.parameters());
        return new SlaveRun(
                command.run(),
                graphs.graph(command.graph()),
                node,
                new Slaves(command.slaves(), node.node()),
                () -> factory.create(parameters),
                ParameterCodec.readFiles(command.outputs()),
                command.recordBytes(),
                stop);
    }

    /** Begins a superstep, and answers when it is done; receiving threads. */
    void superstep(Superstep command, Responder<SuperstepReport> responder) {
        commands.quick(
                command.term(),
                () -> {
                    CompletableFuture<SuperstepReport> report =
                            run(command.run()).superstep(command);
                    report.thenAccept(responder::respond)
                            .exceptionally(thrown -> {
                                responder.fail(thrown);
                                return null;
                            })
                            .isDone(); // answers when it is
                });
    }

    /** Lets a run that is known stop soon; any thread, and whatever else is under way. */
    void stopRun(StopRun command) {
        SlaveRun run = runs.get(command.run());
        if (run != null) {
            run.stop();
        }
    }

    EndReport endRun(EndRun command) {
        lastEnded.accumulateAndGet(command.run(), Math::max);
        awaitPrepared(command.run());
        synchronized (ending) {
            return endRunOnce(command);
        }
    }

    /** Who prepares the run comes out first: the next one works on the same columns. */
    private void awaitPrepared(long run) {
        List<Preparation> those = preparing.stream().filter(one -> one.run == run).toList();
        those.forEach(one -> one.stop.raise());
        those.forEach(one -> stuck.await(one.what, one.gate::shut, node.team()));
    }

    private EndReport endRunOnce(EndRun command) {
        SlaveRun run = runs.get(command.run());
        if (run == null) {
            joins.end(command.run(), command.succeeded());
            return new EndReport(new long[0], 0);
        }
        run.stop();
        stuck.await(run.program(), run::awaitEnd, node.team());
        runs.remove(command.run());
        EndReport report = run.end(command.succeeded());
        run.close();
        joins.end(command.run(), command.succeeded());
        if (run.hasExhaustedHeap()) {
            code.exhaustedBy(run.program());
        }
        return report;
    }

    Saved saveRun(SaveRun command) {
        return run(command.run())
                .save(
                        command.superstep(),
                        command.expected(),
                        command.checkpoint(),
                        graphs.checkpoints());
    }

    Done restoreRun(RestoreRun command) {
        SlaveRun run = run(command.run());
        run.restore(command.superstep(), command.chunks());
        return new Done();
    }

    Numbers sendChanges(SendChanges command) {
        SlaveRun run = run(command.run());
        ChangeSender sender = new ChangeSender(run.graph(), node, slaves(command.slaves()));
        return run.inside(() ->
                new Numbers(sender.send(run.changes(), command.attempt(), graphs.checkpoints())));
    }

    Numbers findNamed(FindNamed command) {
        SlaveRun run = run(command.run());
        IdFinder finder = new IdFinder(run.graph(), node);
        return run.inside(() ->
                new Numbers(
                        finder.find(
                                command.forAll(),
                                command.attempt(),
                                graphs.checkpoints(),
                                run.stopSign())));
    }

    VersionReport makeVersion(MakeVersion command) {
        SlaveRun run = run(command.run());
        Slaves slaves = slaves(command.slaves());
        return run.inside(() ->
                new VersionBuild(run.graph(), node, slaves, graphs.checkpoints(), command)
                        .make(run.stopSign()));
    }

    PackReport packVersion(PackVersion command) {
        SlaveRun run = run(command.run());
        return run.inside(() ->
                new GraphPacker(run.graph(), node, graphs.checkpoints(), command)
                        .pack(run.stopSign()));
    }

    private Slaves slaves(int[] nodes) {
        return new Slaves(nodes, node.node());
    }

    Numbers measure(MeasureGraph command) {
        GraphShare share = graphs.graph(command.graph()).share();
        return new Numbers(
                share.shards(),
                share.vertices(),
                share.storedNeighbours(),
                share.neighbourBytes(),
                share.vertexBytes());
    }

    ColumnNames columns(AskColumns command) {
        SortedMap<String, StateType> types = graphs.graph(command.graph()).vertexColumns();
        return new ColumnNames(List.copyOf(types.keySet()), List.copyOf(types.values()));
    }

    Numbers findOrdinal(FindOrdinal command) {
        return new Numbers(graphs.graph(command.graph()).ordinal(command.id()));
    }

    Numbers findIds(FindIds command) {
        StoredGraph graph = graphs.graph(command.graph());
        return new Numbers(Arrays.stream(command.ordinals()).map(graph::id).toArray());
    }

    TextsFound findTexts(FindTexts command) {
        return new TextsFound(graphs.graph(command.graph()).texts().read(command.numbers()));
    }

    Numbers findNumbers(FindNumbers command) {
        return new Numbers(graphs.graph(command.graph()).texts().numbers(command.texts()));
    }

    PartsWritten writeParts(WriteParts command) {
        StoredGraph graph = graphs.graph(command.graph());
        return write(command.attempt(), graph, StateLines.of(command, graph, node), false);
    }

    PartsWritten writeTable(WriteTable command) {
        StoredGraph graph = graphs.graph(command.graph());
        return write(command.attempt(), graph, new ShardTableFile(command, graph, node), true);
    }

    private PartsWritten write(
            long attempt, StoredGraph graph, PartWriting.ShardFile file, boolean evenEmpty) {
        PartWriting writing = new PartWriting(graph, node, file);
        writings.put(attempt, writing);
        try {
            if (attempt <= lastEnded.get()) {
                throw new JobCancelledException("the writing has ended");
            }
            return writing.write(evenEmpty);
        } finally {
            writings.remove(attempt);
        }
    }

    /** Runs a program over parts of a structure, some at once. */
    SweptParts sweep(SweepParts command) {
        JobCode jars = code.of(command.term(), command.jars());
        ProgramFactory factory = jars.program(command.program());
        Parameters parameters = ParameterCodec.read(command.parameters());
        String what = "program " + command.program();
        Program[] programs =
                code.call(
                        jars,
                        what,
                        () ->
                                IntStream.range(0, node.team().size())
                                        .mapToObj(_ -> factory.create(parameters))
                                        .toArray(Program[]::new));
        if (!(programs[0] instanceof PartProgram)) {
            throw new InvalidInputException(
                    "program \"%s\" runs over graphs, not over parts of structures"
                            .formatted(command.program()));
        }
        sweeps.forEach(StopSign::raise); // one that went on behind the loss of another slave
        stuck.await("a program over a structure", node.team()::awaitIdle, node.team());
        Rows[] rows = new Rows[command.chunks().length];
        StopSign stop = new StopSign();
        sweeps.add(stop);
        try {
            node.team()
                    .forEach(
                            rows.length,
                            stop,
                            (worker, part) ->
                                    rows[part] =
                                            sweep((PartProgram) programs[worker], command, part));
        } finally {
            sweeps.remove(stop);
        }
        return new SweptParts(List.of(rows));
    }

    private Rows sweep(PartProgram program, SweepParts command, int part) {
        byte[] chunk = node.chunks().get(command.chunks()[part]);
        try {
            return new Rows(
                    PartReader.run(
                            program,
                            command.source(),
                            command.into(),
                            chunk,
                            command.tokens()[part]));
        } catch (InvalidInputException | JobFailedException | StoreException said) {
            throw said;
        } catch (RuntimeException thrown) {
            throw new JobFailedException(
                    "program \"%s\" throws on a part of %s: %s"
                            .formatted(command.program(), command.source().kind(), thrown),
                    thrown);
        }
    }

    Done endWriting(EndWriting command) {
        lastEnded.accumulateAndGet(command.attempt(), Math::max);
        PartWriting writing = writings.get(command.attempt());
        if (writing != null) {
            writing.stop();
            stuck.await("a result's file", writing::awaitEnd, node.team());
        }
        return new Done();
    }

    // blocks

    void onRunBlock(long address, int bytes) {
        SlaveRun run = runs.get(BlockLayout.owner(address));
        if (run != null) { // a run that has ended: blocks of a cancelled superstep
            run.onBlock(address, bytes);
        }
    }

    void onBuildBlock(int from, long address, int bytes) {
        SlaveBuild build = builds.get(BlockLayout.owner(address));
        if (build != null && build.gate().enter()) {
            try {
                build.onBlock(from, address, bytes);
            } finally {
                build.gate().leave();
            }
        }
    }

    // private

    /** A new master leads: what older ones' commands made is of no use to it. */
    private void forgetAll() {
        for (Long run : List.copyOf(runs.keySet())) {
            endRun(new EndRun(run, false));
        }
        for (Long build : List.copyOf(builds.keySet())) {
            stopBuild(build);
        }
        joins.close();
        graphs.closeAll();
        code.releaseAll();
    }

    private void stopBuild(long number) {
        synchronized (ending) {
            SlaveBuild build = builds.get(number);
            if (build != null) {
                build.stop();
                stuck.await("a source of edges", build.gate()::shut, node.team());
                builds.remove(number);
                build.close();
            }
        }
    }

    private Done attach(Attach command) {
        SlaveBuild build = builds.get(command.build());
        return graphs.attach(command, build == null ? null : build.takeInputDegrees());
    }

    private SlaveRun run(long run) {
        SlaveRun known = runs.get(run);
        if (known == null) {
            throw new IllegalStateException("run " + run + " is not known here");
        }
        return known;
    }

    /** Does a step of a build, which nobody ends meanwhile. */
    private <R> R inBuild(long build, Function<SlaveBuild, R> step) {
        SlaveBuild known = builds.get(build);
        if (known == null || !known.gate().enter()) {
            throw new IllegalStateException("build " + build + " is not known here");
        }
        try {
            return step.apply(known);
        } finally {
            known.gate().leave();
        }
    }

    @Override
    public String toString() {
        return number == Attempt.EMBEDDED ? "the session's work" : "work of job " + number;
    }
}
