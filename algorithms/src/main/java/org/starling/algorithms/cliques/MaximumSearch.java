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
 * <p>If only some edges are links, cliques are looked for that hang together by links (the c-edges
 * of I. Koch, "Enumerating all connected maximal common subgraphs in two graphs", Theoret. Comput.
 * Sci. 250, 2001). Then candidates are of two kinds: <em>near</em> ones have a link to a member and
 * may be taken now, <em>far</em> ones may when a link to them has come in. Both count for the
 * bound. Without that wish every edge is a link, and there are no far ones.
 *
 * <p>Encoding: candidates are numbered from 0; row v of {@code rows} (and of {@code links}) has the
 * neighbours of v, {@code stride} words each. The near candidates of the call at depth d lie at
 * {@code sets[2 d stride]}, the far ones behind them. What calls have to branch on lies on a stack.
 *
 * <p>Which cliques are met, and in which order, depends on the sub-problem alone; the incumbent
 * only says what can be left out. So the first clique met of the largest size does not depend on
 * threads. Complexity: exponential in the number of candidates, at worst. Confined to one worker.
 */
final class MaximumSearch {
    /** Calls between two reports. */
    private static final int REPORT_CALLS = 1 << 12;

    private final Incumbent incumbent;
    private final boolean linked;
    private final LongConsumer calls;

    private int root;
    private int stride;
    private int[] labels = new int[0];
    private long[] rows = new long[0];
    private long[] links = new long[0];
    private long[] sets = new long[0];
    private long[] uncoloured = new long[0];
    private long[] sameColour = new long[0];
    private int[] members = new int[1];
    private int[] order = new int[0];
    private int[] colours = new int[0];
    private int top;
    private int farColours;
    private int callsSinceReport;

    /**
     * @param linked whether only some edges are links
     * @param calls hears now and then of so many more calls; may throw to end the search
     */
    MaximumSearch(Incumbent incumbent, boolean linked, LongConsumer calls) {
        this.incumbent = incumbent;
        this.linked = linked;
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
            links = linked ? new long[words] : rows;
        }
        Arrays.fill(rows, 0, words, 0L);
        reserveSets(1);
        Arrays.fill(sets, 0, 2 * stride, 0L);
        if (linked) {
            Arrays.fill(links, 0, words, 0L);
        }
    }

    /**
     * Says who a candidate is.
     *
     * @param near whether there is a link between it and the sub-problem's own vertex
     */
    void candidate(int candidate, int rank, boolean near) {
        labels[candidate] = rank;
        sets[(near ? 0 : stride) + candidate / Long.SIZE] |= 1L << candidate;
    }

    /** Adds the edge between two candidates. */
    void connect(int left, int right) {
        set(rows, left, right);
        set(rows, right, left);
    }

    /** Makes the edge between two candidates a link. */
    void link(int left, int right) {
        set(links, left, right);
        set(links, right, left);
    }

    /** Finds the largest clique of the sub-problem's own vertex and candidates. */
    void search() {
        members[0] = root;
        top = 0;
        if (isEmpty(0)) {
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
        int near = 2 * depth * stride;
        int from = top;
        colour(near, incumbent.need(root) - size);
        int far = farColours;
        reserveSets(depth + 2);
        for (int next = top - 1; next >= from; next--) {
            if (size + Math.max(far, colours[next]) < incumbent.need(root)) {
                break;
            }
            int v = order[next];
            top = next;
            members[size] = labels[v];
            if (narrow(v, near)) {
                expand(depth + 1, size + 1);
            } else if (size + 1 >= incumbent.need(root)) {
                incumbent.offer(root, members, size + 1);
            }
            sets[near + v / Long.SIZE] &= ~(1L << v);
        }
        top = from;
    }

    /**
     * Colours the candidates at {@code near} and {@code near + stride}, and pushes the near ones in
     * the order of their colours. In each colour the far ones come first, so that they need few.
     *
     * @param least near ones of lower colours need not be branched on, if there are no far ones
     */
    private void colour(int near, int least) {
        boolean left = false;
        for (int word = 0; word < stride; word++) {
            uncoloured[word] =
                    linked ? sets[near + word] | sets[near + stride + word] : sets[near + word];
            left |= uncoloured[word] != 0;
        }
        farColours = 0;
        for (int colour = 1; left; colour++) {
            System.arraycopy(uncoloured, 0, sameColour, 0, stride);
            if (linked && takeFar(near + stride)) {
                farColours = colour;
            }
            takeNear(colour, linked ? 0 : least);
            left = false;
            for (int word = 0; word < stride && !left; word++) {
                left = uncoloured[word] != 0;
            }
        }
    }

    private boolean takeFar(int far) {
        boolean any = false;
        for (int word = 0; word < stride; word++) {
            long bits = sameColour[word] & sets[far + word];
            while (bits != 0) {
                int v = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                sameColour[word] &= ~(1L << v);
                uncoloured[word] &= ~(1L << v);
                for (int other = 0; other < stride; other++) {
                    sameColour[other] &= ~rows[v * stride + other];
                }
                bits = sameColour[word] & sets[far + word];
                any = true;
            }
        }
        return any;
    }

    private void takeNear(int colour, int least) {
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

    /** Makes the candidates that see v; false if none of them is near. */
    private boolean narrow(int v, int near) {
        int below = near + 2 * stride;
        int row = v * stride;
        long any = 0;
        for (int word = 0; word < stride; word++) {
            long seen = rows[row + word];
            long closer = sets[near + word] & seen;
            if (linked) {
                long far = sets[near + stride + word] & seen;
                closer |= far & links[row + word];
                sets[below + stride + word] = far & ~links[row + word];
            }
            sets[below + word] = closer;
            any |= closer;
        }
        return any != 0;
    }

    private boolean isEmpty(int set) {
        for (int word = 0; word < stride; word++) {
            if (sets[set + word] != 0) {
                return false;
            }
        }
        return true;
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

    /** Makes room for the sets of so many depths; those of far ones are used with links only. */
    private void reserveSets(int depths) {
        int words = Math.multiplyExact(2 * depths, stride);
        if (sets.length < words) {
            sets = Arrays.copyOf(sets, Math.max(words, 2 * sets.length));
        }
    }
}
