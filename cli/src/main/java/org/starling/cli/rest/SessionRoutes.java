package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.Admission;
import org.starling.compute.cluster.ClusterService;

/**
 * The paths of sessions at the page. Whoever begins one has shown a token, or a ticket of another
 * superpeer, like anybody else who asks. Stateless but for the service; any of the server's
 * threads.
 */
final class SessionRoutes {
    private final ClusterService service;
    private final PageSessions sessions;
    private final List<URI> doors;

    SessionRoutes(ClusterService service, PageSessions sessions, List<URI> doors) {
        this.service = service;
        this.sessions = sessions;
        this.doors = doors;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.BEGIN_SESSION, this::begin);
        book.add(RestRoute.SESSION, context -> RestRoutes.answer(context, who(context)));
        book.add(RestRoute.END_SESSION, SessionRoutes::end);
    }

    private void begin(Context context) {
        String authorization =
                Objects.requireNonNull(sessions.authorization(context, true), "it has been let in");
        PageSessions.Begun begun = sessions.begin(context, authorization);
        context.header("Set-Cookie", begun.cookie());
        Map<String, @Nullable Object> tree = who(context);
        tree.put("key", begun.key());
        tree.put("expires", begun.end().toString());
        RestRoutes.answer(context, HttpStatus.CREATED, tree);
    }

    private Map<String, @Nullable Object> who(Context context) {
        Admission.Admitted caller = RestRoutes.caller(context);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", caller.name());
        tree.put("role", caller.role().text());
        sessions.end(context).ifPresent(end -> tree.put("expires", end.toString()));
        sessions.ticketFor(context).ifPresent(ticket -> tree.put("ticket", ticket));
        if (caller.role().includes(AccessRole.SUBMIT)) {
            tree.put("folders", service.folders().stream().map(Path::toString).toList());
        }
        tree.put("superpeers", doors.stream().map(URI::toString).toList());
        return tree;
    }

    private static void end(Context context) {
        context.header("Set-Cookie", PageSessions.forget(context));
        RestRoutes.answer(context, Map.of("ended", RestRoutes.caller(context).name()));
    }
}
