package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.TokenService.TokenView;
import org.starling.compute.cluster.ClusterService;

/**
 * The paths of tokens. A token's text never comes here, only its digest. Stateless but for the
 * service; any of the server's threads.
 */
final class TokenRoutes {
    private final ClusterService service;

    TokenRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.TOKENS, this::list);
        book.add(RestRoute.CREATE_TOKEN, this::create);
        book.add(RestRoute.REVOKE_TOKEN, this::revoke);
    }

    private void list(Context context) {
        RestRoutes.list(context, "tokens", service.tokens().list(), TokenView::tree);
    }

    /** What is sent; a text in place of the role, so that a wrong one is told as such. */
    private record Wanted(
            String name, String role, String digest, @Nullable Long lifetimeSeconds) {}

    private void create(Context context) throws IOException {
        Wanted wanted = RestRoutes.sent(context, Wanted.class, "a token is described");
        RestRoutes.audit(context, wanted.name() + ": " + wanted.role());
        Long seconds = wanted.lifetimeSeconds();
        service.tokens()
                .create(
                        wanted.name(),
                        AccessRole.of(wanted.role()),
                        wanted.digest(),
                        seconds == null ? null : Duration.ofSeconds(seconds));
        RestRoutes.answer(
                context, HttpStatus.CREATED, Map.of("name", wanted.name(), "role", wanted.role()));
    }

    private void revoke(Context context) {
        String name = context.pathParam("name");
        if (!service.tokens().revoke(name)) {
            throw new NotFoundResponse("there is no token of \"%s\"".formatted(name));
        }
        RestRoutes.answer(context, Map.of("revoked", name));
    }
}
