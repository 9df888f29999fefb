package org.starling.algorithms.groups;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import org.starling.graph.Adjacency;
import org.starling.graph.BooleanState;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Counts edges between groups of vertices. Superstep 0: every vertex whose value is one of those
 * that are asked for publishes which. Superstep 1: every edge is looked at once, and counted in the
 * bucket of the pair of its ends.
 *
 * <p>Parameters: {@value #STATE}, whose values make the groups, {@value #KIND}, what they are, and
 * {@value #VALUES}, those of the groups, ascending. All other vertices are one more group, behind
 * the last one.
 */
final class GroupCensus implements ShardProgram {
    static final String NAME = "algorithms.groups";
    static final String STATE = "state";
    static final String KIND = "kind";
    static final String VALUES = "values";

    /** Histogram: stored edges, by group of the row's vertex × (groups + 1) + that of the other. */
    static final String EDGES = "edges";

    /** What values of a state are. */
    enum Kind {
        BOOLEAN,
        INT,
        LONG,
        /** Ordinals. */
        VERTEX,
        /** Ids as programs have them. */
        ID
    }

    private final String state;
    private final Kind kind;
    private final long[] values;
    private LongUnaryOperator value = LongUnaryOperator.identity();
    private IntMirror groups;
    private Histogram edges;

    GroupCensus(Parameters parameters) {
        state = parameters.text(STATE);
        kind = Kind.valueOf(parameters.text(KIND).toUpperCase(Locale.ROOT));
        values = parameters.integers(VALUES);
    }

    @Override
    public void declare(Declaration graph) {
        value = values(graph);
        groups = graph.intMirror("groups", values.length);
        edges = graph.histogram(EDGES);
        graph.expectSupersteps(2);
    }

    private LongUnaryOperator values(Declaration graph) {
        return switch (kind) {
            case BOOLEAN -> {
                BooleanState booleans = graph.existingBooleanState(state);
                yield v -> booleans.get(v) ? 1 : 0;
            }
            case INT -> {
                IntState integers = graph.existingIntState(state);
                yield integers::get;
            }
            case LONG -> longs(graph.existingLongState(state));
            case VERTEX -> longs(graph.existingVertexState(state));
            case ID -> longs(graph.existingIdState(state));
        };
    }

    private static LongUnaryOperator longs(LongState state) {
        return state::get;
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            for (long v = shard.first(); v < shard.end(); v++) {
                int group = group(v);
                if (group < values.length) {
                    groups.publish(v, group);
                }
            }
        } else {
            count(shard);
        }
    }

    private int group(long v) {
        int found = Arrays.binarySearch(values, value.applyAsLong(v));
        return found < 0 ? values.length : found;
    }

    private void count(Shard shard) {
        int width = values.length + 1;
        long[] counts = new long[width];
        Adjacency rows = shard.adjacency();
        for (long v = shard.first(); v < shard.end(); v++) {
            int degree = rows.degree(v);
            for (int i = 0; i < degree; i++) {
                counts[groups.read(rows.neighbour(v, i))]++;
            }
            int from = group(v) * width;
            for (int to = 0; degree > 0 && to < width; to++) {
                if (counts[to] > 0) {
                    edges.add(from + to, counts[to]);
                    counts[to] = 0;
                }
            }
        }
    }
}
