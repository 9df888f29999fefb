package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import jdk.jfr.FlightRecorder;
import org.starling.compute.SuperstepRecord;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Master;
import org.starling.graph.Program;

/**
 * A run as the master sees it: its own instance of the program, aggregates, what is pending, and
 * the command for the next superstep.
 *
 * <p>The instance declares over an empty graph, so its channels and states have no vertices.
 * Confined to the job's thread.
 */
public final class MasterRun implements AutoCloseable {
    private final long run;
    private final String name;
    private final GraphInfo info;
    private final NodeContext node;
    private final StoredGraph nothing;
    private final RunContext context;
    private final Worker worker;
    private final int slaves;
    private final boolean alwaysActive;
    private final boolean resumes;
    private final boolean changesTopology;
    private final long expectedSupersteps;
    private final MemoryForecast forecast;
    private final Map<ColumnJoin, StateType> joinTypes = new HashMap<>();
    private final List<DirectionChoice> choices = new ArrayList<>();
    private final long[] expected;
    private int superstep;
    private boolean activateAll;
    private boolean halted;
    private boolean over;
    private long changes;
    private boolean mirrors;
    private Direction[] directions;
    private long pending;
    private long messages;
    private long computed;
    private boolean repeatable = true;
    private RunHistory history = new RunHistory();

