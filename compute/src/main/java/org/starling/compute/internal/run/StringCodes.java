package org.starling.compute.internal.run;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StringsLayout;

/**
 * Codes of the strings that a program has asked for lately, in the shard at hand. Confined to the
 * worker's thread.
 */
final class StringCodes {
    /** How many are remembered; each string has one place. */
    private static final int PLACES = 8;

    private final @Nullable String[] strings = new String[PLACES];
    private final int[] codes = new int[PLACES];

    /** Where the shard's chunk lies. */
    private long chunk;

    /** The code of a string in a shard's chunk, or {@link StringsLayout#NONE}. */
    int of(long shardChunk, String string) {
        if (shardChunk != chunk) {
            Arrays.fill(strings, null);
            chunk = shardChunk;
        }
        int place = string.hashCode() & (PLACES - 1);
        if (!string.equals(strings[place])) {
            codes[place] = StringsLayout.find(chunk, string.getBytes(StandardCharsets.UTF_8));
            strings[place] = string;
        }
        return codes[place];
    }
}
