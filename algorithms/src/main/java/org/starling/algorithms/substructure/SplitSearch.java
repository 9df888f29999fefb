package org.starling.algorithms.substructure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Branch and bound for a largest common induced substructure of two graphs, without their product:
 * vertices that may still be paired are kept in <em>domains</em>, one set of each graph, whose
 * members lie alike to all vertices paired so far. Pairing two vertices splits every domain by how
 * its members lie to them. What can be found is bounded by the smaller sets of all domains.
 *
 * <p>Source: C. McCreesh, P. Prosser, J. Trimble, "A partitioning algorithm for maximum common
 * subgraph problems" (IJCAI 2017), with its choices: the domain whose larger set is smallest, in it
 * the vertex with the most edges, and its partners in the same order; where the other graph is
 * dense, those with the fewest.
 *
 * <p>Encoding: vertices are renumbered in the order in which they are tried. {@code left} and
 * {@code right} hold them so that the sets of a domain are runs; a domain takes {@link #FIELDS}
 * integers on a stack, and those of a call lie together. Invariant: a call reorders within the runs
 * of its own domains only, so that its caller's sets stay what they are.
 *
 * <p>Memory: O((n + m) d) for depth d; time exponential at worst. Confined to one thread.
 */
final class SplitSearch {
    private static final int FIELDS = 5;
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int LEFTS = 2;
    private static final int RIGHTS = 3;

    /** 1 if the domain's members are joined with a vertex that has been paired, else 0. */
    private static final int JOINED = 4;

    /** Calls between two reports. */
    private static final int REPORT_CALLS = 1 << 12;

    private final int[][] labels;
    private final boolean connected;
    private final LongConsumer calls;
    private final int[] leftNames;
    private final int[] rightNames;
    private final byte[][] inLeft;
    private final byte[][] inRight;
    private final int[] left;
    private final int[] right;
    private final int[] buffer;
    private final int[] counts = new int[Relation.KINDS];
    private final int[] rightCounts = new int[Relation.KINDS];
    private int[] domains = new int[64 * FIELDS];
    private final int[] pairedLeft;
    private final int[] pairedRight;
    private int[] bestLeft = {};
    private int[] bestRight = {};
    private int callsSinceReport;

    /**
     * A search.
     *
     * @param labels label of each vertex of the first graph, then of the second; −1 for those that
     *     nothing can be paired with
     * @param connected whether the substructure must be connected
     * @param calls hears now and then of so many more calls; may throw to end the search
     */
    SplitSearch(
            Relation first,
            Relation second,
            int[][] labels,
            boolean connected,
            LongConsumer calls) {
        this.labels = labels;
        this.connected = connected;
        this.calls = calls;
        leftNames = order(first, isDense(second));
        rightNames = order(second, isDense(first));
        inLeft = matrix(first, leftNames);
        inRight = matrix(second, rightNames);
        left = new int[leftNames.length];
        right = new int[rightNames.length];
        buffer = new int[Math.max(left.length, right.length)];
        pairedLeft = new int[Math.min(left.length, right.length)];
        pairedRight = new int[pairedLeft.length];
    }

    /** Searches; once. */
    void search() {
        solve(0, firstDomains(), 0);
        calls.accept(callsSinceReport);
    }

    /** Number of pairs found. */
    int size() {
        return bestLeft.length;
    }

    /** Vertex of the first graph in a pair. */
    int first(int pair) {
        return leftNames[bestLeft[pair]];
    }

    /** Vertex of the second graph in a pair. */
    int second(int pair) {
        return rightNames[bestRight[pair]];
    }

    private static boolean isDense(Relation graph) {
        long ends = IntStream.range(0, graph.vertices()).mapToLong(graph::degree).sum();
        return 2 * ends > (long) graph.vertices() * (graph.vertices() - 1);
    }

    private static int[] order(Relation graph, boolean fewestFirst) {
        Comparator<Integer> byDegree = Comparator.comparingInt(graph::degree);
        return IntStream.range(0, graph.vertices())
                .boxed()
                .sorted(fewestFirst ? byDegree : byDegree.reversed())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static byte[][] matrix(Relation graph, int[] names) {
        byte[][] kinds = new byte[names.length][names.length];
        for (int one = 0; one < names.length; one++) {
            for (int other = 0; other < names.length; other++) {
                kinds[one][other] = (byte) graph.of(names[one], names[other]);
            }
        }
        return kinds;
    }

    /** A domain for each label; the end of the stack then. */
    private int firstDomains() {
        int end = 0;
        int lefts = 0;
        int rights = 0;
        int[] distinct = Arrays.stream(labels[0]).filter(label -> label >= 0).distinct().toArray();
        for (int label : distinct) {
            int leftBegin = lefts;
            int rightBegin = rights;
            for (int v = 0; v < left.length; v++) {
                if (labels[0][leftNames[v]] == label) {
                    left[lefts++] = v;
                }
            }
            for (int v = 0; v < right.length; v++) {
                if (labels[1][rightNames[v]] == label) {
                    right[rights++] = v;
                }
            }
            end = push(end, leftBegin, rightBegin, lefts - leftBegin, rights - rightBegin, 0);
        }
        return end;
    }

    private int push(int at, int leftBegin, int rightBegin, int lefts, int rights, int joined) {
        if (domains.length < at + FIELDS) {
            domains = Arrays.copyOf(domains, 2 * domains.length);
        }
        domains[at + LEFT] = leftBegin;
        domains[at + RIGHT] = rightBegin;
        domains[at + LEFTS] = lefts;
        domains[at + RIGHTS] = rights;
        domains[at + JOINED] = joined;
        return at + FIELDS;
    }

    /** Finds the best way to go on from pairs and the domains from {@code from} to {@code end}. */
    private void solve(int from, int end, int size) {
        if (++callsSinceReport == REPORT_CALLS) {
            calls.accept(callsSinceReport);
            callsSinceReport = 0;
        }
        if (size > bestLeft.length) {
            bestLeft = Arrays.copyOf(pairedLeft, size);
            bestRight = Arrays.copyOf(pairedRight, size);
        }
        while (size + bound(from, end) > bestLeft.length) {
            int domain = choose(from, end, connected && size > 0);
            if (domain < 0) {
                return;
            }
            int begin = domains[domain + LEFT];
            int last = begin + --domains[domain + LEFTS];
            int v = smallest(left, begin, last + 1, -1);
            swap(left, last, v);
            pairedLeft[size] = left[last];
            branch(from, end, domain, left[last], size);
        }
    }

    /** Pairs a vertex of the first graph with each partner it may have. */
    private void branch(int from, int end, int domain, int vertex, int size) {
        int begin = domains[domain + RIGHT];
        int rights = domains[domain + RIGHTS];
        domains[domain + RIGHTS] = rights - 1;
        int partner = -1;
        for (int tried = 0; tried < rights; tried++) {
            int at = smallest(right, begin, begin + rights, partner);
            partner = right[at];
            swap(right, begin + rights - 1, at);
            pairedRight[size] = partner;
            solve(end, split(from, end, vertex, partner), size + 1);
        }
        domains[domain + RIGHTS] = rights;
    }

    /** Splits all domains by how their members lie to two vertices; the end of the stack then. */
    private int split(int from, int end, int vertex, int partner) {
        int top = end;
        for (int domain = from; domain < end; domain += FIELDS) {
            int leftBegin = domains[domain + LEFT];
            int rightBegin = domains[domain + RIGHT];
            sort(left, leftBegin, domains[domain + LEFTS], inLeft[vertex], counts);
            sort(right, rightBegin, domains[domain + RIGHTS], inRight[partner], rightCounts);
            for (int kind = 0; kind < Relation.KINDS; kind++) {
                if (counts[kind] > 0 && rightCounts[kind] > 0) {
                    int joined = kind > 0 ? 1 : domains[domain + JOINED];
                    top = push(top, leftBegin, rightBegin, counts[kind], rightCounts[kind], joined);
                }
                leftBegin += counts[kind];
                rightBegin += rightCounts[kind];
            }
        }
        return top;
    }

    /** Puts those of a kind together, and counts them. */
    private void sort(int[] vertices, int begin, int length, byte[] kinds, int[] count) {
        Arrays.fill(count, 0);
        for (int i = begin; i < begin + length; i++) {
            count[kinds[vertices[i]]]++;
        }
        int place = 0;
        for (int kind = 0; kind < Relation.KINDS && place < length; kind++) {
            if (count[kind] > 0) {
                for (int i = begin; i < begin + length; i++) {
                    if (kinds[vertices[i]] == kind) {
                        buffer[place++] = vertices[i];
                    }
                }
            }
        }
        System.arraycopy(buffer, 0, vertices, begin, length);
    }

    private int bound(int from, int end) {
        int bound = 0;
        for (int domain = from; domain < end; domain += FIELDS) {
            bound += Math.min(domains[domain + LEFTS], domains[domain + RIGHTS]);
        }
        return bound;
    }

    /** The domain to branch on; −1 if there is none. */
    private int choose(int from, int end, boolean joinedOnly) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        int first = Integer.MAX_VALUE;
        for (int domain = from; domain < end; domain += FIELDS) {
            int lefts = domains[domain + LEFTS];
            int width = Math.max(lefts, domains[domain + RIGHTS]);
            if (lefts > 0 && width <= least && (!joinedOnly || domains[domain + JOINED] == 1)) {
                int begin = domains[domain + LEFT];
                int v = left[smallest(left, begin, begin + lefts, -1)];
                if (width < least || v < first) {
                    best = domain;
                    least = width;
                    first = v;
                }
            }
        }
        return best;
    }

    /** Where the smallest vertex above one stands. */
    private static int smallest(int[] vertices, int begin, int end, int above) {
        int best = -1;
        for (int i = begin; i < end; i++) {
            if (vertices[i] > above && (best < 0 || vertices[i] < vertices[best])) {
                best = i;
            }
        }
        return best;
    }

    private static void swap(int[] vertices, int one, int other) {
        int moved = vertices[one];
        vertices[one] = vertices[other];
        vertices[other] = moved;
    }
}
