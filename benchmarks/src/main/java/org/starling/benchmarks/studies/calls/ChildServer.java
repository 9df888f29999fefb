package org.starling.benchmarks.studies.calls;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.starling.benchmarks.net.ChildJvm;
import org.starling.benchmarks.net.ParentLine;

/** A server in a JVM of its own, which ends when this is closed or this process ends. */
public final class ChildServer implements Server {

    private static final Duration START_PATIENCE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String PORT = "port";
    private static final String ADMIT = "admit";
    private static final String COST = "cost";

    private final ChildJvm child;
    private final int port;

    private ChildServer(ChildJvm child) {
        this.child = child;
        this.port = Integer.parseInt(child.ask(PORT, START_PATIENCE));
    }

    /**
     * Starts a JVM and in it a server.
     *
     * @throws org.starling.benchmarks.net.ChildFailedException if it cannot serve
     */
    public static ChildServer start(Technology technology, ServiceKind service) {
        ChildJvm child =
                ChildJvm.start(
                        technology.name() + " server",
                        ChildServer.class,
                        List.of(technology.name(), service.name()),
                        List.of());
        try {
            return new ChildServer(child);
        } catch (RuntimeException failed) {
            child.close();
            throw failed;
        }
    }

    /** The child's work: serves the technology and the service that the arguments name. */
    public static void main(String[] arguments) throws Exception {
        Technology technology = Technologies.named(arguments[0]);
        Service service = ServiceKind.valueOf(arguments[1]).create();
        try (Server server = technology.serve(service)) {
            ParentLine.serve(request -> answer(request, server));
        }
    }

    private static String answer(String request, Server server) {
        String[] words = request.split(" ", -1);
        return switch (words[0]) {
            case PORT -> Integer.toString(server.port());
            case ADMIT -> {
                server.admit(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield "";
            }
            case COST -> {
                Cost cost = Cost.soFar();
                yield "%d %d %d"
                        .formatted(
                                cost.collections(), cost.allocatedBytes(), cost.processorNanos());
            }
            default -> throw new IllegalArgumentException("a server does not know: " + request);
        };
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void admit(int caller, int callerPort) {
        ask("%s %d %d".formatted(ADMIT, caller, callerPort));
    }

    @Override
    public Cost cost() {
        long[] figures = Stream.of(ask(COST).split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new Cost(figures[0], figures[1], figures[2]);
    }

    private synchronized String ask(String request) {
        return child.ask(request, PATIENCE);
    }

    @Override
    public void close() {
        child.close();
    }
}
