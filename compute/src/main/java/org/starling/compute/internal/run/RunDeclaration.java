package org.starling.compute.internal.run;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.EdgeColumn;
import org.starling.compute.internal.graph.StateType;
import org.starling.graph.Adjacency;
import org.starling.graph.BooleanState;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.DoubleMirror;
import org.starling.graph.DoubleState;
import org.starling.graph.DoubleVectorState;
import org.starling.graph.EdgeDirection;
import org.starling.graph.EdgeStringProperty;
import org.starling.graph.EdgeValues;
import org.starling.graph.FloatChannel;
import org.starling.graph.FloatCombiner;
import org.starling.graph.FloatState;
import org.starling.graph.FloatVectorState;
import org.starling.graph.GraphInfo;
import org.starling.graph.Histogram;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.IntVectorState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.LongVectorState;
import org.starling.graph.PerNode;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordLayout;
import org.starling.graph.StringProperty;
import org.starling.graph.TextOutput;
import org.starling.graph.Topology;
import org.starling.graph.VertexChannel;

/**
 * Answers one program instance's declarations with handles over what the node's workers share.
 * Lives as long as the program declares.
 */
final class RunDeclaration implements Declaration {
    private final RunContext context;
    private final Worker worker;
    private final long vertices;
    private final Set<String> names = new HashSet<>();
    private final GraphDemands demands = new GraphDemands();
    private long[] startIds = {};
    private boolean startsSomewhere;
    private boolean alwaysActive;
    private long expectedSupersteps;

    RunDeclaration(RunContext context, Worker worker) {
        this.context = context;
        this.worker = worker;
        this.vertices = context.graph.shards().vertices();
    }

    /** Ids at which the program wants to start; empty for all vertices. */
    long[] startIds() {
        return startIds.clone();
    }

    /** Whether only the vertices of {@link #startIds} start. */
    boolean startsSomewhere() {
        return startsSomewhere;
    }

    /** Whether all vertices compute in every superstep. */
    boolean isAlwaysActive() {
        return alwaysActive;
    }

    /** How many supersteps the run takes, about; 0 if the program does not say. */
    long expectedSupersteps() {
        return expectedSupersteps;
    }

    /** What the program wants of the storage of the graph. */
    GraphDemands demands() {
        return demands;
    }

    @Override
    public GraphInfo graph() {
        return context.info;
    }

    @Override
    public IntState intState(String name, int initial) {
        Column column = newState(name, ColumnType.INT, initial);
        return new StateHandle.OfInt(column, vertices);
    }

    @Override
    public LongState longState(String name, long initial) {
        Column column = newState(name, ColumnType.LONG, initial);
        return new StateHandle.OfLong(column, vertices);
    }

    @Override
    public LongState vertexState(String name, long initial) {
        Column column = newState(name, ColumnType.VERTEX, initial);
        return new StateHandle.OfLong(column, vertices);
    }

    @Override
    public LongState idState(String name, long initial) {
        Column column = newState(name, context.idType(), initial);
        return new StateHandle.OfLong(column, vertices);
    }

    @Override
    public LongState existingIdState(String name) {
        return new StateHandle.OfLong(existing(name, context.idType()), vertices);
    }

    @Override
    public FloatState floatState(String name, float initial) {
        Column column = newState(name, ColumnType.FLOAT, Float.floatToRawIntBits(initial));
        return new StateHandle.OfFloat(column, vertices);
    }

    @Override
    public DoubleState doubleState(String name, double initial) {
        Column column = newState(name, ColumnType.DOUBLE, Double.doubleToRawLongBits(initial));
        return new StateHandle.OfDouble(column, vertices);
    }

    @Override
    public BooleanState booleanState(String name, boolean initial) {
        Column column = newState(name, ColumnType.BOOLEAN, initial ? 1 : 0);
        return new StateHandle.OfBoolean(column, vertices);
    }

    @Override
    public BooleanState existingBooleanState(String name) {
        return new StateHandle.OfBoolean(existing(name, ColumnType.BOOLEAN), vertices);
    }

    @Override
    public EdgeValues edgeValues(String name) {
        EdgeColumn column = context.edgeColumn(name);
        if (column != null && column.property().isString()) {
            throw new InvalidInputException(
                    "column \"%s\" of edges of graph \"%s\" is a string; declare it by edgeStringProperty"
                            .formatted(name, context.info.name()));
        }
        return EdgeValuesHandle.of(name, column);
    }

    @Override
    public void join(String state, String other, String column, Number otherwise) {
        declareName("state", state);
        context.join(new ColumnJoin(state, other, column, otherwise));
    }

