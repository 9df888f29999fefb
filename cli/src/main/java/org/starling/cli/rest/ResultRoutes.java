package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.util.Map;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.ResultService.ResultView;

/**
 * What the paths of results do. The bytes of a result go out as they come from the store; if that
 * breaks off, so does the connection, before the length that was declared. Stateless; any of the
 * server's threads.
 */
final class ResultRoutes {
    private final ClusterService service;

    ResultRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.RESULTS, this::list);
        book.add(RestRoute.RESULT, this::file);
        book.add(RestRoute.REMOVE_RESULTS, this::remove);
    }

    private void list(Context context) {
        RestRoutes.list(
                context,
                "results",
                service.results().list(RestRoutes.id(context)),
                ResultView::tree);
    }

    private void file(Context context) throws IOException {
        long job = RestRoutes.id(context);
        String name = String.valueOf(context.queryParam("name"));
        ResultView result =
                service.results().list(job).stream()
                        .filter(one -> one.file().equals(name))
                        .findFirst()
                        .orElseThrow(() ->
                                new NotFoundResponse(
                                        "job %d has no result \"%s\"".formatted(job, name)));
        context.contentType("application/octet-stream");
        context.res().setContentLengthLong(result.bytes());
        service.results().read(job, result, context.res().getOutputStream());
    }

    private void remove(Context context) {
        long job = RestRoutes.id(context);
        service.results().remove(job);
        RestRoutes.answer(context, Map.of("removed", job));
    }
}
