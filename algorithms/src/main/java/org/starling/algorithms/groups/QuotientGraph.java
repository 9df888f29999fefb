package org.starling.algorithms.groups;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import org.starling.algorithms.Verdict;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.PropertyType;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;

/**
 * A graph seen from further away: vertices with equal values of a state are one group, and between
 * two groups stands the number of edges between their vertices. The largest groups stay apart, all
 * others are put together.
 *
 * <p>Sizes are counted where the driver is, which every value passes through: 16 to 32 bytes of its
 * memory for each different one. Edges are counted where they are: one look at each, after one
 * superstep that tells everybody's group to its neighbours' peers.
 */
public final class QuotientGraph {
    /** The most groups that stay apart. */
    public static final int MAX_GROUPS = 200;

    /** The most different values. */
    public static final int MAX_VALUES = 1 << 21;

    /** The group of all others, in {@link Between}. */
    public static final int OTHERS = -1;

    private QuotientGraph() {}

    /**
     * Vertices with the same value.
     *
     * @param value the value: a whole number, 0 or 1, or an id as {@link GraphSession#shown} gives
     *     it, −1 for none
     * @param vertices how many
     */
    public record Group(Object value, long vertices) {}

    /**
     * Edges between two groups, or inside one.
     *
     * @param from index of a group, or {@link #OTHERS}
     * @param to likewise; in an undirected graph not before {@code from}, the others last
     * @param edges how many; an undirected one counts once
     */
    public record Between(int from, int to, long edges) {}

    /**
     * What was found.
     *
     * @param values number of different values
     * @param groups the largest groups, the largest first; of equal ones the smallest value first
     * @param others vertices of all other groups
     * @param between edges, by {@code from} and then {@code to}; pairs without any are left out
     */
    public record Result(long values, List<Group> groups, long others, List<Between> between) {
        /** Copies the lists. */
        public Result {
            groups = List.copyOf(groups);
            between = List.copyOf(between);
        }
    }

    private record Size(long value, long vertices) {}

    /**
     * Counts.
     *
     * @param state name of the state: whole numbers, booleans, or vertices
     * @param limit groups that stay apart, 1 to {@link #MAX_GROUPS}
     * @param verify whether to check the sums
     * @throws InvalidInputException if there is no such graph or state, or its values make no
     *     groups
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(
            GraphSession session, String graph, String state, int limit, boolean verify) {
        if (limit < 1 || limit > MAX_GROUPS) {
            throw new InvalidInputException(
                    "groups: from 1 to %d can stay apart, found %d".formatted(MAX_GROUPS, limit));
        }
        Long2LongOpenHashMap sizes = new Long2LongOpenHashMap();
        GroupCensus.Kind kind = count(session, graph, state, sizes);
        List<Size> largest = largest(sizes, limit);
        long[] values = largest.stream().mapToLong(Size::value).sorted().toArray();
        RunResult run =
                session.run(
                        graph,
                        GroupCensus.NAME,
                        Parameters.of(GroupCensus.STATE, state)
                                .with(GroupCensus.KIND, kind.name().toLowerCase(Locale.ROOT))
                                .with(GroupCensus.VALUES, values));
        long[] counts = run.histogram(GroupCensus.EDGES);
        GraphInfo info = session.info(graph);
        long inGroups = largest.stream().mapToLong(Size::vertices).sum();
        Result found =
                new Result(
                        sizes.size(),
                        groups(session, graph, kind, largest),
                        info.vertices() - inGroups,
                        between(counts, order(largest, values), info.directed()));
        if (verify) {
            check(new Verdict(session, graph, "the groups", run), info, sizes, found);
        }
        return found;
    }

    private static GroupCensus.Kind count(
            GraphSession session, String graph, String state, Long2LongOpenHashMap sizes) {
        try (StateCursor cursor = session.read(graph, state)) {
            GroupCensus.Kind kind = kind(cursor, graph, state);
            while (cursor.next()) {
                sizes.addTo(cursor.asLong(), 1);
                if (sizes.size() > MAX_VALUES) {
                    throw new InvalidInputException(
                            "state \"%s\" of graph \"%s\" has more than %d different values, which are too many for groups"
                                    .formatted(state, graph, MAX_VALUES));
                }
            }
            return kind;
        }
    }

    private static GroupCensus.Kind kind(StateCursor cursor, String graph, String state) {
        if (cursor.length() == 1) {
            if (cursor.namesVertices()) {
                return GroupCensus.Kind.VERTEX;
            }
            if (cursor.showsIds()) {
                return GroupCensus.Kind.ID;
            }
            PropertyType type = cursor.type();
            switch (type) {
                case BOOLEAN -> {
                    return GroupCensus.Kind.BOOLEAN;
                }
                case INT -> {
                    return GroupCensus.Kind.INT;
                }
                case LONG -> {
                    return GroupCensus.Kind.LONG;
                }
                case FLOAT, DOUBLE, STRING -> {}
            }
        }
        throw new InvalidInputException(
                "state \"%s\" of graph \"%s\" has values of type %s%s; groups are made of whole numbers, booleans or vertices"
                        .formatted(
                                state,
                                graph,
                                cursor.type().toString().toLowerCase(Locale.ROOT),
                                cursor.length() > 1 ? "[" + cursor.length() + "]" : ""));
    }

    private static List<Size> largest(Long2LongOpenHashMap sizes, int limit) {
        Comparator<Size> order =
                Comparator.comparingLong(Size::vertices).reversed().thenComparingLong(Size::value);
        PriorityQueue<Size> kept = new PriorityQueue<>(order.reversed());
        for (Long2LongMap.Entry entry : sizes.long2LongEntrySet()) {
            kept.add(new Size(entry.getLongKey(), entry.getLongValue()));
            if (kept.size() > limit) {
                kept.remove();
            }
        }
        List<Size> largest = new ArrayList<>(kept);
        largest.sort(order);
        return largest;
    }

    /** By place among ascending values: the group's index; that of the others behind the last. */
    private static int[] order(List<Size> largest, long[] values) {
        int[] order = new int[values.length + 1];
        for (int i = 0; i < largest.size(); i++) {
            order[Arrays.binarySearch(values, largest.get(i).value())] = i;
        }
        order[values.length] = values.length;
        return order;
    }

