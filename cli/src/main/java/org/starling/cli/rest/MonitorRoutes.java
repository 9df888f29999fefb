package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.NodeMonitor;

/**
 * What a peer answers: how it is to all, what it has done to those who show the token. Any of the
 * server's threads.
 */
final class MonitorRoutes {
    private final NodeMonitor monitor;
    private final @Nullable AccessToken token;

    MonitorRoutes(NodeMonitor monitor, @Nullable AccessToken token) {
        this.monitor = monitor;
        this.token = token;
    }

    void addTo(RoutesConfig routes) {
        routes.before(MetricsRoute.PATH, this::refuseStrangers);
        routes.get(
                RestRoute.LIVE.path(),
                context -> RestRoutes.answer(context, HttpStatus.OK, Map.of("status", "live")));
        routes.get(RestRoute.READY.path(), this::ready);
        routes.get(MetricsRoute.PATH, new MetricsRoute(monitor)::answer);
        RestRoutes.addFailures(routes);
    }

    private void ready(Context context) {
        if (!monitor.isReady()) {
            throw new ClusterException("this node's lease does not hold now");
        }
        RestRoutes.answer(context, HttpStatus.OK, Map.of("status", "ready"));
    }

    private void refuseStrangers(Context context) {
        AccessToken known = token;
        if (known == null) {
            throw new HttpResponseException(
                    HttpStatus.FORBIDDEN,
                    "this node gives no figures: it has no token to ask for, or it could be"
                            + " overheard; put the cluster's token into its key folder, and say"
                            + " --insecure if nobody can overhear it",
                    Map.of());
        }
        if (!known.admits(context.header(AccessToken.HEADER))) {
            context.header("WWW-Authenticate", "Bearer");
            throw new HttpResponseException(
                    HttpStatus.UNAUTHORIZED,
                    "metrics ask for the cluster's token: send \"Authorization: Bearer …\" with the"
                            + " text of the file \"token\" in the cluster's folder",
                    Map.of());
        }
    }
}
