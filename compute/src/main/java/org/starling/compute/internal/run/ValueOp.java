package org.starling.compute.internal.run;

import org.starling.graph.DoubleCombiner;
import org.starling.graph.FloatCombiner;
import org.starling.graph.IntCombiner;
import org.starling.graph.LongCombiner;
import org.starling.graph.VertexChannel;

/**
 * A channel's type and combiner over raw bits: what kernels need to know of it. Records, because
 * kernels hold one as a constant (see {@link KernelCompiler}) and the compiler trusts fields of
 * records: calls through them fold away.
 */
sealed interface ValueOp {
    /** Bytes per value: 4 or 8. */
    int width();

    /** Bits that change nothing. */
    long identity();

    /** Bits for two. */
    long combine(long left, long right);

    /** True if one value is as good as all. */
    default boolean isSatisfiedByFirst() {
        return false;
    }

    /** True if a broadcast carries nothing but its sender. */
    default boolean isVertex() {
        return false;
    }

    /** Bytes that a broadcast carries beside its sender. */
    default int broadcastBytes() {
        return isVertex() ? 0 : width();
    }

    /**
     * True if the order of combining changes the result, so that broadcasts must be pulled, in the
     * order of neighbours.
     */
    default boolean isOrderSensitive() {
        return false;
    }

    /** True if what comes out depends on the order in which values happen to come together. */
    default boolean isUnrepeatable() {
        return isOrderSensitive() || (isSatisfiedByFirst() && !isVertex());
    }

    /** Integers of 32 bits, sign-extended. */
    record OfInt(IntCombiner combiner) implements ValueOp {
        @Override
        public int width() {
            return Integer.BYTES;
        }

        @Override
        public long identity() {
            return combiner.identity();
        }

        @Override
        public long combine(long left, long right) {
            return combiner.combine((int) left, (int) right);
        }

        @Override
        public boolean isSatisfiedByFirst() {
            return combiner instanceof IntCombiner.Standard known
                    && known == IntCombiner.Standard.ANY;
        }
    }

    /** Integers of 64 bits. */
    record OfLong(LongCombiner combiner) implements ValueOp {
        @Override
        public int width() {
            return Long.BYTES;
        }

        @Override
        public long identity() {
            return combiner.identity();
        }

        @Override
        public long combine(long left, long right) {
            return combiner.combine(left, right);
        }

        @Override
        public boolean isSatisfiedByFirst() {
            return combiner instanceof LongCombiner.Standard known
                    && known == LongCombiner.Standard.ANY;
        }
    }

    /** Floating point numbers of 32 bits. */
    record OfFloat(FloatCombiner combiner) implements ValueOp {
        @Override
        public int width() {
            return Float.BYTES;
        }

        @Override
        public long identity() {
            return Float.floatToRawIntBits(combiner.identity());
        }

        @Override
        public long combine(long left, long right) {
            return Float.floatToRawIntBits(
                    combiner.combine(
                            Float.intBitsToFloat((int) left), Float.intBitsToFloat((int) right)));
        }

        @Override
        public boolean isSatisfiedByFirst() {
            return combiner instanceof FloatCombiner.Standard known
                    && known == FloatCombiner.Standard.ANY;
        }

        @Override
        public boolean isOrderSensitive() {
            return combiner instanceof FloatCombiner.Standard known
                    && known == FloatCombiner.Standard.SUM;
        }
    }

    /** Floating point numbers of 64 bits. */
    record OfDouble(DoubleCombiner combiner) implements ValueOp {
        @Override
        public int width() {
            return Double.BYTES;
        }

        @Override
        public long identity() {
            return Double.doubleToRawLongBits(combiner.identity());
        }

        @Override
        public long combine(long left, long right) {
            return Double.doubleToRawLongBits(
                    combiner.combine(
                            Double.longBitsToDouble(left), Double.longBitsToDouble(right)));
        }

        @Override
        public boolean isSatisfiedByFirst() {
            return combiner instanceof DoubleCombiner.Standard known
                    && known == DoubleCombiner.Standard.ANY;
        }

        @Override
        public boolean isOrderSensitive() {
            return combiner instanceof DoubleCombiner.Standard known
                    && known == DoubleCombiner.Standard.SUM;
        }
    }

    /**
     * Ordinals, unsigned, in as many bytes as in rows; the smallest wins. Rows are ascending, so
     * the first one found in a row is the smallest.
     *
     * @param width 4 or 8
     */
    record OfVertex(int width) implements ValueOp {
        /** The caller whose bits these are, or {@link VertexChannel#NONE}. */
        long caller(long bits) {
            return bits == identity()
                    ? VertexChannel.NONE
                    : width == Integer.BYTES ? Integer.toUnsignedLong((int) bits) : bits;
        }

        @Override
        public long identity() {
            return -1;
        }

        @Override
        public long combine(long left, long right) {
            return (width == Integer.BYTES
                                    ? Integer.compareUnsigned((int) left, (int) right)
                                    : Long.compareUnsigned(left, right))
                            <= 0
                    ? left
                    : right;
        }

        @Override
        public boolean isSatisfiedByFirst() {
            return true;
        }

        @Override
        public boolean isVertex() {
            return true;
        }
    }
}
