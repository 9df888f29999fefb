package org.starling.compute.internal.run;

import java.util.Objects;
import org.starling.compute.internal.graph.Column;
import org.starling.graph.DoubleVectorState;
import org.starling.graph.FloatVectorState;
import org.starling.graph.IntVectorState;
import org.starling.graph.LongVectorState;
import org.starling.net.NativeMemory;

/** A state column of vectors as programs see it; both indexes are checked. */
abstract class VectorHandle {
    private final long address;
    private final long vertices;
    private final int length;

    VectorHandle(Column column, long vertices) {
        this.address = column.address();
        this.vertices = vertices;
        this.length = column.type().length();
    }

    public final int length() {
        return length;
    }

    final long at(long ordinal, int index, int shift) {
        long first = Objects.checkIndex(ordinal, vertices) * length;
        return address + ((first + Objects.checkIndex(index, length)) << shift);
    }

    /** Integers of 32 bits. */
    static final class OfInt extends VectorHandle implements IntVectorState {
        OfInt(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public int get(long ordinal, int index) {
            return NativeMemory.getInt(at(ordinal, index, 2));
        }

        @Override
        public void set(long ordinal, int index, int value) {
            NativeMemory.putInt(at(ordinal, index, 2), value);
        }
    }

    /** Integers of 64 bits. */
    static final class OfLong extends VectorHandle implements LongVectorState {
        OfLong(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public long get(long ordinal, int index) {
            return NativeMemory.getLong(at(ordinal, index, 3));
        }

        @Override
        public void set(long ordinal, int index, long value) {
            NativeMemory.putLong(at(ordinal, index, 3), value);
        }
    }

    /** Floating point numbers of 32 bits. */
    static final class OfFloat extends VectorHandle implements FloatVectorState {
        OfFloat(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public float get(long ordinal, int index) {
            return NativeMemory.getFloat(at(ordinal, index, 2));
        }

        @Override
        public void set(long ordinal, int index, float value) {
            NativeMemory.putFloat(at(ordinal, index, 2), value);
        }
    }

    /** Floating point numbers of 64 bits. */
    static final class OfDouble extends VectorHandle implements DoubleVectorState {
        OfDouble(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public double get(long ordinal, int index) {
            return NativeMemory.getDouble(at(ordinal, index, 3));
        }

        @Override
        public void set(long ordinal, int index, double value) {
            NativeMemory.putDouble(at(ordinal, index, 3), value);
        }
    }
}
