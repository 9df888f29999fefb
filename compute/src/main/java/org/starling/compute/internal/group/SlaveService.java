package org.starling.compute.internal.group;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.build.SlaveBuild;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.ComputeMessage.Attach;
import org.starling.compute.internal.protocol.ComputeMessage.BuildRead;
import org.starling.compute.internal.protocol.ComputeMessage.Bytes;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Drop;
import org.starling.compute.internal.protocol.ComputeMessage.EndBuild;
import org.starling.compute.internal.protocol.ComputeMessage.EndReport;
import org.starling.compute.internal.protocol.ComputeMessage.EndRun;
import org.starling.compute.internal.protocol.ComputeMessage.ExchangeIds;
import org.starling.compute.internal.protocol.ComputeMessage.FindOrdinal;
import org.starling.compute.internal.protocol.ComputeMessage.MakeRows;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.ComputeMessage.PartReport;
import org.starling.compute.internal.protocol.ComputeMessage.PrepareExchange;
import org.starling.compute.internal.protocol.ComputeMessage.PrepareReport;
import org.starling.compute.internal.protocol.ComputeMessage.PrepareRun;
import org.starling.compute.internal.protocol.ComputeMessage.RankIds;
import org.starling.compute.internal.protocol.ComputeMessage.ReadIds;
import org.starling.compute.internal.protocol.ComputeMessage.ReadState;
import org.starling.compute.internal.protocol.ComputeMessage.SampleIds;
import org.starling.compute.internal.protocol.ComputeMessage.SendEdges;
import org.starling.compute.internal.protocol.ComputeMessage.StateReply;
import org.starling.compute.internal.protocol.ComputeMessage.Status;
import org.starling.compute.internal.protocol.ComputeMessage.Superstep;
import org.starling.compute.internal.protocol.ComputeMessage.SuperstepReport;
import org.starling.compute.internal.protocol.ComputeMessage.Translate;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.SlaveRun;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.net.Execution;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.Network;
import org.starling.net.Request;
import org.starling.net.Responder;
import org.starling.store.StoreNode;

/**
 * A slave: does what the master says, with a team of workers, over the graphs of this node.
 *
 * <p>The master sends one command at a time, so commands need no locks among themselves; they run
 * on the network's workers, supersteps and blocks on receiving threads. Owned by whoever started
 * the node.
 */
