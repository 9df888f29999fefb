package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
        book.add(RestRoute.RENAME_GRAPH, this::rename);
        book.add(RestRoute.COPY_GRAPH, this::copy);
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
        RestRoutes.answer(context, HttpStatus.OK, Map.of("dropped", name));
    }

    private void forget(Context context) {
        if (!RestRoutes.acceptsLoss(context)) {
            throw new InvalidInputException(
                    "acceptLoss: expected true, as all kept graphs are forgotten");
        }
        service.forgetGraphs();
        RestRoutes.answer(context, HttpStatus.OK, Map.of("graphs", List.of()));
    }

    private void rename(Context context) throws IOException {
        String name = context.pathParam("name");
        String to = to(context);
        RestRoutes.audit(context, name + " to " + to);
        service.renameGraph(name, to);
        answer(context, to);
    }

    private void copy(Context context) throws IOException {
        String name = context.pathParam("name");
        String to = to(context);
        RestRoutes.audit(context, name + " to " + to);
        service.copyGraph(name, to);
        answer(context, to);
    }

    /** What came of it. */
    private void answer(Context context, String name) {
        RestRoutes.answer(
                context,
                HttpStatus.OK,
                service.graph(name).map(GraphDetail::tree).orElse(Map.of("name", name)));
    }

    private static String to(Context context) throws IOException {
        RestRoutes.requireType(context, "application/json", "a new name is sent");
        try {
            if (JsonText.parse(RestRoutes.body(context)) instanceof Map<?, ?> members
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
