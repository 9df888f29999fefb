package org.starling.algorithms.cliques;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Branch and bound for the largest clique of a sub-problem, on bits.
 *
 * <p>Source: P. San Segundo, D. Rodríguez-Losada, A. Jiménez, "An exact bit-parallel algorithm for
 * the maximum clique problem", Comput. Oper. Res. 38 (2011): what is left is coloured greedily, and
 * since a clique has no two vertices of one colour, the number of colours bounds what can be found;
 * vertices of the highest colours are branched on first.
 *
 * <p>Encoding: candidates are numbered from 0; row v of {@code rows} has the neighbours of v,
 * {@code stride} words each. The candidates of the call at depth d lie at {@code sets[d stride]}.
 * What calls have to branch on lies on a stack.
 *
 * <p>Which cliques are met, and in which order, depends on the sub-problem alone; the incumbent
 * only says what can be left out. So the first clique met of the largest size does not depend on
 * threads. Complexity: exponential in the number of candidates, at worst. Confined to one worker.
 */
final class MaximumSearch {
    /** Calls between two reports. */
    private static final int REPORT_CALLS = 1 << 12;

    private final Incumbent incumbent;
    private final LongConsumer calls;

    private int root;
    private int stride;
    private int[] labels = new int[0];
    private long[] rows = new long[0];
    private long[] sets = new long[0];
    private long[] uncoloured = new long[0];
    private long[] sameColour = new long[0];
    private int[] members = new int[1];
    private int[] order = new int[0];
    private int[] colours = new int[0];
    private int top;
    private int callsSinceReport;

    /**
     * @param calls hears now and then of so many more calls; may throw to end the search
     */
    MaximumSearch(Incumbent incumbent, LongConsumer calls) {
        this.incumbent = incumbent;
        this.calls = calls;
    }

    /** Forgets the sub-problem before. */
    void begin(int rank, int candidates) {
        root = rank;
        stride = (candidates + Long.SIZE - 1) / Long.SIZE;
        int words = Math.multiplyExact(candidates, stride);
        if (labels.length < candidates) {
            labels = new int[candidates];
            members = new int[candidates + 1];
            uncoloured = new long[stride];
            sameColour = new long[stride];
        }
        if (rows.length < words) {
            rows = new long[words];
        }
        Arrays.fill(rows, 0, words, 0L);
        reserveSets(1);
        Arrays.fill(sets, 0, stride, 0L);
    }

    /** Says who a candidate is. */
    void candidate(int candidate, int rank) {
        labels[candidate] = rank;
        sets[candidate / Long.SIZE] |= 1L << candidate;
    }

    /** Adds the edge between two candidates. */
    void connect(int left, int right) {
        set(rows, left, right);
        set(rows, right, left);
    }

    /** Finds the largest clique of the sub-problem's own vertex and candidates. */
    void search() {
        members[0] = root;
        top = 0;
        if (stride == 0) {
            incumbent.offer(root, members, 1);
        } else {
            expand(0, 1);
        }
        calls.accept(callsSinceReport);
        callsSinceReport = 0;
    }

    private void expand(int depth, int size) {
        if (++callsSinceReport == REPORT_CALLS) {
            calls.accept(callsSinceReport);
            callsSinceReport = 0;
        }
        int set = depth * stride;
        int from = top;
        colour(set, incumbent.need(root) - size);
        reserveSets(depth + 2);
        for (int next = top - 1; next >= from; next--) {
            if (size + colours[next] < incumbent.need(root)) {
                break;
            }
            int v = order[next];
            top = next;
            members[size] = labels[v];
            if (narrow(v, set)) {
                expand(depth + 1, size + 1);
            } else if (size + 1 >= incumbent.need(root)) {
                incumbent.offer(root, members, size + 1);
            }
            sets[set + v / Long.SIZE] &= ~(1L << v);
        }
        top = from;
    }

    /**
     * Colours a set, and pushes its vertices in the order of their colours.
     *
     * @param least vertices of lower colours need not be branched on
     */
    private void colour(int set, int least) {
        System.arraycopy(sets, set, uncoloured, 0, stride);
        boolean left = true;
        for (int colour = 1; left; colour++) {
            System.arraycopy(uncoloured, 0, sameColour, 0, stride);
            take(colour, least);
            left = false;
            for (int word = 0; word < stride && !left; word++) {
                left = uncoloured[word] != 0;
            }
        }
    }

    private void take(int colour, int least) {
        for (int word = 0; word < stride; word++) {
            long bits = sameColour[word];
            while (bits != 0) {
                int v = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                int row = v * stride;
                uncoloured[word] &= ~(1L << v);
                bits &= (bits - 1) & ~rows[row + word];
                for (int other = word + 1; other < stride; other++) {
                    sameColour[other] &= ~rows[row + other];
                }
                if (colour >= least) {
                    push(v, colour);
                }
            }
        }
    }

    /** Makes the candidates that see v; false if there are none. */
    private boolean narrow(int v, int set) {
        long any = 0;
        for (int word = 0; word < stride; word++) {
            long seen = sets[set + word] & rows[v * stride + word];
            sets[set + stride + word] = seen;
            any |= seen;
        }
        return any != 0;
    }

    private void push(int v, int colour) {
        if (top == order.length) {
            order = Arrays.copyOf(order, Math.max(64, 2 * top));
            colours = Arrays.copyOf(colours, order.length);
        }
        order[top] = v;
        colours[top++] = colour;
    }

    private void set(long[] matrix, int row, int candidate) {
        matrix[row * stride + candidate / Long.SIZE] |= 1L << candidate;
    }

    /** Makes room for the sets of so many depths. */
    private void reserveSets(int depths) {
        int words = Math.multiplyExact(depths, stride);
        if (sets.length < words) {
            sets = Arrays.copyOf(sets, Math.max(words, 2 * sets.length));
        }
    }
}
