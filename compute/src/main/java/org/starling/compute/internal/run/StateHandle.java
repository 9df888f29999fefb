package org.starling.compute.internal.run;

import java.util.Objects;
import org.starling.compute.internal.graph.Column;
import org.starling.graph.BooleanState;
import org.starling.graph.DoubleState;
import org.starling.graph.FloatState;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.net.NativeMemory;

/**
 * A state column as programs see it: bounds are checked, so that a wrong ordinal is an exception
 * and not a broken process.
 */
abstract class StateHandle {
    private final long address;
    private final long vertices;

    StateHandle(Column column, long vertices) {
        this.address = column.address();
        this.vertices = vertices;
    }

    final long at(long ordinal, int shift) {
        return address + (Objects.checkIndex(ordinal, vertices) << shift);
    }

    /** False and true. */
    static final class OfBoolean extends StateHandle implements BooleanState {
        OfBoolean(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public boolean get(long ordinal) {
            return NativeMemory.getByte(at(ordinal, 0)) != 0;
        }

        @Override
        public void set(long ordinal, boolean value) {
            NativeMemory.putByte(at(ordinal, 0), (byte) (value ? 1 : 0));
        }
    }

    /** Integers of 32 bits. */
    static final class OfInt extends StateHandle implements IntState {
        OfInt(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public int get(long ordinal) {
            return NativeMemory.getInt(at(ordinal, 2));
        }

        @Override
        public void set(long ordinal, int value) {
            NativeMemory.putInt(at(ordinal, 2), value);
        }
    }

    /** Integers of 64 bits. */
    static final class OfLong extends StateHandle implements LongState {
        OfLong(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public long get(long ordinal) {
            return NativeMemory.getLong(at(ordinal, 3));
        }

        @Override
        public void set(long ordinal, long value) {
            NativeMemory.putLong(at(ordinal, 3), value);
        }
    }

    /** Floating point numbers of 32 bits. */
    static final class OfFloat extends StateHandle implements FloatState {
        OfFloat(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public float get(long ordinal) {
            return NativeMemory.getFloat(at(ordinal, 2));
        }

        @Override
        public void set(long ordinal, float value) {
            NativeMemory.putFloat(at(ordinal, 2), value);
        }
    }

    /** Floating point numbers of 64 bits. */
    static final class OfDouble extends StateHandle implements DoubleState {
        OfDouble(Column column, long vertices) {
            super(column, vertices);
        }

        @Override
        public double get(long ordinal) {
            return NativeMemory.getDouble(at(ordinal, 3));
        }

        @Override
        public void set(long ordinal, double value) {
            NativeMemory.putDouble(at(ordinal, 3), value);
        }
    }
}
