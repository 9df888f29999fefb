package org.starling.cli.rest;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.util.JavalinBindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.EndpointTls;
import org.starling.compute.cluster.NodeMonitor;

/**
 * Serves a cluster over HTTP, within TLS where the node has keys, to those who show a token, and
 * tells how a node is. Stateless; each open endpoint has its own threads.
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
            InetSocketAddress bind, ApiService service, ApiAccess access, NodeMonitor monitor) {
        return start(
                server(bind, service, access, monitor, InstantSource.system()),
                bind,
                "the REST interface");
    }

    @Override
    public Open openMonitor(
            InetSocketAddress bind,
            NodeMonitor monitor,
            AccessGate gate,
            @Nullable EndpointTls tls) {
        return start(
                server(bind, tls, new MonitorRoutes(monitor, gate)::addTo),
                bind,
                "health and metrics");
    }

    private static Open start(Javalin server, InetSocketAddress bind, String what) {
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

    /**
     * A server that has yet to be started.
     *
     * @param clock by which sessions of the page end
     */
    static Javalin server(
            InetSocketAddress bind,
            ApiService service,
            ApiAccess access,
            NodeMonitor monitor,
            InstantSource clock) {
        boolean onLoopback = bind.getAddress().isLoopbackAddress();
        return server(
                bind,
                access.tls(),
                new RestRoutes(service, access, monitor, onLoopback, clock)::addTo);
    }

    private static Javalin server(
            InetSocketAddress bind, @Nullable EndpointTls tls, Consumer<RoutesConfig> addRoutes) {
        return Javalin.create(config -> {
            configure(config, bind, tls);
            addRoutes.accept(config.routes);
        });
    }

    private static void configure(
            JavalinConfig config, InetSocketAddress bind, @Nullable EndpointTls tls) {
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
        config.jetty.addConnector((server, http) -> connector(server, http, bind, tls));
    }

    private static ServerConnector connector(
            Server server,
            HttpConfiguration http,
            InetSocketAddress bind,
            @Nullable EndpointTls tls) {
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector connector =
                tls == null
                        ? new ServerConnector(server, plain)
                        : new ServerConnector(
                                server,
                                new SslConnectionFactory(new TlsEngines(tls), plain.getProtocol()),
                                plain);
        connector.setHost(bind.getAddress().getHostAddress());
        connector.setPort(bind.getPort());
        connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        connector.setAcceptQueueSize(MAX_WAITING);
        connector.addBean(new RestConnections(connector.getScheduler()));
        return connector;
    }
}