public final class SlaveService implements AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final StoreNode store;
    private final NodeContext node;
    private final Map<String, StoredGraph> graphs = new ConcurrentHashMap<>();
    private final Map<Integer, SlaveRun> runs = new ConcurrentHashMap<>();
    private final Map<Integer, SlaveBuild> builds = new ConcurrentHashMap<>();

    /**
     * Largest number of a build or run that has ended: a cancelled command may begin behind its own
     * end. Written by the one command that ends something, read by those that begin.
     */
    private volatile int lastEnded;

    /** Work that may fail in ways that the master should hear of. */
    private interface Work<Q, R> {
        R apply(Q command) throws IOException;
    }

    /** Starts the service on a node, with so many worker threads. */
    public SlaveService(StoreNode store, int threads) {
        this.store = store;
        this.node =
                new NodeContext(
                        store.nodeId(),
                        store.network(),
                        store.chunks(),
                        new WorkerTeam("worker-" + store.nodeId(), threads),
                        new ZeroedMemory());
        register();
    }

    /** Id of the node. */
    public int nodeId() {
        return node.node();
    }

    @Override
    public void close() {
        runs.values().forEach(SlaveRun::stop);
        builds.values().forEach(SlaveBuild::stop);
        node.team().close();
        if (!node.team().awaitEnd(STOP_TIMEOUT)) {
            return; // user code that does not end: what it works in must stay
        }
        runs.values().forEach(SlaveRun::close);
        builds.values().forEach(SlaveService::closeBuild);
        graphs.values().forEach(StoredGraph::close);
        graphs.clear();
        node.memory().close();
    }

    private static void closeBuild(SlaveBuild build) {
        build.gate().shut();
        build.close();
    }

    private void register() {
        Network network = node.network();
        network.handleRaw(
                BlockLayout.RUN_BLOCK, (from, address, bytes) -> onRunBlock(address, bytes));
        network.handleRaw(BlockLayout.BUILD_BLOCK, this::onBuildBlock);
        network.serveAsync(
                Superstep.TYPE,
                Execution.INLINE,
                (from, command, responder) -> superstep(command, responder));
        serve(BuildRead.TYPE, this::buildRead);
        serve(
                SampleIds.TYPE,
                command ->
                        inBuild(
                                command.build(),
                                build -> new Numbers(build.sampleIds(command.samples()))));
        serve(ExchangeIds.TYPE, this::exchangeIds);
        serve(RankIds.TYPE, this::rankIds);
        serve(
                Translate.TYPE,
                command ->
                        inBuild(
                                command.build(),
                                build ->
                                        new Numbers(
                                                build.translate(
                                                        command.vertices(),
                                                        command.granuleShift()))));
        serve(PrepareExchange.TYPE, this::prepareExchange);
        serve(SendEdges.TYPE, this::sendEdges);
        serve(MakeRows.TYPE, command -> inBuild(command.build(), SlaveBuild::makeRows));
        serve(EndBuild.TYPE, this::endBuild);
        serve(Attach.TYPE, this::attach);
        serve(Drop.TYPE, this::drop);
        serve(PrepareRun.TYPE, this::prepareRun);
        serve(EndRun.TYPE, this::endRun);
        serve(ReadState.TYPE, this::readState);
        serve(ReadIds.TYPE, this::readIds);
        serve(
                FindOrdinal.TYPE,
                command -> new Numbers(new long[] {graph(command.graph()).ordinal(command.id())}));
        serve(Status.TYPE, command -> new Numbers(new long[] {ProcessMemory.peakResidentBytes()}));
    }

    private <R extends Message, Q extends Request<R>> void serve(
            MessageType<Q> type, Work<Q, R> work) {
        node.network()
                .serve(
                        type,
                        Execution.WORKER,
                        (from, command) -> {
                            try {
                                return work.apply(command);
                            } catch (IOException e) {
                                throw CommandFailedException.of(
                                        new InvalidInputException(
                                                "cannot read: " + e.getMessage(), e));
                            } catch (RuntimeException e) {
                                throw CommandFailedException.of(e);
                            }
                        });
    }

    private void onRunBlock(long address, int bytes) {
        SlaveRun run = runs.get(BlockLayout.owner(address));
        if (run != null) { // a run that has ended: blocks of a cancelled superstep
            run.onBlock(address, bytes);
        }
    }

    private void onBuildBlock(int from, long address, int bytes) {
        SlaveBuild build = builds.get(BlockLayout.owner(address));
        if (build != null && build.gate().enter()) {
            try {
                build.onBlock(from, address, bytes);
            } finally {
                build.gate().leave();
            }
        }
    }

    private void superstep(Superstep command, Responder<SuperstepReport> responder) {
        SlaveRun run = runs.get(command.run());
        if (run == null) {
            responder.fail(
                    new IllegalStateException("run " + command.run() + " is not known here"));
            return;
        }
        CompletableFuture<SuperstepReport> report = run.superstep(command);
        report.thenAccept(responder::respond)
                .exceptionally(thrown -> {
                    responder.fail(thrown);
                    return null;
                })
                .isDone(); // answers when it is
    }

    private PartReport buildRead(BuildRead command) throws IOException {
        Parameters parameters = ParameterCodec.read(command.parameters());
        SlaveBuild build =
                new SlaveBuild(
                        command.build(),
                        node,
                        new Slaves(command.slaves(), node.node()),
                        Services.edgeSource(command.source()).create(parameters),
                        new BuildOptions(command.directed(), command.inputDegrees()));
        builds.put(command.build(), build);
        if (command.build() <= lastEnded && builds.remove(command.build()) != null) {
            build.close();
            throw new JobCancelledException("the build has ended");
        }
        return inBuild(command.build(), made -> made.read(command.parts()));
    }

    private Numbers exchangeIds(ExchangeIds command) {
        return inBuild(
                command.build(),
                build -> new Numbers(new long[] {build.exchangeIds(command.splitters())}));
    }

    private Done rankIds(RankIds command) {
        return inBuild(
                command.build(),
                build -> {
                    build.rankIds(command.firstOrdinal());
                    return new Done();
                });
    }

    private Done prepareExchange(PrepareExchange command) {
        return inBuild(
                command.build(),
                build -> {
                    build.prepareExchange(command.shardFirsts(), command.shardOwners());
                    return new Done();
                });
    }

    private Done sendEdges(SendEdges command) {
        return inBuild(
                command.build(),
                build -> {
                    build.exchangeEdges();
                    return new Done();
                });
    }

    private Done endBuild(EndBuild command) {
        lastEnded = Math.max(lastEnded, command.build());
        SlaveBuild build = builds.remove(command.build());
        if (build != null) {
            build.stop();
            build.gate().shut();
            if (!command.succeeded()) {
                build.removeChunks();
            }
            build.close();
        }
        return new Done();
    }

    private Done attach(Attach command) {
        GraphDescriptor descriptor =
                DescriptorChunk.read(store.chunks(), command.descriptorChunk());
        StoredGraph graph = new StoredGraph(descriptor, node.node(), store.chunks());
        SlaveBuild build = builds.get(command.build());
        Column degrees = build == null ? null : build.takeInputDegrees();
        if (degrees != null) {
            graph.putState(degrees);
        }
        graphs.put(descriptor.name(), graph);
        return new Done();
    }

    private Done drop(Drop command) {
        StoredGraph graph = graphs.remove(command.graph());
        if (graph != null) {
            GraphDescriptor descriptor = graph.descriptor();
            ShardTable shards = graph.shards();
            graph.close();
            for (int shard : shards.shardsOf(node.node())) {
                if (shards.size(shard) > 0) {
                    store.chunks().removeRange(descriptor.outRanges()[shard], shards.size(shard));
                    if (descriptor.directed()) {
                        store.chunks()
                                .removeRange(descriptor.inRanges()[shard], shards.size(shard));
                    }
                }
                if (!descriptor.dense()) {
                    store.chunks().remove(descriptor.idChunks()[shard]);
                }
            }
        }
        return new Done();
    }

    private PrepareReport prepareRun(PrepareRun command) {
        ProgramProvider provider = Services.program(command.program());
        Parameters parameters = ParameterCodec.read(command.parameters());
        SlaveRun run =
                new SlaveRun(
                        command.run(),
                        graph(command.graph()),
                        node,
                        new Slaves(command.slaves(), node.node()),
                        () -> provider.create(parameters),
                        ParameterCodec.readFiles(command.outputs()));
        runs.put(command.run(), run);
        if (command.run() <= lastEnded && runs.remove(command.run()) != null) {
            run.end(false);
            run.close();
            throw new JobCancelledException("the run has ended");
        }
        return run.prepared();
    }

    private EndReport endRun(EndRun command) {
        lastEnded = Math.max(lastEnded, command.run());
        SlaveRun run = runs.get(command.run());
        if (run == null) {
            return new EndReport(new long[0]);
        }
        run.stop();
        node.team().awaitIdle(Duration.ofMinutes(10));
        runs.remove(command.run());
        EndReport report = run.end(command.succeeded());
        run.close();
        return report;
    }

    private StateReply readState(ReadState command) {
        StoredGraph graph = graph(command.graph());
        Column column = graph.state(command.state());
        if (column == null) {
            throw new InvalidInputException(
                    "graph \""
                            + command.graph()
                            + "\" has no state \""
                            + command.state()
                            + "\"; it has "
                            + graph.stateNames());
        }
        long first = graph.shards().first(command.shard());
        byte[] values = new byte[graph.shards().size(command.shard()) * column.type().width()];
        NativeMemory.copyToArray(
                column.address() + first * column.type().width(), values, 0, values.length);
        return new StateReply(column.type().number(), values);
    }

    private Bytes readIds(ReadIds command) {
        StoredGraph graph = graph(command.graph());
        return new Bytes(store.chunks().get(graph.descriptor().idChunks()[command.shard()]));
    }

    /** Does a step of a build, which nobody ends meanwhile. */
    private <R> R inBuild(int number, Function<SlaveBuild, R> step) {
        SlaveBuild build = builds.get(number);
        if (build == null || !build.gate().enter()) {
            throw new IllegalStateException("build " + number + " is not known here");
        }
        try {
            return step.apply(build);
        } finally {
            build.gate().leave();
        }
    }

    private StoredGraph graph(String name) {
        @Nullable StoredGraph graph = graphs.get(name);
        if (graph == null) {
            throw new InvalidInputException(
                    "there is no graph \"" + name + "\"; there are " + graphs.keySet());
        }
        return graph;
    }
}
