package org.starling.compute.internal.run;

import org.starling.graph.DoubleAggregator;
import org.starling.graph.LongAggregator;

/**
 * An aggregator as one worker's program sees it; its partial value is that of one shard. Confined
 * to the worker's thread.
 */
abstract class AggregatorHandle {
    private final Aggregates aggregates;
    private final int index;
    private final ValueOp op;
    private long partial;

    AggregatorHandle(Aggregates aggregates, int index, ValueOp op) {
        this.aggregates = aggregates;
        this.index = index;
        this.op = op;
        this.partial = op.identity();
    }

    /** Bits of the partial value; it begins anew. */
    final long takePartial() {
        long taken = partial;
        partial = op.identity();
        return taken;
    }

    final int index() {
        return index;
    }

    final void addBits(long bits) {
        partial = op.combine(partial, bits);
    }

    final long valueBits() {
        return aggregates.value(index);
    }

    /** Integers. */
    static final class OfLong extends AggregatorHandle implements LongAggregator {
        OfLong(Aggregates aggregates, int index, ValueOp op) {
            super(aggregates, index, op);
        }

        @Override
        public void add(long value) {
            addBits(value);
        }

        @Override
        public long value() {
            return valueBits();
        }
    }

    /** Floating point numbers. */
    static final class OfDouble extends AggregatorHandle implements DoubleAggregator {
        OfDouble(Aggregates aggregates, int index, ValueOp op) {
            super(aggregates, index, op);
        }

        @Override
        public void add(double value) {
            addBits(Double.doubleToRawLongBits(value));
        }

        @Override
        public double value() {
            return Double.longBitsToDouble(valueBits());
        }
    }
}
