package org.starling.compute.internal.build;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.net.NativeMemory;

/**
 * Dictionaries of one shard's properties of strings, of its vertices or of its edges. Codes of
 * records become those of the shard, in the order of strings: so codes and dictionaries depend on
 * the shard's values alone. Confined to the thread that owns the shard.
 */
final class ShardStrings {
    private final EdgeRecords records;

    /** By property; null for those that are no strings. */
    private final @Nullable StringIndex[] indexes;

    private final int[][] sorted;

    /**
     * Begins with the empty string alone.
     *
     * @param empty where that stands
     */
    ShardStrings(EdgeRecords records, long empty) {
        this.records = records;
        PropertyLayout layout = records.properties();
        this.indexes = new StringIndex[layout.count()];
        this.sorted = new int[layout.count()][];
        for (int property = 0; property < indexes.length; property++) {
            if (layout.isString(property)) {
                StringIndex index = new StringIndex();
                index.code(empty);
                indexes[property] = index;
            }
        }
    }

    /**
     * Takes records.
     *
     * @param strings leads from a code of theirs to its string
     */
    void take(Records part, IntToLongFunction strings) {
        for (int property = 0; property < indexes.length; property++) {
            StringIndex index = indexes[property];
            if (index != null) {
                int offset = records.properties().offset(property);
                part.forEach(record -> {
                    long at = records.values(record) + offset;
                    NativeMemory.putInt(
                            at, index.code(strings.applyAsLong(NativeMemory.getInt(at))));
                });
            }
        }
    }

    /** All have been taken: puts codes into the order of strings. */
    void sort(List<Records> parts) {
        for (int property = 0; property < indexes.length; property++) {
            StringIndex index = indexes[property];
            if (index != null) {
                int[] order = index.sorted();
                sorted[property] = order;
                int[] ranks = new int[order.length];
                for (int rank = 0; rank < order.length; rank++) {
                    ranks[order[rank]] = rank;
                }
                int offset = records.properties().offset(property);
                parts.forEach(part ->
                        part.forEach(record -> {
                            long at = records.values(record) + offset;
                            NativeMemory.putInt(at, ranks[NativeMemory.getInt(at)]);
                        }));
            }
        }
    }

    /** Bytes of a property's dictionary; 0 if it is none of strings. */
    long bytes(int property) {
        StringIndex index = indexes[property];
        return index == null ? 0 : StringsLayout.dictionaryBytes(index.size(), index.bytes());
    }

    /** Bytes of all dictionaries. */
    long bytes() {
        long bytes = 0;
        for (int property = 0; property < indexes.length; property++) {
            bytes += bytes(property);
        }
        return bytes;
    }

    /** Writes a property's dictionary if it has one; where its values begin. */
    long write(int property, long chunk) {
        StringIndex index = indexes[property];
        if (index == null) {
            return chunk;
        }
        long[] strings = Arrays.stream(sorted[property]).mapToLong(index::string).toArray();
        return StringsLayout.write(chunk, StringIndex.texts(strings));
    }
}
