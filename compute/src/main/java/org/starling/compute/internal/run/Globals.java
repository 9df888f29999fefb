package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.LongGlobal;

/**
 * Values that the master sets and vertices read. One for each slave's run and one on the master;
 * set by the control thread between supersteps and published to workers by the start of their job.
 */
public final class Globals {
    private final List<String> names = new ArrayList<>();
    private long[] values = {};
    private boolean open;

    private int declare(String name, long initial) {
        int index = names.indexOf(name);
        if (index < 0) {
            index = names.size();
            names.add(name);
            values = Arrays.copyOf(values, index + 1);
            values[index] = initial;
        }
        return index;
    }

    /** Bits of all values. */
    public long[] values() {
        return values.clone();
    }

    /** Sets all values. */
    public void set(long[] newValues) {
        if (newValues.length != names.size()) {
            throw new IllegalArgumentException(newValues.length + " values for " + names);
        }
        values = newValues.clone();
    }

    /**
     * Opens or closes the values for {@code set} of handles: open on the master between supersteps.
     */
    public void setOpen(boolean nowOpen) {
        open = nowOpen;
    }

    private void set(int index, long bits) {
        if (!open) {
            throw new IllegalStateException(
                    "global \"" + names.get(index) + "\" can be set in afterSuperstep only");
        }
        values[index] = bits;
    }

    LongGlobal longHandle(String name, long initial) {
        int index = declare(name, initial);
        return new LongGlobal() {
            @Override
            public long get() {
                return values[index];
            }

            @Override
            public void set(long value) {
                Globals.this.set(index, value);
            }
        };
    }

    DoubleGlobal doubleHandle(String name, double initial) {
        int index = declare(name, Double.doubleToRawLongBits(initial));
        return new DoubleGlobal() {
            @Override
            public double get() {
                return Double.longBitsToDouble(values[index]);
            }

            @Override
            public void set(double value) {
                Globals.this.set(index, Double.doubleToRawLongBits(value));
            }
        };
    }
}
