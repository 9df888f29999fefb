package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.UnauthorizedResponse;
import java.util.Map;
import java.util.Objects;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.Admission;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.NodeMonitor;

/**
 * What a peer answers: how it is to all, what it has done to those who show a token whose role lets
 * them ask a superpeer for that. Any of the server's threads.
 */
final class MonitorRoutes {
    private final NodeMonitor monitor;
    private final AccessGate gate;

    MonitorRoutes(NodeMonitor monitor, AccessGate gate) {
        this.monitor = monitor;
        this.gate = gate;
    }

    void addTo(RoutesConfig routes) {
        routes.before(MetricsRoute.PATH, this::refuseStrangers);
        routes.get(
                RestRoute.LIVE.path(),
                context -> RestRoutes.answer(context, Map.of("status", "live")));
        routes.get(
                RestRoute.READY.path(),
                context ->
                        RestRoutes.ready(context, monitor, "this node's lease does not hold now"));
        routes.get(MetricsRoute.PATH, new MetricsRoute(monitor)::answer);
        RestRoutes.addFailures(routes);
    }

    private void refuseStrangers(Context context) {
        switch (gate.admit(context.header(AccessToken.HEADER))) {
            case Admission.Refused(String sentence) -> {
                context.header("WWW-Authenticate", "Bearer");
                throw new UnauthorizedResponse(sentence);
            }
            case Admission.Admitted admitted -> requireRole(admitted);
        }
    }

    private static void requireRole(Admission.Admitted admitted) {
        AccessRole needed = Objects.requireNonNull(RestRoute.METRICS.role());
        if (!admitted.role().includes(needed)) {
            throw new ForbiddenResponse(
                    "figures ask for a token with the role %s".formatted(needed.text()));
        }
    }
}
