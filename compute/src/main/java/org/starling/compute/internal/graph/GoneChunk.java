package org.starling.compute.internal.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;

/**
 * Which ordinals of a version of a graph lead to nobody, as a chunk: index and bits of each word of
 * a {@link Bitmap} that is not empty, 8 bytes each.
 */
public final class GoneChunk {
    private GoneChunk() {}

    /** The content of the chunk, for so many ordinals. */
    public static long[] numbers(Bitmap gone, long ordinals) {
        long[] numbers = new long[16];
        int count = 0;
        for (long word = 0; word < Bitmap.words(ordinals); word++) {
            if (gone.word(word) != 0) {
                if (count + 2 > numbers.length) {
                    numbers = Arrays.copyOf(numbers, 2 * count);
                }
                numbers[count++] = word;
                numbers[count++] = gone.word(word);
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    /** What the chunk of a version says; null if it has none. */
    public static @Nullable Bitmap read(ChunkService chunks, GraphVersion version, long ordinals) {
        if (version.goneChunk() == 0) {
            return null;
        }
        Bitmap gone = new Bitmap(ordinals);
        boolean done = false;
        try (ChunkBytes bytes = new ChunkBytes(chunks, version.goneChunk())) {
            long end = bytes.address() + bytes.bytes();
            for (long at = bytes.address(); at + 2 * Long.BYTES <= end; at += 2 * Long.BYTES) {
                long word = NativeMemory.getLong(at);
                if (word < 0 || word >= Bitmap.words(ordinals)) {
                    throw new IllegalStateException("a version of a graph that makes no sense");
                }
                gone.setWord(word, NativeMemory.getLong(at + Long.BYTES));
            }
            done = true;
            return gone;
        } finally {
            if (!done) {
                gone.close();
            }
        }
    }
}
