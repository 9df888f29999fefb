package org.starling.benchmarks.studies.calls;

import java.time.Duration;
import org.starling.benchmarks.harness.ChildJvm;
import org.starling.benchmarks.harness.ParentLine;
import java.util.List;

/** A server in a JVM of its own, which ends when this is closed or this process ends. */
final class ChildServer implements Technology.Server {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PORT = "port";
    private static final String ADMIT = "admit";
    private static final String COST = "cost";

    private final ChildJvm child;
    private final int port;

    private ChildServer(ChildJvm child) {
        this.child = child;
        this.port = Integer.parseInt(child.ask(PORT, PATIENCE));
    }

    /**
     * Starts a JVM and in it a server that answers every pattern.
     *
     * @throws org.starling.benchmarks.harness.ChildFailedException if it cannot serve
     */
    static ChildServer start(Technology technology) {
        ChildJvm child =
                ChildJvm.start(
                        technology.name() + " server",
                        ChildServer.class,
                        List.of(technology.name()),
                        List.of());
        try {
            return new ChildServer(child);
        } catch (RuntimeException failed) {
            child.close();
            throw failed;
        }
    }

    /** The child's work: serves with the technology that is named. */
    public static void main(String[] arguments) throws Exception {
        Technology technology = Technology.named(arguments[0]);
        try (Technology.Server server = technology.serve(CallPattern::answer)) {
            ParentLine.serve(request -> answer(request, server));
        }
    }

    private static String answer(String request, Technology.Server server) {
        String[] words = request.split(" ", -1);
        return switch (words[0]) {
            case PORT -> Integer.toString(server.port());
            case ADMIT -> {
                server.admit(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield "";
            }
            case COST -> {
                Cost cost = Cost.soFar();
                yield cost.collections() + " " + cost.allocatedBytes();
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
        child.ask("%s %d %d".formatted(ADMIT, caller, callerPort), PATIENCE);
    }

    @Override
    public Cost cost() {
        String[] words = child.ask(COST, PATIENCE).split(" ", -1);
        return new Cost(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }

    @Override
    public void close() {
        child.close();
    }
}
