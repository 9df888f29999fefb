package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.UploadService;
import org.starling.compute.cluster.UploadService.UploadView;
import org.starling.graph.FileTrouble;

/**
 * The paths of files that people bring along: begin one, bring a piece, ask how far it is, remove
 * it. Stateless but for the service; any of the server's threads.
 */
final class UploadRoutes {
    private static final String UPLOADS = ClusterClient.PATH + "/uploads";
    private static final String MEDIA_TYPE = "application/octet-stream";

    private final ApiService service;

    UploadRoutes(ApiService service) {
        this.service = service;
    }

    void addTo(RouteBook book, RoutesConfig routes) {
        book.add(RestRoute.UPLOADS, this::list);
        book.add(RestRoute.UPLOAD, this::tell);
        book.add(RestRoute.BEGIN_UPLOAD, this::begin);
        book.add(RestRoute.BRING_PIECE, this::bring);
        book.add(RestRoute.REMOVE_UPLOAD, this::remove);
        RestRoutes.addFailure(routes, UploadService.OutOfStepException.class, HttpStatus.CONFLICT);
    }

    /** Whether the body is a piece, which may be longer than other bodies. */
    static boolean isPiece(Context context) {
        return context.method().name().equals("PUT") && context.path().startsWith(UPLOADS + "/");
    }

    private void list(Context context) {
        RestRoutes.list(context, "uploads", service.uploads().list(), UploadView::tree);
    }

    private void tell(Context context) {
        answer(context, service.uploads().find(context.pathParam("upload")));
    }

    private record Asked(String name, long bytes) {}

    private void begin(Context context) throws IOException {
        Asked asked = RestRoutes.sent(context, Asked.class, "a file is begun");
        UploadView view = service.uploads().begin(asked.name(), asked.bytes());
        RestRoutes.audit(context, view.id() + ": " + view.name());
        context.header("Location", UPLOADS + "/" + view.id());
        RestRoutes.answer(context, HttpStatus.CREATED, view.tree());
    }

    private void bring(Context context) throws IOException {
        RestRoutes.requireType(context, MEDIA_TYPE, "a piece is brought");
        long offset = QueryRoutes.number(context, "offset", 0, 0, UploadService.MAX_BYTES);
        if (context.req().getContentLengthLong() > UploadService.MAX_PIECE_BYTES) {
            context.header("Connection", "close");
            RestRoutes.fail(
                    context,
                    HttpStatus.CONTENT_TOO_LARGE,
                    "a piece has at most %d bytes".formatted(UploadService.MAX_PIECE_BYTES));
            return;
        }
        Optional<UploadView> view;
        try {
            view =
                    service.uploads()
                            .append(
                                    context.pathParam("upload"),
                                    offset,
                                    context.req().getInputStream());
        } catch (IOException brokenOff) {
            throw new ClusterException(
                    "the piece has not come whole: " + FileTrouble.reason(brokenOff), brokenOff);
        }
        answer(context, view);
    }

    private void remove(Context context) {
        String id = context.pathParam("upload");
        if (service.uploads().remove(id)) {
            RestRoutes.answer(context, Map.of("removed", id));
        } else {
            answer(context, Optional.empty());
        }
    }

    private static void answer(Context context, Optional<UploadView> view) {
        RestRoutes.answer(
                context,
                view.map(UploadView::tree),
                "there is no file %s; it was removed, or is older than a day"
                        .formatted(context.pathParam("upload")));
    }
}
