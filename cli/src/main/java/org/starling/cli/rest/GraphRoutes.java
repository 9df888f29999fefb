package org.starling.cli.rest;

import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.GraphDetail;
import org.starling.compute.cluster.GraphView;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

/** The paths of kept graphs. Stateless but for the service; any of the server's threads. */
final class GraphRoutes {
    private static final String TO = "to";

    private final ClusterService service;

    GraphRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(
                RestRoute.GRAPHS,
                context -> RestRoutes.list(context, "graphs", service.graphs(), GraphView::tree));
        book.add(RestRoute.GRAPH, this::graph);
        book.add(RestRoute.FORGET_GRAPHS, this::forget);
        book.add(RestRoute.DROP_GRAPH, this::drop);
        book.add(RestRoute.RENAME_GRAPH, context -> move(context, service::renameGraph));
        book.add(RestRoute.COPY_GRAPH, context -> move(context, service::copyGraph));
    }

    private void graph(Context context) {
        String name = context.pathParam("name");
        RestRoutes.answer(
                context,
                service.graph(name).map(GraphDetail::tree),
                "no graph \"%s\" is kept".formatted(name));
    }

    private void drop(Context context) {
        String name = context.pathParam("name");
        service.dropGraph(name);
        RestRoutes.answer(context, Map.of("dropped", name));
    }

    private void forget(Context context) {
        if (!RestRoutes.acceptsLoss(context)) {
            throw new InvalidInputException(
                    "acceptLoss: expected true, as all kept graphs are forgotten");
        }
        service.forgetGraphs();
        RestRoutes.answer(context, Map.of("graphs", List.of()));
    }

    /** Renames or copies a graph, and answers with what has the new name. */
    private void move(Context context, BiConsumer<String, String> how) throws IOException {
        String name = context.pathParam("name");
        String to = to(context);
        RestRoutes.audit(context, name + " to " + to);
        how.accept(name, to);
        RestRoutes.answer(
                context, service.graph(to).map(GraphDetail::tree).orElse(Map.of("name", to)));
    }

    private static String to(Context context) throws IOException {
        String text = RestRoutes.json(context, "a new name is sent");
        try {
            if (JsonText.parse(text) instanceof Map<?, ?> members
                    && members.size() == 1
                    && members.get(TO) instanceof String name) {
                return name;
            }
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException(
                    "the request is not JSON: " + wrong.getMessage(), wrong);
        }
        throw new InvalidInputException("expected {\"to\": the new name}");
    }
}
