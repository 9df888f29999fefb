package org.starling.algorithms.substructure;

import java.util.Arrays;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntState;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Looks for a largest common substructure by {@link SplitSearch}, on a graph whose vertices are the
 * pairs. The first shard searches; then the pairs found mark themselves. Its parameters are those
 * of {@link ProductSource}.
 */
public final class SubstructureProgram implements ShardProgram {
    /** Name of the program. */
    static final String NAME = "algorithms.substructure";

    /** Parameter: whether the substructure must be connected. */
    static final String CONNECTED = "connected";

    /** State ({@code int}): 1 for pairs of the substructure, 0 for others. */
    static final String PAIRED = "paired";

    /** Histogram with one bucket: calls of the search. */
    static final String CALLS = "calls";

    private final long[] first;
    private final long[] second;
    private final long[] firstEdges;
    private final long[] secondEdges;
    private final boolean connected;
    private IntState paired;
    private VertexChannel marks;
    private Histogram calls;

    SubstructureProgram(
            long[] first, long[] second, long[] firstEdges, long[] secondEdges, boolean connected) {
        this.first = first;
        this.second = second;
        this.firstEdges = firstEdges;
        this.secondEdges = secondEdges;
        this.connected = connected;
    }

    @Override
    public void declare(Declaration graph) {
        paired = graph.intState(PAIRED, 0);
        marks = graph.vertexChannel("marks");
        calls = graph.histogram(CALLS);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            if (shard.index() == 0) {
                search();
            }
            return;
        }
        for (long v = marks.nextReceiver(shard.first()); v >= 0; v = marks.nextReceiver(v + 1)) {
            paired.set(v, 1);
        }
    }

    private void search() {
        Relation inFirst = new Relation(first, firstEdges);
        Relation inSecond = new Relation(second, secondEdges);
        SplitSearch search =
                new SplitSearch(
                        inFirst,
                        inSecond,
                        labels(inFirst.vertices(), inSecond.vertices()),
                        connected,
                        count -> calls.add(0, count));
        search.search();
        for (int found = 0; found < search.size(); found++) {
            for (int pair = 0; pair < first.length; pair++) {
                if (first[pair] == search.first(found) && second[pair] == search.second(found)) {
                    marks.send(pair, pair);
                }
            }
        }
    }

    /** Labels are told by the first vertex that has them in the second graph. */
    private int[][] labels(int lefts, int rights) {
        int[][] labels = {new int[lefts], new int[rights]};
        Arrays.fill(labels[0], -1);
        Arrays.fill(labels[1], -1);
        for (int pair = 0; pair < first.length; pair++) {
            int left = (int) first[pair];
            int right = (int) second[pair];
            labels[0][left] = labels[0][left] < 0 ? right : labels[0][left];
            labels[1][right] = labels[0][left];
        }
        return labels;
    }
}
