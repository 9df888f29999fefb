package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a graph's dictionary of ids that are texts which lies with a node's own shards, read
 * where it lies in a pinned chunk for each shard ({@link TextIdsLayout}). Safe for all threads;
 * valid as long as its graph.
 */
public final class GraphTexts {
    /** Texts of an answer come to about as much, in characters. */
    private static final int MAX_CHARACTERS = 1 << 18;

    private final ShardTable shards;

    /** Those with texts, ascending, and so are the texts. */
    private final int[] ownShards;

    private final long[] chunks;

    /**
     * Looks at chunks.
     *
     * @param chunks where each own shard's chunk lies; 0 for shards that are not here
     */
    GraphTexts(ShardTable shards, int[] ownShards, long[] chunks) {
        this.shards = shards;
        this.ownShards =
                Arrays.stream(ownShards).filter(shard -> shards.size(shard) > 0).sorted().toArray();
        this.chunks = chunks;
    }

    /**
     * Texts of the first of some numbers, as many as fit into an answer; at least one.
     *
     * @param numbers ranks, all of which are here
     */
    public List<String> read(long[] numbers) {
        List<String> texts = new ArrayList<>();
        TextIdsLayout.Reader reader = null;
        int readShard = -1;
        long characters = 0;
        for (int i = 0; i < numbers.length && characters < MAX_CHARACTERS; i++) {
            int shard = shards.shardOf(numbers[i]);
            if (reader == null || shard != readShard) {
                reader = new TextIdsLayout.Reader(chunk(shard));
                readShard = shard;
            }
            reader.moveTo((int) (numbers[i] - shards.first(shard)));
            texts.add(reader.text());
            characters += texts.getLast().length();
        }
        return texts;
    }

    /** Numbers of texts, or -1 for those that are not here. */
    public long[] numbers(List<String> texts) {
        long[] numbers = new long[texts.size()];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < numbers.length; i++) {
            byte[] utf8 = texts.get(i).getBytes(StandardCharsets.UTF_8);
            int shard = shardOf(utf8);
            int found = shard < 0 ? -1 : TextIdsLayout.find(chunk(shard), utf8);
            numbers[i] = found < 0 ? -1 : shards.first(shard) + found;
        }
        return numbers;
    }

    /** The own shard that has the text if any has; -1 if none can have it. */
    private int shardOf(byte[] utf8) {
        MemorySegment wanted = MemorySegment.ofArray(utf8);
        long behind = // shards before it begin with no more than the text
                Search.first(
                        0,
                        ownShards.length,
                        i -> {
                            long chunk = chunk(ownShards[(int) i]);
                            TextIdsLayout.Reader first = new TextIdsLayout.Reader(chunk);
                            first.moveTo(0);
                            return first.compareTo(wanted) > 0;
                        });
        return behind == 0 ? -1 : ownShards[(int) behind - 1];
    }

    private long chunk(int shard) {
        if (chunks[shard] == 0) {
            throw new IllegalArgumentException("shard " + shard + " is not here");
        }
        return chunks[shard];
    }
}
