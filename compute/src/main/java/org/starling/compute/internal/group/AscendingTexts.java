package org.starling.compute.internal.group;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Original ids that are texts, for who asks in ascending order: those behind the one that is asked
 * for are read with it. Confined to one thread.
 */
final class AscendingTexts implements LongFunction<String> {
    private static final int READ_AHEAD = 1 << 13;

    private final long vertices;
    private final Function<long[], List<String>> read;
    private long first;
    private List<String> texts = List.of();

    /**
     * Nothing is read yet.
     *
     * @param vertices of the graph
     * @param read reads texts of numbers
     */
    AscendingTexts(long vertices, Function<long[], List<String>> read) {
        this.vertices = vertices;
        this.read = read;
    }

    @Override
    public String apply(long number) {
        if (number < first || number >= first + texts.size()) {
            long[] some = new long[(int) Math.min(READ_AHEAD, vertices - number)];
            for (int i = 0; i < some.length; i++) {
                some[i] = number + i;
            }
            texts = read.apply(some);
            first = number;
        }
        return texts.get((int) (number - first));
    }
}
