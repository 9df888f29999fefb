package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;

/**
 * A change of the topology that a program has asked for, as it lies in memory and in chunks between
 * slaves.
 *
 * <pre>
 *   0      4        8       16       24
 *   +------+--------+-------+--------+
 *   | kind | weight | first | second |
 *   +------+--------+-------+--------+
 *     int    float    long    long
 * </pre>
 *
 * {@code first} and {@code second} are ordinals or, as the kind says, original ids; {@code second}
 * is there for edges, {@code weight} for edges that are added.
 */
public final class ChangeLayout {
    /** Bytes of a change. */
    public static final int BYTES = 24;

    /** An edge between ordinals goes. */
    public static final int REMOVE_EDGE = 0;

    /** An edge between ordinals comes. */
    public static final int ADD_EDGE = 1;

    /** The vertex of an ordinal goes. */
    public static final int REMOVE_VERTEX = 2;

    /** The vertex of an id goes. */
    public static final int REMOVE_VERTEX_BY_ID = 3;

    /** A vertex with an id comes. */
    public static final int ADD_VERTEX = 4;

    /** An edge between ids goes. */
    public static final int REMOVE_EDGE_BY_ID = 5;

    /** An edge between ids comes, and its ends with it. */
    public static final int ADD_EDGE_BY_ID = 6;

    private ChangeLayout() {}

    /** Writes a change. */
    public static void write(long at, int kind, long first, long second, float weight) {
        NativeMemory.putInt(at, kind);
        NativeMemory.putFloat(at + 4, weight);
        NativeMemory.putLong(at + 8, first);
        NativeMemory.putLong(at + 16, second);
    }

    /** What kind of change this is. */
    public static int kind(long at) {
        return NativeMemory.getInt(at);
    }

    /** Weight of an edge that is added. */
    public static float weight(long at) {
        return NativeMemory.getFloat(at + 4);
    }

    /** The vertex, or the one that an edge leaves. */
    public static long first(long at) {
        return NativeMemory.getLong(at + 8);
    }

    /** The vertex that an edge leads to. */
    public static long second(long at) {
        return NativeMemory.getLong(at + 16);
    }

    /** Whether it is of an edge between ordinals, which concerns the shards of its ends alone. */
    public static boolean isOfEdge(int kind) {
        return kind == REMOVE_EDGE || kind == ADD_EDGE;
    }

    /** Whether it names ids. */
    public static boolean isById(int kind) {
        return kind >= REMOVE_VERTEX_BY_ID;
    }
}
