package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.QueryMessage.FindNumbers;
import org.starling.compute.internal.protocol.QueryMessage.FindTexts;
import org.starling.graph.TextId;

/**
 * Original ids that are texts, of vertices by their numbers: each peer that keeps some of them is
 * asked for all of these at once, and again for what did not fit into its answer.
 */
public final class VertexTexts {
    /** Texts that are asked for in one question. */
    private static final int MOST = 1 << 14;

    /** About how long the texts of one question are together. */
    private static final long MOST_CHARACTERS = 1 << 18;

    private VertexTexts() {}

    /** Asks who keeps them for texts; for the first ones at least. */
    public interface Keepers {
        /** Texts of some numbers, all of which that peer keeps. */
        List<String> texts(int keeper, long[] numbers);
    }

    /** For whoever knows how to ask. */
    public static List<String> of(long[] numbers, ShardTable shards, Keepers asking) {
        TreeMap<Integer, List<Integer>> byKeeper = new TreeMap<>();
        for (int i = 0; i < numbers.length; i++) {
            int keeper = shards.owner(shards.shardOf(numbers[i]));
            byKeeper.computeIfAbsent(keeper, _ -> new ArrayList<>()).add(i);
        }
        String[] texts = new String[numbers.length];
        byKeeper.forEach((keeper, indexes) -> {
            for (int from = 0; from < indexes.size(); ) {
                List<Integer> some = indexes.subList(from, Math.min(indexes.size(), from + MOST));
                long[] asked = some.stream().mapToLong(i -> numbers[i]).toArray();
                List<String> found = asking.texts(keeper, asked);
                for (int i = 0; i < found.size(); i++) {
                    texts[some.get(i)] = found.get(i);
                }
                from += found.size();
            }
        });
        return Arrays.asList(texts);
    }

    /** For a slave, which keeps some of them itself. */
    public static List<String> of(long[] numbers, StoredGraph graph, NodeContext node, long term) {
        return of(
                numbers,
                graph.shards(),
                (keeper, own) ->
                        keeper == node.node()
                                ? graph.texts().read(own)
                                : node.ask(
                                                keeper,
                                                new FindTexts(term, graph.descriptor().name(), own))
                                        .texts());
    }

    /** Numbers of texts in a graph, or -1 for those that it does not have; for a slave. */
    public static long[] numbers(
            List<String> texts, StoredGraph graph, int[] slaves, NodeContext node, long term) {
        String name = graph.descriptor().name();
        return numbers(
                texts,
                some -> {
                    List<long[]> told = new ArrayList<>();
                    for (int slave : slaves) {
                        told.add(
                                slave == node.node()
                                        ? graph.texts().numbers(some)
                                        : node.ask(slave, new FindNumbers(term, name, some))
                                                .values());
                    }
                    return told;
                });
    }

    /**
     * The same for whoever knows how to ask everybody.
     *
     * @param asking answers of all peers: -1 for what one does not keep
     */
    public static long[] numbers(List<String> texts, Function<List<String>, List<long[]>> asking) {
        texts.forEach(TextId::requireWhole);
        long[] numbers = new long[texts.size()];
        Arrays.fill(numbers, -1);
        for (int from = 0; from < numbers.length; ) {
            List<String> some = texts.subList(from, endOfQuestion(texts, from));
            for (long[] told : asking.apply(List.copyOf(some))) {
                for (int i = 0; i < told.length; i++) {
                    numbers[from + i] = Math.max(numbers[from + i], told[i]);
                }
            }
            from += some.size();
        }
        return numbers;
    }

    private static int endOfQuestion(List<String> texts, int from) {
        int end = from;
        long characters = 0;
        while (end < texts.size() && end - from < MOST && characters < MOST_CHARACTERS) {
            characters += texts.get(end++).length();
        }
        return end;
    }
}
