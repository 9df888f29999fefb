package org.starling.compute.cluster;

import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeDirection;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexId;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/**
 * Answers about single vertices as JSON trees, for the REST interface, {@code query --json} and
 * results of tasks. Stateless.
 */
public final class QueryJson {
    /** Names of directions, as people write them. */
    public static final List<String> DIRECTIONS = List.of("out", "in");

    /** Neighbours that are told where nobody says how many. */
    public static final int LIMIT = 100;

    /** How long a path is searched for where nobody says it. */
    public static final Duration PATH_TIME = Duration.ofSeconds(5);

    private QueryJson() {}

    /** The id that a text is, in decimal digits; nothing if it is none. */
    public static Optional<Long> id(String text) {
        try {
            return text.startsWith("+")
                    ? Optional.empty()
                    : Optional.of(Long.parseUnsignedLong(text));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    /**
     * The direction of that name.
     *
     * @param name one of {@link #DIRECTIONS}
     */
    public static EdgeDirection direction(String name) {
        return name.equals("in") ? EdgeDirection.INCOMING : EdgeDirection.OUTGOING;
    }

    /** The name of a direction. */
    public static String name(EdgeDirection direction) {
        return direction == EdgeDirection.INCOMING ? "in" : "out";
    }

    /**
     * As a tree; {@code weights} is there in graphs that have them.
     *
     * @param id the vertex as people read it
     * @param ids the neighbours as people read them
     */
    public static Map<String, @Nullable Object> tree(
            String graph,
            Object id,
            EdgeDirection direction,
            Neighbours neighbours,
            List<Object> ids) {
        Map<String, @Nullable Object> tree = vertex(graph, id);
        tree.put("direction", name(direction));
        tree.put("count", neighbours.count());
        tree.put("offset", neighbours.offset());
        tree.put("neighbours", ids);
        if (!neighbours.weights().isEmpty()) {
            tree.put("weights", weights(neighbours));
        }
        return tree;
    }

    /** As a tree. */
    public static Map<String, @Nullable Object> tree(
            String graph, Object id, String column, VertexValue value) {
        Map<String, @Nullable Object> tree = vertex(graph, id);
        tree.put("column", column);
        tree.put("type", value.type());
        tree.put("value", value.value());
        return tree;
    }

    /**
     * As a tree; {@code length} is null if there is no path.
     *
     * @param ids the vertices as people read them
     */
    public static Map<String, @Nullable Object> tree(
            String graph, Object from, Object to, VertexPath path, List<Object> ids) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("graph", graph);
        tree.put("from", from);
        tree.put("to", to);
        tree.put("found", path.isFound());
        tree.put("complete", path.complete());
        tree.put("length", path.isFound() ? path.length() : null);
        tree.put("path", ids);
        tree.put("visited", path.visited());
        return tree;
    }

    /** Ids as numbers of JSON. */
    public static List<Number> numbers(List<Long> ids) {
        return ids.stream().map(VertexId::number).toList();
    }

    /** Weights as people write them: 0.1 and not what is next to it. */
    public static List<@Nullable Object> weights(Neighbours neighbours) {
        return neighbours.weights().stream()
                .<@Nullable Object>map(weight ->
                        Float.isFinite(weight) ? Double.valueOf(Float.toString(weight)) : null)
                .toList();
    }

    static Neighbours neighbours(Map<?, ?> tree) {
        List<Float> weights =
                list(tree.get("weights")).stream()
                        .map(weight ->
                                weight instanceof Number number ? number.floatValue() : Float.NaN)
                        .toList();
        return new Neighbours(
                number(tree, "count"),
                number(tree, "offset"),
                ids(tree.get("neighbours")),
                weights);
    }

    static VertexValue value(Map<?, ?> tree) {
        return new VertexValue(text(tree, "type"), tree.get("value"));
    }

    static VertexPath path(Map<?, ?> tree) {
        return new VertexPath(
                ids(tree.get("path")),
                Boolean.TRUE.equals(tree.get("complete")),
                number(tree, "visited"));
    }

    private static Map<String, @Nullable Object> vertex(String graph, Object id) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("graph", graph);
        tree.put("vertex", id);
        return tree;
    }

    private static List<Long> ids(@Nullable Object list) {
        return list(list).stream().map(QueryJson::unsigned).toList();
    }

    private static Long unsigned(@Nullable Object number) {
        return switch (Objects.requireNonNull(number)) {
            case BigInteger large -> large.longValue();
            case Number id -> id.longValue();
            default -> throw new IllegalArgumentException("no id: " + number);
        };
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static long number(Map<?, ?> tree, String name) {
        return tree.get(name) instanceof Number number
                ? number.longValue()
                : bad(name, tree.get(name));
    }

    private static String text(Map<?, ?> tree, String name) {
        return tree.get(name) instanceof String text
                ? text
                : String.valueOf(bad(name, tree.get(name)));
    }

    private static long bad(String name, @Nullable Object found) {
        throw new IllegalArgumentException("\"%s\" is %s".formatted(name, found));
    }
}
