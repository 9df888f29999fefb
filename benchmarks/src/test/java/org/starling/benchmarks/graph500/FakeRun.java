package org.starling.benchmarks.graph500;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;
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
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.LongVectorState;
import org.starling.graph.Master;
import org.starling.graph.PerNode;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordLayout;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.StringProperty;
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;
import org.starling.graph.TextOutput;
import org.starling.graph.Topology;
import org.starling.graph.VertexChannel;

/**
 * Runs a shard program on a {@link FakeGraph}, one shard after the other on the calling thread,
 * with the few facilities that the benchmark's programs use. What it does not have throws.
 */
final class FakeRun implements Declaration, Master {

    private static final int MAX_SUPERSTEPS = 10_000;

    private final FakeGraph graph;
    private final Map<String, Aggregator> aggregators = new HashMap<>();
    private final Map<String, Mirror> mirrors = new HashMap<>();
    private int superstep;
    private long pending;
    private boolean activated;
    private boolean halted;

    FakeRun(FakeGraph graph) {
        this.graph = graph;
    }

    RunResult run(ShardProgram program) {
        program.declare(this);
        boolean more = true;
        while (more) {
            if (superstep == MAX_SUPERSTEPS) {
                throw new AssertionError("the program does not end");
            }
            activated = false;
            pending = 0;
            aggregators.values().forEach(Aggregator::restart);
            for (int index = 0; index < graph.info.shards(); index++) {
                program.compute(new FakeShard(index));
            }
            if (program instanceof TeamProgram team) {
                team.together(new FakeTeam());
            }
            aggregators.values().forEach(Aggregator::finish);
            program.afterSuperstep(this);
            mirrors.values().forEach(Mirror::turn);
            more = !halted && (activated || pending > 0);
            superstep += more ? 1 : 0;
        }
        return new Result();
    }

    @Override
    public GraphInfo graph() {
        return graph.info;
    }

