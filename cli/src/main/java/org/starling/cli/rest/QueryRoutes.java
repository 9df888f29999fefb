package org.starling.cli.rest;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.QueryJson;
import org.starling.compute.script.NearestName;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;

/**
 * The paths of questions about single vertices of kept graphs. Stateless but for the service; any
 * of the server's threads.
 */
final class QueryRoutes {
    private final ClusterService service;

    QueryRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.NEIGHBOURS, context -> answer(context, this::neighbours));
        book.add(RestRoute.VALUE, context -> answer(context, this::value));
        book.add(RestRoute.PATH, context -> answer(context, this::path));
    }

    private Map<String, @Nullable Object> neighbours(Context context) {
        String graph = context.pathParam("name");
        String name = context.queryParamAsClass("direction", String.class).getOrDefault("out");
        if (!QueryJson.DIRECTIONS.contains(name)) {
            throw new InvalidInputException(
                    "direction can't be \"%s\"%s"
                            .formatted(name, NearestName.hint(name, QueryJson.DIRECTIONS)));
        }
        EdgeDirection direction = QueryJson.direction(name);
        long offset = number(context, "offset", 0, 0, Long.MAX_VALUE);
        int limit = (int) number(context, "limit", QueryJson.LIMIT, 0, GraphQueries.MAX_NEIGHBOURS);
        return service.questions().neighbours(graph, vertex(context), direction, offset, limit);
    }

    private Map<String, @Nullable Object> value(Context context) {
        String graph = context.pathParam("name");
        String column = required(context, "column");
        return service.questions().value(graph, column, vertex(context));
    }

    private Map<String, @Nullable Object> path(Context context) {
        String graph = context.pathParam("name");
        String from = required(context, "from");
        String to = required(context, "to");
        int maxVertices =
                (int)
                        number(
                                context,
                                "maxVertices",
                                GraphQueries.MAX_PATH_VERTICES,
                                1,
                                GraphQueries.MAX_PATH_VERTICES);
        long millis =
                number(
                        context,
                        "timeLimitMillis",
                        QueryJson.PATH_TIME.toMillis(),
                        1,
                        GraphQueries.MAX_PATH_TIME.toMillis());
        return service.questions().path(graph, from, to, maxVertices, Duration.ofMillis(millis));
    }

    private static void answer(
            Context context, Function<Context, Map<String, @Nullable Object>> question) {
        RestRoutes.answer(context, RestRoutes.found(() -> question.apply(context)));
    }

    private static String required(Context context, String name) {
        String value = context.queryParam(name);
        if (value == null || value.isEmpty()) {
            throw new InvalidInputException("the request does not say \"%s\"".formatted(name));
        }
        return value;
    }

    /** The id in the path, or instead of it the parameter: texts have in them what paths can't. */
    private static String vertex(Context context) {
        String written = context.queryParam("id");
        return written == null ? context.pathParam("id") : written;
    }

    static long number(Context context, String name, long otherwise, long min, long max) {
        String text = context.queryParam(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException wrong) {
            throw refused(name, min, max, text);
        }
        throw refused(name, min, max, text);
    }

    private static InvalidInputException refused(String name, long min, long max, String text) {
        return new InvalidInputException(
                "%s: expected a whole number from %d to %d, found \"%s\""
                        .formatted(name, min, max, text));
    }
}