    @Override
    public StringProperty stringProperty(String name) {
        return new StringPropertyHandle(context.strings(name));
    }

    @Override
    public EdgeStringProperty edgeStringProperty(String name) {
        EdgeColumn column = context.edgeColumn(name);
        if (column != null && !column.property().isString()) {
            throw new InvalidInputException(
                    "column \"%s\" of edges of graph \"%s\" is %s, no string; declare it by edgeValues"
                            .formatted(name, context.info.name(), column.property().type()));
        }
        return new EdgeStringPropertyHandle(column);
    }

    @Override
    public IntState existingIntState(String name) {
        return new StateHandle.OfInt(existing(name, ColumnType.INT), vertices);
    }

    @Override
    public LongState existingLongState(String name) {
        return new StateHandle.OfLong(existing(name, ColumnType.LONG), vertices);
    }

    @Override
    public LongState existingVertexState(String name) {
        return new StateHandle.OfLong(existing(name, ColumnType.VERTEX), vertices);
    }

    @Override
    public FloatState existingFloatState(String name) {
        return new StateHandle.OfFloat(existing(name, ColumnType.FLOAT), vertices);
    }

    @Override
    public DoubleState existingDoubleState(String name) {
        return new StateHandle.OfDouble(existing(name, ColumnType.DOUBLE), vertices);
    }

    @Override
    public IntVectorState intVectorState(String name, int length) {
        return new VectorHandle.OfInt(newVectors(name, ColumnType.INT, length), vertices);
    }

    @Override
    public IntVectorState existingIntVectorState(String name, int length) {
        return new VectorHandle.OfInt(vectors(name, ColumnType.INT, length), vertices);
    }

    @Override
    public LongVectorState longVectorState(String name, int length) {
        return new VectorHandle.OfLong(newVectors(name, ColumnType.LONG, length), vertices);
    }

    @Override
    public LongVectorState existingLongVectorState(String name, int length) {
        return new VectorHandle.OfLong(vectors(name, ColumnType.LONG, length), vertices);
    }

    @Override
    public FloatVectorState floatVectorState(String name, int length) {
        return new VectorHandle.OfFloat(newVectors(name, ColumnType.FLOAT, length), vertices);
    }

    @Override
    public FloatVectorState existingFloatVectorState(String name, int length) {
        return new VectorHandle.OfFloat(vectors(name, ColumnType.FLOAT, length), vertices);
    }

    @Override
    public DoubleVectorState doubleVectorState(String name, int length) {
        return new VectorHandle.OfDouble(newVectors(name, ColumnType.DOUBLE, length), vertices);
    }

    @Override
    public DoubleVectorState existingDoubleVectorState(String name, int length) {
        return new VectorHandle.OfDouble(vectors(name, ColumnType.DOUBLE, length), vertices);
    }

    @Override
    public IntChannel intChannel(String name, IntCombiner combiner, EdgeDirection broadcasts) {
        return channel(
                new ChannelHandle.OfInt(
                        worker, shared(name, new ValueOp.OfInt(combiner), broadcasts)));
    }

    @Override
    public LongChannel longChannel(String name, LongCombiner combiner, EdgeDirection broadcasts) {
        return channel(
                new ChannelHandle.OfLong(
                        worker, shared(name, new ValueOp.OfLong(combiner), broadcasts)));
    }

    @Override
    public FloatChannel floatChannel(
            String name, FloatCombiner combiner, EdgeDirection broadcasts) {
        return channel(
                new ChannelHandle.OfFloat(
                        worker, shared(name, new ValueOp.OfFloat(combiner), broadcasts)));
    }

    @Override
    public DoubleChannel doubleChannel(
            String name, DoubleCombiner combiner, EdgeDirection broadcasts) {
        return channel(
                new ChannelHandle.OfDouble(
                        worker, shared(name, new ValueOp.OfDouble(combiner), broadcasts)));
    }

    @Override
    public VertexChannel vertexChannel(String name, EdgeDirection broadcasts) {
        ValueOp.OfVertex op = new ValueOp.OfVertex(context.info.neighbourBytes());
        return channel(new ChannelHandle.OfVertex(worker, shared(name, op, broadcasts), op));
    }

    @Override
    public RecordChannel recordChannel(String name, RecordLayout layout, long messages) {
        declareName("channel", name);
        layout.complete();
        RecordStream stream = context.records(name, layout, messages);
        RecordHandle handle = new RecordHandle(worker, stream, layout, context.graph.out());
        worker.records.add(handle);
        return handle;
    }