    @Override
    public BooleanState booleanState(String name, boolean initial) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void join(String state, String other, String column, Number otherwise) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StringProperty stringProperty(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public EdgeStringProperty edgeStringProperty(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public EdgeValues edgeValues(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BooleanState existingBooleanState(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IntState existingIntState(String name) {
        int[] values = graph.ints(name);
        return new IntState() {
            @Override
            public int get(long ordinal) {
                return values[(int) ordinal];
            }

            @Override
            public void set(long ordinal, int value) {
                values[(int) ordinal] = value;
            }
        };
    }

    @Override
    public LongState existingVertexState(String name) {
        return existingLongState(name);
    }

    @Override
    public LongState existingLongState(String name) {
        long[] values = graph.longs(name);
        return new LongState() {
            @Override
            public long get(long ordinal) {
                return values[(int) ordinal];
            }

            @Override
            public void set(long ordinal, long value) {
                values[(int) ordinal] = value;
            }
        };
    }

    @Override
    public IntMirror intMirror(String name, int initial) {
        Mirror mirror = new Mirror(graph.rows.length, initial);
        mirrors.put(name, mirror);
        return mirror;
    }

    @Override
    public LongAggregator longAggregator(String name, LongCombiner combiner) {
        Aggregator aggregator = new Aggregator(combiner);
        aggregators.put(name, aggregator);
        return aggregator;
    }

    @Override
    public LongGlobal longGlobal(String name, long initial) {
        return new LongGlobal() {
            private long value = initial;

            @Override
            public long get() {
                return value;
            }

            @Override
            public void set(long changed) {
                value = changed;
            }
        };
    }

    @Override
    public <T> PerNode<T> perNode(String name, Supplier<T> build) {
        T shared = build.get();
        return () -> shared;
    }

    @Override
    public void alwaysActive() {
        throw missing();
    }

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
        activated = true;
    }

    @Override
    public void halt() {
        halted = true;
    }

    @Override
    public Histogram histogram(String name) {
        throw missing();
    }

    @Override
    public IntState intState(String name, int initial) {
        throw missing();
    }

    @Override
    public LongState vertexState(String name, long initial) {
        throw missing();
    }

    @Override
    public LongState longState(String name, long initial) {
        throw missing();
    }

    @Override
    public FloatState floatState(String name, float initial) {
        throw missing();
    }

    @Override
    public DoubleState doubleState(String name, double initial) {
        throw missing();
    }

    @Override
    public FloatState existingFloatState(String name) {
        throw missing();
    }

    @Override
    public DoubleState existingDoubleState(String name) {
        throw missing();
    }

    @Override
    public IntChannel intChannel(String name, IntCombiner combiner, EdgeDirection broadcasts) {
        throw missing();
    }

    @Override
    public LongChannel longChannel(String name, LongCombiner combiner, EdgeDirection broadcasts) {
        throw missing();
    }

    @Override
    public FloatChannel floatChannel(
            String name, FloatCombiner combiner, EdgeDirection broadcasts) {
        throw missing();
    }

    @Override
    public DoubleChannel doubleChannel(
            String name, DoubleCombiner combiner, EdgeDirection broadcasts) {
        throw missing();
    }

    @Override
    public VertexChannel vertexChannel(String name, EdgeDirection broadcasts) {
        throw missing();
    }

    @Override
    public IntVectorState intVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public IntVectorState existingIntVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public LongVectorState longVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public LongVectorState existingLongVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public FloatVectorState floatVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public FloatVectorState existingFloatVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public DoubleVectorState doubleVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public DoubleVectorState existingDoubleVectorState(String name, int length) {
        throw missing();
    }

    @Override
    public RecordChannel recordChannel(String name, RecordLayout layout, long messages) {
        throw missing();
    }

    @Override
    public LongMirror longMirror(String name, long initial) {
        throw missing();
    }

    @Override
    public DoubleMirror doubleMirror(String name, double initial) {
        throw missing();
    }

    @Override
    public DoubleAggregator doubleAggregator(String name, DoubleCombiner combiner) {
        throw missing();
    }

    @Override
    public DoubleGlobal doubleGlobal(String name, double initial) {
        throw missing();
    }

    @Override
    public TextOutput textOutput(String name) {
        throw missing();
    }

    @Override
    public Topology topology() {
        throw missing();
    }

    @Override
    public Adjacency wholeGraph() {
        throw missing();
    }

    @Override
    public void startAt(long... ids) {
        throw missing();
    }

    @Override
    public void needsIncomingEdges() {
        throw missing();
    }

    @Override
    public void needsNarrowNeighbours() {
        throw missing();
    }

    private static UnsupportedOperationException missing() {
        return new UnsupportedOperationException("the fake has no such thing");
    }

    /** What the run left. */
    private final class Result implements RunResult {

        @Override
        public SortedSet<String> states() {
            return new TreeSet<>();
        }

        @Override
        public int supersteps() {
            return superstep + 1;
        }

        @Override
        public long messages() {
            return 0;
        }

        @Override
        public double seconds() {
            throw missing();
        }

        @Override
        public long longAggregate(String name) {
            return Objects.requireNonNull(aggregators.get(name), name).value();
        }

        @Override
        public double doubleAggregate(String name) {
            throw missing();
        }

        @Override
        public SortedMap<String, Number> aggregates() {
            throw missing();
        }

        @Override
        public long[] histogram(String name) {
            throw missing();
        }
    }

    private static final class Aggregator implements LongAggregator {

        private final LongCombiner combiner;
        private long current;
        private long finished;

        Aggregator(LongCombiner combiner) {
            this.combiner = combiner;
            this.current = combiner.identity();
            this.finished = combiner.identity();
        }

        @Override
        public void add(long value) {
            current = combiner.combine(current, value);
        }

        @Override
        public long value() {
            return finished;
        }

        void restart() {
            current = combiner.identity();
        }

        void finish() {
            finished = current;
        }
    }

    private final class Mirror implements IntMirror {

        private final int[] values;
        private final Map<Integer, Integer> published = new HashMap<>();

        Mirror(int vertices, int initial) {
            values = new int[vertices];
            Arrays.fill(values, initial);
        }

        @Override
        public void publish(long ordinal, int value) {
            published.put((int) ordinal, value);
            pending++;
        }

        @Override
        public int read(long ordinal) {
            return values[(int) ordinal];
        }

        void turn() {
            published.forEach((ordinal, value) -> values[ordinal] = value);
            published.clear();
        }
    }

    /** The only worker of the only node. */
    private final class FakeTeam implements Team {

        @Override
        public int size() {
            return 1;
        }

        @Override
        public int superstep() {
            return superstep;
        }

        @Override
        public Adjacency adjacency() {
            return new FakeRows(0, graph.rows.length);
        }

        @Override
        public void check() {}
    }

    private final class FakeShard implements Shard {

        private final int index;

        FakeShard(int index) {
            this.index = index;
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public long first() {
            return (long) index * graph.shardVertices;
        }

        @Override
        public long end() {
            return Math.min(first() + graph.shardVertices, graph.rows.length);
        }

        @Override
        public int superstep() {
            return superstep;
        }

        @Override
        public Adjacency adjacency() {
            return new FakeRows(first(), end());
        }

        @Override
        public Adjacency incoming() {
            return adjacency();
        }

        @Override
        public long id(long ordinal) {
            return graph.ids[(int) ordinal];
        }
    }

    private final class FakeRows implements Adjacency {

        private final long first;
        private final long end;

        /** Offsets of rows in memory. */
        private final long[] offsets;

        FakeRows(long first, long end) {
            this.first = first;
            this.end = end;
            this.offsets = new long[(int) (end - first) + 1];
            for (int k = 0; k < offsets.length - 1; k++) {
                offsets[k + 1] = offsets[k] + (long) row(first + k).length * Integer.BYTES;
            }
        }

        @Override
        public int degree(long ordinal) {
            return row(ordinal).length;
        }

        @Override
        public long neighbour(long ordinal, int at) {
            return row(ordinal)[at];
        }

        @Override
        public float weight(long ordinal, int at) {
            return 1f;
        }

        @Override
        public int copy(long ordinal, int[] into, int offset) {
            throw missing();
        }

        @Override
        public boolean contains(long ordinal, long neighbour) {
            return Arrays.binarySearch(row(ordinal), neighbour) >= 0;
        }

        @Override
        public long address(long ordinal) {
            return offsets[(int) (ordinal - first)];
        }

        @Override
        public MemorySegment memory() {
            int[] entries =
                    LongStream.range(first, end)
                            .flatMap(v -> Arrays.stream(row(v)))
                            .mapToInt(neighbour -> (int) neighbour)
                            .toArray();
            return MemorySegment.ofArray(entries);
        }

        private long[] row(long ordinal) {
            if (ordinal < first || ordinal >= end) {
                throw new AssertionError("row of a vertex elsewhere: " + ordinal);
            }
            return graph.rows[(int) ordinal];
        }
    }
}
