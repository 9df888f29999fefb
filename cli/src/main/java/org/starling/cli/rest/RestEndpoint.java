package org.starling.cli.rest;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.util.JavalinBindException;

import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.NodeMonitor;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Serves a cluster over HTTP to those who show the token, and tells how a node is. Stateless; each
 * open endpoint has its own threads.
 */
public final class RestEndpoint implements ApiEndpoint {
    static final int MAX_HEADER_BYTES = 16 << 10;

    /** After so long without a byte a connection is closed. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

    /** Connections that the system has made and nobody has looked at yet. */
    private static final int MAX_WAITING = 1024;

    /** Made by {@code ServiceLoader}. */
    public RestEndpoint() {}

    @Override
    public Open open(
            InetSocketAddress bind,
            ClusterService service,
            AccessToken token,
            NodeMonitor monitor) {
        RestRoutes routes = new RestRoutes(service, token, bind.getAddress().isLoopbackAddress());
        return start(
                bind,
                "the REST interface",
                config -> {
                    routes.addTo(config);
                    new MetricsRoute(monitor).addTo(config);
                });
    }

    @Override
    public Open openMonitor(
            InetSocketAddress bind, NodeMonitor monitor, @Nullable AccessToken token) {
        return start(bind, "health and metrics", new MonitorRoutes(monitor, token)::addTo);
    }

    private static Open start(
            InetSocketAddress bind, String what, Consumer<RoutesConfig> addRoutes) {
        Javalin server =
                Javalin.create(config -> {
                    configure(config, bind);
                    addRoutes.accept(config.routes);
                });
        try {
            server.start();
        } catch (JavalinBindException taken) {
            throw new ClusterException(
                    "port %d, meant for %s, is taken; set restPort in the configuration"
                            .formatted(bind.getPort(), what),
                    taken);
        }
        return server::stop;
    }

    private static void configure(JavalinConfig config, InetSocketAddress bind) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.defaultContentType = "application/json";
        config.jetty.modifyServer(server -> server.setErrorHandler(new JsonErrors()));
        config.jetty.modifyServletContextHandler(
                context -> context.setErrorHandler(new JsonErrors()));
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(MAX_HEADER_BYTES);
            http.setSendServerVersion(false);
            http.setHeaderCacheSize(0); // it would take a token for another one in other case
        });
        config.jetty.addConnector((server, http) -> connector(server, http, bind));
    }

    private static ServerConnector connector(
            Server server, HttpConfiguration http, InetSocketAddress bind) {
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(bind.getAddress().getHostAddress());
        connector.setPort(bind.getPort());
        connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        connector.setAcceptQueueSize(MAX_WAITING);
        connector.addBean(new RestConnections(connector.getScheduler()));
        return connector;
    }
}
