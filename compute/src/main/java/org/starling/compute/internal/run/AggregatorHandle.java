package org.starling.compute.internal.run;

import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;

/**
 * An aggregator as one worker's program sees it; its partial value is that of one shard. Confined
 * to the worker's thread.
 */
abstract class AggregatorHandle {
    private final Aggregates aggregates;
    private final int index;

    AggregatorHandle(Aggregates aggregates, int index) {
        this.aggregates = aggregates;
        this.index = index;
    }

    /** Bits of the partial value; it begins anew. */
    abstract long takePartial();

    final int index() {
        return index;
    }

    final long valueBits() {
        return aggregates.value(index);
    }

    /** Integers. */
    static final class OfLong extends AggregatorHandle implements LongAggregator {
        private final LongCombiner combiner;
        private long partial;

        OfLong(Aggregates aggregates, int index, LongCombiner combiner) {
            super(aggregates, index);
            this.combiner = combiner;
            this.partial = combiner.identity();
        }

        @Override
        public void add(long value) {
            partial = combiner.combine(partial, value);
        }

        @Override
        public long value() {
            return valueBits();
        }

        @Override
        long takePartial() {
            long taken = partial;
            partial = combiner.identity();
            return taken;
        }
    }

    /** Floating point numbers, which stay such: bits for each value added would take longer. */
    static final class OfDouble extends AggregatorHandle implements DoubleAggregator {
        private final DoubleCombiner combiner;
        private double partial;

        OfDouble(Aggregates aggregates, int index, DoubleCombiner combiner) {
            super(aggregates, index);
            this.combiner = combiner;
            this.partial = combiner.identity();
        }

        @Override
        public void add(double value) {
            partial = combiner.combine(partial, value);
        }

        @Override
        public double value() {
            return Double.longBitsToDouble(valueBits());
        }

        @Override
        long takePartial() {
            double taken = partial;
            partial = combiner.identity();
            return Double.doubleToRawLongBits(taken);
        }
    }
}
