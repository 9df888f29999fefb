package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.FloatCombiner;
import org.starling.graph.IntCombiner;
import org.starling.graph.LongCombiner;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;
import org.starling.net.NativeMemory;

/** Small parts of a run: kernels, choices, memory, aggregates, globals, slaves. */
final class RunPartsTest {
    private long before;

    @BeforeEach
    void remember() {
        before = NativeMemory.reservedBytes();
    }

    @AfterEach
    void leavesNothing() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    /** Does nothing. */
    private static class First implements VertexProgram {
        @Override
        public void declare(Declaration graph) {}

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }

    /** Another class that does nothing. */
    private static final class Second extends First {}

    private static final AdjacencyLayout NARROW = new AdjacencyLayout(4, false);

    @Test
    void givesEveryLayoutOfRowsAKernelOfItsOwn() {
        ValueOp min = new ValueOp.OfInt(IntCombiner.MIN);
        PullKernel narrow = KernelCompiler.pull(min, NARROW);
        PullKernel wide = KernelCompiler.pull(min, new AdjacencyLayout(8, false));
        PushKernel calls = KernelCompiler.push(new ValueOp.OfVertex(8), NARROW);

        assertThat(wide.getClass()).isNotEqualTo(narrow.getClass());
        assertThat(KernelCompiler.pull(min, new AdjacencyLayout(8, false))).isSameAs(wide);
        assertThat(KernelCompiler.push(new ValueOp.OfVertex(8), NARROW)).isSameAs(calls);
        assertThat(KernelCompiler.push(new ValueOp.OfVertex(4), NARROW)).isNotSameAs(calls);
    }

    @Test
    void pushesEverythingWhereReceiversDoNotKnowTheirSenders() {
        DirectionChoice choice = new DirectionChoice(new ValueOp.OfVertex(4), false);

        assertThat(choice.choose(100, 100, 1_000, 1_000, 1_000)).isEqualTo(Direction.PUSH);
        assertThat(choice.choose(100, 0, 0, 1_000, 1_000)).isEqualTo(Direction.NONE);
    }

    @Test
    void givesEveryProgramAndCombinerAKernelOfItsOwn() {
        VertexKernel first = KernelCompiler.vertices(First.class);
        VertexKernel second = KernelCompiler.vertices(Second.class);
        PullKernel min = KernelCompiler.pull(new ValueOp.OfInt(IntCombiner.MIN), NARROW);
        PullKernel max = KernelCompiler.pull(new ValueOp.OfInt(IntCombiner.MAX), NARROW);
        PushKernel push = KernelCompiler.push(new ValueOp.OfInt(IntCombiner.MIN), NARROW);

        assertThat(first.getClass()).isNotEqualTo(second.getClass());
        assertThat(first.getClass().isHidden()).isTrue();
        assertThat(KernelCompiler.vertices(First.class)).isSameAs(first);
        assertThat(min.getClass()).isNotEqualTo(max.getClass());
        assertThat(KernelCompiler.pull(new ValueOp.OfInt(IntCombiner.MIN), NARROW)).isSameAs(min);
        assertThat(KernelCompiler.push(new ValueOp.OfInt(IntCombiner.MIN), NARROW)).isSameAs(push);
        assertThat(KernelCompiler.push(new ValueOp.OfLong(LongCombiner.MIN), NARROW))
                .isNotSameAs(push);
    }

    /** Holds a value. */
    private record Above(int floor) implements IntCombiner {
        @Override
        public int combine(int left, int right) {
            return Math.max(floor, Math.max(left, right));
        }

        @Override
        public int identity() {
            return Integer.MIN_VALUE;
        }
    }

    @Test
    void sharesNoKernelAmongCombinersWithFields() {
        assertThat(KernelCompiler.push(new ValueOp.OfInt(new Above(3)), NARROW))
                .isNotSameAs(KernelCompiler.push(new ValueOp.OfInt(new Above(4)), NARROW));
    }

    @Test
    void pushesFewAndPullsManyWhenAllValuesCount() {
        DirectionChoice choice = new DirectionChoice(new ValueOp.OfInt(IntCombiner.SUM), true);

        assertThat(choice.choose(1_000, 0, 0, 10_000, 10_000)).isEqualTo(Direction.NONE);
        assertThat(choice.choose(1_000, 10, 2_000, 10_000, 10_000)).isEqualTo(Direction.PUSH);
        assertThat(choice.choose(1_000, 10, 2_001, 10_000, 10_000)).isEqualTo(Direction.PULL);
        assertThat(choice.choose(1_000, 1_000, 10_000, 10_000, 10_000))
                .isEqualTo(Direction.PULL_ALL);
        assertThat(choice.choose(1_000, 900, 10_000, 9_000, 10_000)).isEqualTo(Direction.PULL_ALL);
        assertThat(choice.choose(1_000, 1, 1, 10_000, 10_000)).isEqualTo(Direction.PUSH);
    }

