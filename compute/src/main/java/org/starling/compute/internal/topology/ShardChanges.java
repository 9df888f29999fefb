package org.starling.compute.internal.topology;

import it.unimi.dsi.fastutil.Arrays;
import org.starling.compute.internal.graph.ChangeLayout;

/**
 * Changes of the rows of one shard in one direction: counted, put in, sorted. Those of a row stand
 * together, by the other end; of an edge first that it goes, then that it comes, with the smallest
 * weight first. Confined to one thread at a time.
 */
final class ShardChanges {
    /** Hears of the edges of a row that has been changed, ascending. */
    interface EdgeVisitor {
        void edge(long target, float weight);
    }

    /** A row as it was. */
    interface Row {
        int degree();

        long target(int index);

        float weight(int index);
    }

    private int count;
    private int[] rows = {};
    private long[] others = {};
    private byte[] kinds = {};
    private float[] weights = {};

    /** Makes room for one more. */
    void expect() {
        count = Math.incrementExact(count);
    }

    /** All that is expected has been counted. */
    void begin() {
        rows = new int[count];
        others = new long[count];
        kinds = new byte[count];
        weights = new float[count];
        count = 0;
    }

    /** Puts one in. */
    void add(int row, long other, int kind, float weight) {
        rows[count] = row;
        others[count] = other;
        kinds[count] = (byte) kind;
        weights[count++] = weight;
    }

    /** All are in. */
    void sort() {
        Arrays.quickSort(0, count, this::compare, this::swap);
    }

    /** The first change that is not of a row before this one. */
    int first(int row) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows[middle] < row) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Visits the edges of a row behind its changes, those with a new end among them. */
    void merge(int number, Row row, EdgeVisitor visitor) {
        int at = first(number);
        int index = 0;
        while (index < row.degree() || (at < count && rows[at] == number)) {
            boolean named = at < count && rows[at] == number;
            long here = index < row.degree() ? row.target(index) : Long.MAX_VALUE;
            long target = named ? Math.min(here, others[at]) : here;
            boolean there = here == target;
            float weight = there ? row.weight(index) : 0;
            index += there ? 1 : 0;
            for (; at < count && rows[at] == number && others[at] == target; at++) {
                if (kinds[at] == ChangeLayout.REMOVE_EDGE) {
                    there = false;
                } else if (!there || Float.compare(weights[at], weight) < 0) {
                    there = true;
                    weight = weights[at];
                }
            }
            if (there) {
                visitor.edge(target, weight);
            }
        }
    }

    private int compare(int left, int right) {
        int order = Integer.compare(rows[left], rows[right]);
        order = order != 0 ? order : Long.compare(others[left], others[right]);
        order = order != 0 ? order : Byte.compare(kinds[left], kinds[right]);
        return order != 0 ? order : Float.compare(weights[left], weights[right]);
    }

    private void swap(int left, int right) {
        int row = rows[left];
        rows[left] = rows[right];
        rows[right] = row;
        long other = others[left];
        others[left] = others[right];
        others[right] = other;
        byte kind = kinds[left];
        kinds[left] = kinds[right];
        kinds[right] = kind;
        float weight = weights[left];
        weights[left] = weights[right];
        weights[right] = weight;
    }
}