    private static List<Group> groups(
            GraphSession session, String graph, GroupCensus.Kind kind, List<Size> largest) {
        List<Object> shown =
                switch (kind) {
                    case BOOLEAN, INT, LONG -> largest.stream().<Object>map(Size::value).toList();
                    case VERTEX, ID -> ids(session, graph, kind, largest);
                };
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            groups.add(new Group(shown.get(i), largest.get(i).vertices()));
        }
        return groups;
    }

    private static List<Object> ids(
            GraphSession session, String graph, GroupCensus.Kind kind, List<Size> largest) {
        List<Object> shown = new ArrayList<>();
        for (Size one : largest) {
            if (one.value() < 0) {
                shown.add(-1L);
            } else {
                long id =
                        kind == GroupCensus.Kind.VERTEX
                                ? session.id(graph, one.value())
                                : one.value();
                shown.add(session.shown(graph, id));
            }
        }
        return shown;
    }

    private static List<Between> between(long[] counts, int[] order, boolean directed) {
        int width = order.length;
        long[] sums = new long[width * width];
        for (int bucket = 0; bucket < Math.min(counts.length, sums.length); bucket++) {
            int from = order[bucket / width];
            int to = order[bucket % width];
            if (directed || from <= to) { // the other row has the same edges
                sums[from * width + to] += counts[bucket];
            }
        }
        List<Between> list = new ArrayList<>();
        for (int from = 0; from < width; from++) {
            for (int to = 0; to < width; to++) {
                long ends = sums[from * width + to];
                long edges = !directed && from == to ? ends / 2 : ends;
                if (edges > 0) {
                    list.add(new Between(index(from, width), index(to, width), edges));
                }
            }
        }
        return list;
    }

    private static int index(int place, int width) {
        return place == width - 1 ? OTHERS : place;
    }

    private static void check(
            Verdict verdict, GraphInfo info, Long2LongOpenHashMap sizes, Result found) {
        long counted = sizes.values().longStream().sum();
        verdict.all(
                counted == info.vertices(),
                "%d of %d vertices were counted".formatted(counted, info.vertices()));
        long edges = found.between().stream().mapToLong(Between::edges).sum();
        verdict.all(
                edges == info.edges(),
                "%d of %d edges were counted".formatted(edges, info.edges()));
    }
}