    @Test
    void staysPullingUntilFewAreLeftWhereOneValueIsEnough() {
        DirectionChoice choice = new DirectionChoice(new ValueOp.OfVertex(4), true);

        assertThat(choice.choose(1_800, 1, 600, 9_000, 9_000)).isEqualTo(Direction.PUSH);
        assertThat(choice.choose(1_800, 1, 601, 9_000, 9_000)).isEqualTo(Direction.PULL);
        assertThat(choice.choose(1_800, 100, 1, 9_000, 9_000)).isEqualTo(Direction.PULL);
        assertThat(choice.choose(1_800, 99, 1, 9_000, 9_000)).isEqualTo(Direction.PUSH);
        assertThat(choice.choose(1_800, 100, 1, 9_000, 9_000)).isEqualTo(Direction.PUSH);
    }

    @Test
    void alwaysPullsSumsOfFloatingPoint() {
        for (ValueOp op :
                new ValueOp[] {
                    new ValueOp.OfDouble(DoubleCombiner.SUM), new ValueOp.OfFloat(FloatCombiner.SUM)
                }) {
            assertThat(new DirectionChoice(op, true).choose(1_000_000, 1, 1, 1_000_000, 1_000_000))
                    .isEqualTo(Direction.PULL);
        }
    }

    @Test
    void givesMemoryOutAsZerosAgain() {
        try (ZeroedMemory memory = new ZeroedMemory()) {
            long region = memory.take(4_096);
            NativeMemory.fill(region, 4_096, (byte) 7);
            memory.giveBack(region, 4_096);

            long again = memory.take(4_096);

            assertThat(again).isEqualTo(region);
            for (int at = 0; at < 4_096; at += 8) {
                assertThat(NativeMemory.getLong(again + at)).isZero();
            }
            long other = memory.take(8_192);
            assertThat(other).isNotEqualTo(again);
            memory.giveBack(other, 8_192);
            memory.giveBack(again, 4_096);
        }
    }

    @Test
    void releasesWhatItDoesNotWantToKeep() {
        try (ZeroedMemory memory = new ZeroedMemory()) {
            long large = 300L << 20;
            long region = memory.take(large);
            memory.giveBack(region, large);

            assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
        }
    }

    @Test
    void keepsAggregatesByNameAndKind() {
        Aggregates aggregates = new Aggregates();
        int sum = aggregates.declare("sum", new ValueOp.OfLong(LongCombiner.SUM));
        int least = aggregates.declare("least", new ValueOp.OfDouble(DoubleCombiner.MIN));
        assertThat(aggregates.declare("sum", new ValueOp.OfLong(LongCombiner.SUM))).isEqualTo(sum);

        long[] values = aggregates.identities();
        aggregates.combine(values, new long[] {99, 4, Double.doubleToRawLongBits(-2), 5, 6}, 1);
        aggregates.set(values);

        assertThat(aggregates.count()).isEqualTo(2);
        assertThat(aggregates.value(sum)).isEqualTo(4);
        assertThat(Double.longBitsToDouble(aggregates.value(least))).isEqualTo(-2);
        assertThat(aggregates.value("sum", false)).isEqualTo(4);
        assertThatThrownBy(() -> aggregates.value("sum", true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> aggregates.set(new long[1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void opensGlobalsForTheMasterOnly() {
        Globals globals = new Globals();
        var number = globals.longHandle("number", 5);
        var fraction = globals.doubleHandle("fraction", 0.5);

        assertThatThrownBy(() -> number.set(6)).isInstanceOf(IllegalStateException.class);
        globals.setOpen(true);
        number.set(7);
        fraction.set(0.75);
        globals.setOpen(false);

        assertThat(number.get()).isEqualTo(7);
        assertThat(fraction.get()).isEqualTo(0.75);
        assertThatThrownBy(() -> fraction.set(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> globals.set(new long[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsSlavesByNodeAndIndex() {
        Slaves slaves = new Slaves(new int[] {1, 4, 9}, 4);

        assertThat(slaves.selfIndex()).isEqualTo(1);
        assertThat(slaves.indexOf(9)).isEqualTo(2);
        assertThat(slaves.indexOf(2)).isEqualTo(-1);
        assertThat(slaves.indexOf(1_000)).isEqualTo(-1);
        assertThat(slaves.indexOf(-1)).isEqualTo(-1);
        assertThat(slaves.isAlone()).isFalse();
        assertThat(new Slaves(new int[] {3}, 0).selfIndex()).isEqualTo(-1);
    }

    @Test
    void growsHistogramsToTheirBound() {
        HistogramHandle histogram = new HistogramHandle("h", new StopSign());
        histogram.add(org.starling.graph.Histogram.MAX_BUCKETS - 1, 3);
        histogram.add(17, 1);

        assertThat(histogram.counts()[17]).isEqualTo(1);
        assertThat(histogram.counts()).hasSize(org.starling.graph.Histogram.MAX_BUCKETS);
        assertThatThrownBy(() -> histogram.add(org.starling.graph.Histogram.MAX_BUCKETS, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> histogram.add(-1, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
