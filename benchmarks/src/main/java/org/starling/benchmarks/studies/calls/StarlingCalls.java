package org.starling.benchmarks.studies.calls;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.starling.net.Execution;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;

/** Our requests over the Ethernet transport; each caller is a node of its own. */
final class StarlingCalls implements Technology {
    private static final int SERVER = 1;

    private final String name;
    private final Execution execution;
    private final AtomicInteger lastNode = new AtomicInteger(SERVER);

    /**
     * Requests served in one way.
     *
     * @param execution where the service runs
     */
    StarlingCalls(String name, Execution execution) {
        this.name = name;
        this.execution = execution;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Server serve(Function<Call, Answer> service) {
        return new Node(service);
    }

    @Override
    public Caller connect(Server server) {
        InetSocketAddress address = loopback(server.port());
        int id = lastNode.incrementAndGet();
        Network caller =
                Network.open(
                        id,
                        Transports.ethernet(loopback(0), node -> node == SERVER ? address : null),
                        NetConfig.defaults());
        try {
            server.admit(id, port(caller));
        } catch (RuntimeException failed) {
            caller.close();
            throw failed;
        }
        return new Requester(caller);
    }

    private final class Node implements Server {
        private final Map<Integer, InetSocketAddress> callers = new ConcurrentHashMap<>();
        private final Network network =
                Network.open(
                        SERVER,
                        Transports.ethernet(loopback(0), callers::get),
                        NetConfig.defaults());

        Node(Function<Call, Answer> service) {
            network.serve(Call.TYPE, execution, (source, call) -> service.apply(call));
        }

        @Override
        public int port() {
            return StarlingCalls.port(network);
        }

        @Override
        public void admit(int caller, int callerPort) {
            callers.put(caller, loopback(callerPort));
        }

        @Override
        public void close() {
            network.close();
        }
    }

    private record Requester(Network network) implements Caller {
        @Override
        public Answer call(Call call) throws InterruptedException {
            return network.call(SERVER, call);
        }

        @Override
        public void close() {
            network.close();
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int port(Network network) {
        return Objects.requireNonNull(network.localAddress(), "it does not listen").getPort();
    }
}