    @Override
    public IntMirror intMirror(String name, int initial) {
        declareName("mirror", name);
        Mirror mirror = context.mirror(name, ColumnType.INT, initial);
        return new MirrorHandle.OfInt(worker, mirror, vertices);
    }

    @Override
    public LongMirror longMirror(String name, long initial) {
        declareName("mirror", name);
        Mirror mirror = context.mirror(name, ColumnType.LONG, initial);
        return new MirrorHandle.OfLong(worker, mirror, vertices);
    }

    @Override
    public DoubleMirror doubleMirror(String name, double initial) {
        declareName("mirror", name);
        Mirror mirror =
                context.mirror(name, ColumnType.DOUBLE, Double.doubleToRawLongBits(initial));
        return new MirrorHandle.OfDouble(worker, mirror, vertices);
    }

    @Override
    public LongAggregator longAggregator(String name, LongCombiner combiner) {
        declareName("aggregator", name);
        int index = context.aggregates.declare(name, new ValueOp.OfLong(combiner));
        AggregatorHandle.OfLong handle =
                new AggregatorHandle.OfLong(context.aggregates, index, combiner);
        worker.aggregators.add(handle);
        return handle;
    }

    @Override
    public DoubleAggregator doubleAggregator(String name, DoubleCombiner combiner) {
        declareName("aggregator", name);
        int index = context.aggregates.declare(name, new ValueOp.OfDouble(combiner));
        AggregatorHandle.OfDouble handle =
                new AggregatorHandle.OfDouble(context.aggregates, index, combiner);
        worker.aggregators.add(handle);
        return handle;
    }

    @Override
    public Histogram histogram(String name) {
        declareName("histogram", name);
        HistogramHandle handle = new HistogramHandle(name, context.stop);
        worker.histograms.add(handle);
        return handle;
    }

    @Override
    public LongGlobal longGlobal(String name, long initial) {
        return context.globals.longHandle(name, initial);
    }

    @Override
    public DoubleGlobal doubleGlobal(String name, double initial) {
        return context.globals.doubleHandle(name, initial);
    }

    @Override
    public TextOutput textOutput(String name) {
        TextOutputHandle handle =
                new TextOutputHandle(
                        context.stop, context.output(name), context.run, context.idTexts());
        worker.outputs.add(handle);
        return handle;
    }

    @Override
    public <T> PerNode<T> perNode(String name, Supplier<T> build) {
        return () -> context.perNode(name, build);
    }

    @Override
    public Adjacency wholeGraph() {
        return context.whole();
    }

    @Override
    public Topology topology() {
        return new TopologyHandle(context.graph, worker.changes());
    }

    @Override
    public void startAt(long... ids) {
        startIds = Arrays.copyOf(ids, ids.length);
        startsSomewhere = true;
    }

    @Override
    public void alwaysActive() {
        alwaysActive = true;
    }

    @Override
    public void expectSupersteps(long about) {
        expectedSupersteps = about;
    }

    @Override
    public void needsIncomingEdges() {
        if (context.info.directed()) {
            demands.incoming();
        }
    }

    @Override
    public void needsNarrowNeighbours() {
        demands.narrow();
    }

    /** A name may be declared once in its kind: handles are found by their order. */
    private void declareName(String kind, String name) {
        if (!names.add(kind + ' ' + name)) {
            throw new IllegalArgumentException(
                    "the program declares " + kind + " \"" + name + "\" twice");
        }
    }

    private Column newState(String name, ColumnType type, long initial) {
        declareName("state", name);
        return context.newState(name, StateType.of(type), initial);
    }

    private Column existing(String name, ColumnType type) {
        return context.existingState(name, StateType.of(type));
    }

    private Column newVectors(String name, ColumnType element, int length) {
        declareName("state", name);
        if (length < 1 || length > MAX_VECTOR_LENGTH) {
            throw new IllegalArgumentException(
                    "state \"%s\" has vectors of %d elements; from 1 to %d are possible"
                            .formatted(name, length, MAX_VECTOR_LENGTH));
        }
        return context.newState(name, new StateType(element, length), 0);
    }

    private Column vectors(String name, ColumnType element, int length) {
        return context.existingState(name, new StateType(element, length));
    }

    private Channel shared(String name, ValueOp op, EdgeDirection broadcasts) {
        demands.channel(name, op, broadcasts);
        return context.channel(name, op, broadcasts);
    }

    private <H extends ChannelHandle> H channel(H handle) {
        declareName("channel", handle.channel().name());
        worker.channels.add(handle);
        return handle;
    }
}
