package org.starling.benchmarks.studies.calls;

import java.util.List;
import java.util.Locale;
import org.starling.net.Execution;
import org.starling.net.NetConfig;
import org.starling.net.Waiting;

/** All technologies by name. */
public final class Technologies {

    /** Our requests, served on the receiving thread as sockets and Netty do. */
    public static final String STARLING = "starling";

    /** Our requests, served on workers. */
    public static final String STARLING_WORKERS = "starling-workers";

    /** {@link SocketCalls}. */
    public static final String SOCKETS = "sockets";

    /** {@link NettyCalls}. */
    public static final String NETTY = "netty";

    /** {@link HttpCalls} with JSON. */
    public static final String HTTP_JSON = "http-json";

    /** {@link HttpCalls} with XML. */
    public static final String HTTP_XML = "http-xml";

    private Technologies() {}

    /** The technologies of these names. */
    public static List<Technology> named(List<String> names) {
        return names.stream().map(Technologies::named).toList();
    }

    /**
     * A technology.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Technology named(String name) {
        return switch (name) {
            case STARLING -> new StarlingCalls(name, Execution.INLINE, config(Waiting.ADAPTIVE));
            case STARLING_WORKERS ->
                    new StarlingCalls(name, Execution.WORKER, config(Waiting.ADAPTIVE));
            case SOCKETS -> new SocketCalls();
            case NETTY -> new NettyCalls();
            case HTTP_JSON -> HttpCalls.json();
            case HTTP_XML -> HttpCalls.xml();
            default -> waiting(name);
        };
    }

    /** Our requests between nodes whose threads wait in one way. */
    public static Technology waiting(Waiting waiting) {
        String name = STARLING + "-" + waiting.name().toLowerCase(Locale.ROOT);
        return new StarlingCalls(name, Execution.INLINE, config(waiting));
    }

    private static Technology waiting(String name) {
        for (Waiting waiting : Waiting.values()) {
            Technology technology = waiting(waiting);
            if (technology.name().equals(name)) {
                return technology;
            }
        }
        throw new IllegalArgumentException("no technology is called " + name);
    }

    private static NetConfig config(Waiting waiting) {
        return NetConfig.defaults().withWaiting(waiting);
    }
}