    /**
     * Makes the master's instance.
     *
     * @param run number of the run
     * @param info the graph
     * @param node the master's node
     * @param slaves number of slaves
     * @param name name of the program
     * @param program the instance
     * @throws org.starling.graph.InvalidInputException if the graph is not stored in a way that the
     *     program can work with
     */
    public MasterRun(
            long run, GraphInfo info, NodeContext node, int slaves, String name, Program program) {
        this.run = run;
        this.name = name;
        this.info = info;
        this.node = node;
        this.slaves = slaves;
        this.nothing = new StoredGraph(emptyGraph(info), node.node(), node.chunks());
        this.context =
                new RunContext(run, nothing, info, node, Map.of(), Long.MAX_VALUE, new StopSign());
        this.worker = new Worker(context, new Slaves(new int[] {node.node()}, node.node()));
        try {
            RunDeclaration declaration = worker.declare(program);
            declaration.demands().check(name, info);
            this.alwaysActive = declaration.isAlwaysActive();
            this.resumes = program.resumes();
            this.changesTopology = worker.changesTopology();
            this.expectedSupersteps = declaration.expectedSupersteps();
            this.forecast = MemoryForecast.of(context, declaration.startsSomewhere());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        for (Channel channel : context.channels) {
            choices.add(new DirectionChoice(channel.op(), info.incoming()));
        }
        this.directions = new Direction[choices.size()];
        Arrays.fill(directions, Direction.NONE);
        this.expected = new long[slaves];
    }

    /** Columns of other graphs that the program wants before it starts. */
    public List<ColumnJoin> joins() {
        return List.copyOf(context.joins);
    }

    /**
     * The type of a column of another graph is known.
     *
     * @param program its name, for people
     * @param of type of the column
     * @throws InvalidInputException if the program has declared another one
     */
    public void joins(String program, ColumnJoin join, StateType of) {
        StateType type = join.stateType(of);
        StateType declared = context.usedType(join.state());
        if (declared != null && !declared.equals(type)) {
            throw new InvalidInputException(
                    "program %s reads \"%s\" as %s, but column \"%s\" of graph \"%s\" is %s"
                            .formatted(
                                    program,
                                    join.state(),
                                    declared,
                                    join.column(),
                                    join.graph(),
                                    of));
        }
        join.otherwiseBits(type);
        context.existingState(join.state(), type);
        joinTypes.put(join, type);
    }

    /** The type that the state of a join gets. */
    public StateType joinType(ColumnJoin join) {
        return Objects.requireNonNull(joinTypes.get(join), "a join that nobody has looked at");
    }

    /** The command of the superstep to come, for a slave. */
    public Superstep command(int slave) {
        return command(slave, false);
    }

    /** The first half of it alone: what was broadcast comes to its receivers. */
    public Superstep delivery(int slave) {
        return command(slave, true);
    }

    private Superstep command(int slave, boolean deliverOnly) {
        return new Superstep(
                run,
                superstep,
                deliverOnly,
                activateAll,
                directions,
                mirrors && !deliverOnly,
                expected[slave],
                context.aggregates.values(),
                context.globals.values());
    }

    /**
     * Takes the reports of a superstep.
     *
     * @param reports in the order of slaves
     * @param nanos time from the command to the last report
     * @return whether there is a next superstep
     */
    public boolean advance(List<SuperstepReport> reports, long nanos) {
        reduceAggregates(reports);
        Direction[] delivered = directions;
        long messagesBefore = messages;
        plan(reports);
        SuperstepRecord record = record(reports, delivered, messages - messagesBefore, nanos);
        history.add(record);
        if (FlightRecorder.isInitialized()) {
            SuperstepEvent.commit(name, run, record);
        }
        activateAll = false;
        context.globals.setOpen(true);
        worker.program().afterSuperstep(new View());
        context.globals.setOpen(false);
        if (changesTopology && worker.changes().count() > 0) {
            throw new JobFailedException(
                    "program %s asks for changes of the graph outside of its vertices (in afterSuperstep or declare), where nobody hears it; ask in start or compute"
                            .formatted(name));
        }
        superstep++;
        over = halted || !(pending > 0 || activateAll || alwaysActive);
        return !over;
    }

    /** Whether there is no superstep to come. */
    public boolean isOver() {
        return over;
    }

    /** Whether anything was broadcast that has not been delivered. */
    public boolean hasBroadcasts() {
        return Arrays.stream(directions).anyMatch(direction -> direction != Direction.NONE);
    }

    /** What was broadcast has been delivered. */
    public void delivered() {
        Arrays.fill(directions, Direction.NONE);
    }

    /** Whether the program may change the topology. */
    public boolean changesTopology() {
        return changesTopology;
    }

    /** Changes of the topology that were asked for in the last superstep. */
    public long changes() {
        return changes;
    }

    /** The topology has changed; vertices that are new in it begin unless the run was halted. */
    public void changed(boolean added) {
        changes = 0;
        over &= halted || !added;
    }

    /** Goes on with the records of an earlier part of the run. */
    public void goOn(RunHistory earlier) {
        history = earlier;
    }

    /** What new instances of all slaves' runs and of this one need to go on from here. */
    public MasterRunState state() {
        return new MasterRunState(
                superstep,
                over,
                activateAll,
                mirrors,
                directions.clone(),
                choices.stream().map(DirectionChoice::last).toArray(Direction[]::new),
                pending,
                messages,
                computed,
                context.aggregates.values(),
                context.globals.values());
    }

    /** Goes on where another instance was; before the first superstep. */
    public void restore(MasterRunState state) {
        if (state.directions().length != choices.size()) {
            throw new IllegalStateException("a checkpoint of another program");
        }
        superstep = state.superstep();
        over = state.over();
        activateAll = state.activateAll();
        mirrors = state.mirrors();
        directions = state.directions().clone();
        for (int c = 0; c < choices.size(); c++) {
            choices.get(c).setLast(state.lastDirections()[c]);
        }
        pending = state.pending();
        messages = state.messages();
        computed = state.computed();
        context.aggregates.set(state.aggregates());
        context.globals.set(state.globals());
        repeatable = !hasUnrepeatableChannel(); // nobody knows what was sent before
    }

    /** Records of direct messages that a slave must get for the superstep to come. */
    public long expected(int slave) {
        return expected[slave];
    }

    /** Whether the program can go on in new instances. */
    public boolean resumes() {
        return resumes;
    }

    /**
     * Whether the same run would leave the same once more, bit for bit: not if values that depend
     * on their order were combined as they came, and not if it has read another graph, which may
     * have changed or gone.
     */
    public boolean isRepeatable() {
        return repeatable && context.joins.isEmpty();
    }

    /** How many supersteps the run takes, about; 0 if the program does not say. */
    public long expectedSupersteps() {
        return expectedSupersteps;
    }

    /** States that the program has named. */
    public Map<String, StateType> states() {
        Map<String, StateType> states = new TreeMap<>();
        context.usedStates().forEach(state -> states.put(state.name(), state.type()));
        return states;
    }

    /** Number of supersteps done. */
    public int supersteps() {
        return superstep;
    }

    /** Messages so far. */
    public long messages() {
        return messages;
    }

    /** Vertices that computed in the last superstep. */
    public long computed() {
        return computed;
    }

    /** What happened, superstep by superstep; of a run that goes on after a loss, from there on. */
    public List<SuperstepRecord> history() {
        return history.records();
    }

    /** What the run can take of slaves' memory. */
    public MemoryForecast forecast() {
        return forecast;
    }

    /** Messages of a superstep in which every vertex broadcasts on every channel. */
    public long mostMessages() {
        long paths = context.channels.stream().mapToLong(c -> c.paths().count()).sum();
        return paths * info.storedEdges();
    }

    /** Values of aggregators in the last superstep. */
    public Aggregates aggregates() {
        return context.aggregates;
    }

    /** Names of histograms, in the order of declaration. */
    public List<String> histograms() {
        return worker.histograms.stream().map(HistogramHandle::name).toList();
    }

    @Override
    public void close() {
        worker.close();
        context.close();
        nothing.close();
        node.memory().close();
    }

    /** Partial values are combined in the order of shards, whoever owns them. */
    private void reduceAggregates(List<SuperstepReport> reports) {
        int count = context.aggregates.count();
        if (count == 0) {
            return;
        }
        long[][] byShard = new long[info.shards()][];
        for (SuperstepReport report : reports) {
            for (int i = 0; i < report.shards().length; i++) {
                long[] partials = new long[count];
                System.arraycopy(report.partials(), i * count, partials, 0, count);
                byShard[report.shards()[i]] = partials;
            }
        }
        long[] values = context.aggregates.identities();
        for (long[] partials : byShard) {
            if (partials != null) {
                context.aggregates.combine(values, partials, 0);
            }
        }
        context.aggregates.set(values);
    }

    private SuperstepRecord record(
            List<SuperstepReport> reports, Direction[] delivered, long sent, long nanos) {
        long bytes = 0;
        SuperstepReport slowest = reports.getFirst();
        for (SuperstepReport report : reports) {
            bytes += report.bytes();
            slowest = report.slowestNanos() > slowest.slowestNanos() ? report : slowest;
        }
        String direction = "none";
        for (Direction each : delivered) {
            direction = SuperstepRecord.bothDirections(direction, word(each));
        }
        return new SuperstepRecord(
                superstep,
                superstep,
                computed,
                direction,
                sent,
                bytes,
                nanos / 1e9,
                slowest.slowestShard(),
                slowest.slowestNanos() / 1e9);
    }

    private static String word(Direction direction) {
        return switch (direction) {
            case NONE -> "none";
            case PUSH -> "push";
            case PULL, PULL_ALL -> "pull";
        };
    }

    private void plan(List<SuperstepReport> reports) {
        long[] broadcasters = new long[choices.size()];
        long[] edges = new long[choices.size()];
        long published = 0;
        long settledEdges = 0;
        pending = 0;
        changes = 0;
        computed = 0;
        Arrays.fill(expected, 0);
        for (SuperstepReport report : reports) {
            computed += report.computed();
            pending += report.sent();
            messages += report.sent();
            repeatable &= report.sent() == 0 || !hasUnrepeatableChannel();
            published += report.published();
            settledEdges += report.settledEdges();
            changes += report.changes();
            for (int slave = 0; slave < slaves; slave++) {
                expected[slave] += report.sentTo()[slave];
            }
            for (int c = 0; c < broadcasters.length; c++) {
                broadcasters[c] += report.broadcasts()[c];
                edges[c] += report.broadcastEdges()[c];
            }
        }
        mirrors = published > 0;
        pending += published;
        directions = new Direction[choices.size()];
        for (int c = 0; c < broadcasters.length; c++) {
            pending += broadcasters[c];
            messages += edges[c];
            int paths = context.channels.get(c).paths().count();
            directions[c] =
                    choices.get(c)
                            .choose(
                                    info.vertices(),
                                    broadcasters[c],
                                    edges[c],
                                    paths * (info.storedEdges() - settledEdges),
                                    paths * info.storedEdges());
        }
    }

    /** Broadcasts are pulled in the order of neighbours where that matters; sends are not. */
    private boolean hasUnrepeatableChannel() {
        return context.channels.stream().anyMatch(channel -> channel.op().isUnrepeatable());
    }

    private static GraphDescriptor emptyGraph(GraphInfo info) {
        long[] none = {};
        return new GraphDescriptor(
                info.name(),
                0,
                info.directed(),
                info.weighted(),
                true, // what the graph lacks is told in GraphDemands
                info.neighbourBytes(),
                none,
                new long[] {0},
                new int[0],
                none,
                none,
                none,
                List.of(),
                none,
                0,
                info.textIds(),
                0);
    }

    private final class View implements Master {
        @Override
        public int superstep() {
            return superstep;
        }

        @Override
        public long pending() {
            return pending;
        }

        @Override
        public void activateAll() {
            activateAll = true;
        }

        @Override
        public void halt() {
            halted = true;
        }
    }
}
