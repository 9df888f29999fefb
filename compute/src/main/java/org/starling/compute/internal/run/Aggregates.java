package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.graph.JobFailedException;

/**
 * Values of a program's aggregators in the last superstep. One for each slave's run and one on the
 * master; filled while programs declare, then set between supersteps by the control thread and
 * published to workers by the start of their job.
 */
public final class Aggregates {
    private final List<String> names = new ArrayList<>();
    private final List<ValueOp> ops = new ArrayList<>();
    private long[] values = {};

    /** Number of an aggregator, declared now or by an earlier instance of the program. */
    int declare(String name, ValueOp op) {
        int index = names.indexOf(name);
        if (index < 0) {
            index = names.size();
            names.add(name);
            ops.add(op);
            values = Arrays.copyOf(values, index + 1);
            values[index] = op.identity();
        }
        return index;
    }

    /** Number of aggregators. */
    public int count() {
        return names.size();
    }

    /** Bits of identities: where a superstep begins. */
    public long[] identities() {
        return ops.stream().mapToLong(ValueOp::identity).toArray();
    }

    /** Combines partial values, from {@code offset} on, into others. */
    public void combine(long[] into, long[] partials, int offset) {
        for (int i = 0; i < into.length; i++) {
            into[i] = ops.get(i).combine(into[i], partials[offset + i]);
        }
    }

    /**
     * Bits of one for two bits of an aggregator's values, which come in any order.
     *
     * @throws JobFailedException if that order makes a difference
     */
    long combineUnordered(int index, long left, long right) {
        ValueOp op = ops.get(index);
        if (op.isUnrepeatable() && right != op.identity()) {
            throw new JobFailedException(
                    "aggregator \"%s\" comes out otherwise in another order of its values, and workers of a team come in any; add to it where shards are computed"
                            .formatted(names.get(index)));
        }
        return op.combine(left, right);
    }

    /** Sets the values of the superstep just finished. */
    public void set(long[] newValues) {
        if (newValues.length != names.size()) {
            throw new IllegalArgumentException(newValues.length + " values for " + names);
        }
        values = newValues.clone();
    }

    /** Bits of all values of the superstep just finished. */
    public long[] values() {
        return values.clone();
    }

    /**
     * Bits of one value.
     *
     * @param floating whether a floating point value is asked for
     * @throws IllegalArgumentException if there is no such aggregator of that kind
     */
    public long value(String name, boolean floating) {
        int index = names.indexOf(name);
        if (index < 0 || ops.get(index) instanceof ValueOp.OfDouble != floating) {
            throw new IllegalArgumentException("no aggregator \"" + name + "\" among " + names);
        }
        return values[index];
    }

    long value(int index) {
        return values[index];
    }

    /** All values of the superstep just finished: a {@link Long} or a {@link Double} each. */
    public SortedMap<String, Number> byName() {
        SortedMap<String, Number> named = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            named.put(
                    names.get(i),
                    ops.get(i) instanceof ValueOp.OfDouble
                            ? (Number) Double.longBitsToDouble(values[i])
                            : (Number) values[i]);
        }
        return named;
    }
}
