package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import java.util.EnumSet;
import java.util.Set;

/**
 * Registers what is served: only what {@link RestRoute} lists, each once, and all of it. Confined
 * to the thread that opens the endpoint.
 */
final class RouteBook {
    private final RoutesConfig routes;
    private final Set<RestRoute> open = EnumSet.allOf(RestRoute.class);

    RouteBook(RoutesConfig routes) {
        this.routes = routes;
    }

    void add(RestRoute route, Handler handler) {
        if (!open.remove(route)) {
            throw new IllegalStateException(route + " is served already");
        }
        routes.addHttpHandler(route.method(), route.path(), handler, route);
    }

    /** Throws if something of the list is not served. */
    void requireAll() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("nobody serves " + open);
        }
    }
}
