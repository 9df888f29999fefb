package org.starling.cli.rest;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import java.net.InetSocketAddress;
import org.starling.compute.cluster.ClusterDesk;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.FrontDoor;
import org.starling.compute.script.JobRequest;

/** Serves the desk over HTTP, on the loopback. Stateless; each open door has its own threads. */
public final class RestDoor implements FrontDoor {
    /** Most bytes of a request; what the directory takes for a job. */
    private static final int MAX_REQUEST_BYTES = JobRequest.MAX_BYTES;

    private static final int MAX_HEADER_BYTES = 16 << 10;

    /** Made by {@code ServiceLoader}. */
    public RestDoor() {}

    @Override
    public Open open(InetSocketAddress bind, ClusterDesk desk) {
        if (!bind.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("without tokens only the loopback is safe");
        }
        Javalin server = Javalin.create(config -> configure(config, desk));
        try {
            server.start(bind.getAddress().getHostAddress(), bind.getPort());
        } catch (JavalinBindException taken) {
            throw new ClusterException(
                    "port %d, meant for the REST interface, is taken; set restPort in the configuration"
                            .formatted(bind.getPort()),
                    taken);
        }
        return server::stop;
    }

    private static void configure(JavalinConfig config, ClusterDesk desk) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.maxRequestSize = MAX_REQUEST_BYTES;
        config.http.prefer405over404 = true;
        config.http.defaultContentType = "application/json";
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(MAX_HEADER_BYTES);
            http.setSendServerVersion(false);
        });
        new RestRoutes(desk).addTo(config.routes);
    }
}
