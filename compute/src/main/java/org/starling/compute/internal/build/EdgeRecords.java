package org.starling.compute.internal.build;

import org.starling.net.NativeMemory;

/**
 * Layout of edges in {@link Records} while a graph is made.
 *
 * <pre>
 *   wide:   source id (8) | target id (8) | weight (4, if weighted)       as read from a sparse source
 *   narrow: rank (4)      | rank (4)      | weight (4, if weighted)       of the ids; on the way and in buckets ordinal or index in shard | ordinal | weight
 * </pre>
 */
record EdgeRecords(boolean weighted) {
    private static final int WEIGHT_BYTES = 4;

    int wideBytes() {
        return 2 * Long.BYTES + (weighted ? WEIGHT_BYTES : 0);
    }

    int narrowBytes() {
        return 2 * Integer.BYTES + (weighted ? WEIGHT_BYTES : 0);
    }

    void writeWide(long at, long source, long target, float weight) {
        NativeMemory.putLong(at, source);
        NativeMemory.putLong(at + 8, target);
        if (weighted) {
            NativeMemory.putFloat(at + 16, weight);
        }
    }

    void writeNarrow(long at, long first, long second, float weight) {
        NativeMemory.putInt(at, (int) first);
        NativeMemory.putInt(at + 4, (int) second);
        if (weighted) {
            NativeMemory.putFloat(at + 8, weight);
        }
    }

    long wideSource(long at) {
        return NativeMemory.getLong(at);
    }

    long wideTarget(long at) {
        return NativeMemory.getLong(at + 8);
    }

    float wideWeight(long at) {
        return weighted ? NativeMemory.getFloat(at + 16) : 1f;
    }

    static long first(long at) {
        return Integer.toUnsignedLong(NativeMemory.getInt(at));
    }

    static long second(long at) {
        return Integer.toUnsignedLong(NativeMemory.getInt(at + 4));
    }

    float weight(long at) {
        return weighted ? NativeMemory.getFloat(at + 8) : 1f;
    }
}
