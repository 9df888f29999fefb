package org.starling.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * A node in a process of its own, to be killed by tests: serves {@link Ask}, prints its port, waits
 * for its end.
 */
final class ChildNode {

    private ChildNode() {}

    public static void main(String[] args) throws Exception {
        int parentPort = Integer.parseInt(args[0]);
        InetAddress local = InetAddress.getLoopbackAddress();
        Transport transport =
                Pair.Kind.valueOf(args[1])
                        .transport(
                                new InetSocketAddress(local, 0),
                                node -> node == 1 ? new InetSocketAddress(local, parentPort) : null,
                                new LoopbackHub());
        try (Network network = Network.open(2, transport, NetConfig.defaults())) {
            network.serve(
                    Ask.TYPE,
                    Execution.WORKER,
                    (source, q) -> {
                        if (q.number() < 0) {
                            Thread.sleep(60_000);
                        }
                        return new Text(q.number(), "child");
                    });
            System.out.println("port " + Objects.requireNonNull(network.localAddress()).getPort());
            int end = System.in.read();
            System.out.println("ended by " + end);
        }
    }
}
