package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.NetworkView;

/** What the networks of a cluster have done, for people. */
final class NetworkText {
    private static final int INDENT = 4;
    private static final int GAP = 2;
    private static final double NANOS_PER_MILLI = 1e6;

    private static final List<String> HEADER =
            List.of(
                    "with node",
                    "sent",
                    "bytes",
                    "per write",
                    "stalls",
                    "stalled ms",
                    "unconfirmed bytes",
                    "received",
                    "bytes");

    private NetworkText() {}

    /** The page: a paragraph for each node, and a line for each that did not answer. */
    static String of(ClusterView view, List<NetworkView> networks) {
        StringBuilder text = new StringBuilder("Messages since each node's start:\n");
        for (ClusterView.Node node : view.nodes()) {
            text.append('\n');
            networks.stream()
                    .filter(network -> network.node() == node.node())
                    .findFirst()
                    .ifPresentOrElse(
                            network -> text.append(paragraph(network)),
                            () -> text.append("node %d does not answer%n".formatted(node.node())));
        }
        return text.toString();
    }

    private static String paragraph(NetworkView network) {
        Figures of = new Figures(network.figures());
        String text =
                """
                node %d, %s
                  %d round trips: p50 %.0f µs, p99 %.0f µs, p99.9 %.0f µs, longest %.0f µs
                  connections: %d nodes lost, %d retired, %d refused, %d malformed; messages: %d unhandled, %d unanswered, %d failed handlers, %d failed receiving threads
                  now: %d requests and %d tasks wait, %d workers, %d bytes overflow, %d buffers lent, %d kept, %d bytes native
                  store: %d chunks of %d bytes, in %d bytes of native memory
                """
                        .formatted(
                                network.node(),
                                network.transport(),
                                of.count("roundTrips"),
                                of.value("roundTripP50Micros"),
                                of.value("roundTripP99Micros"),
                                of.value("roundTripP999Micros"),
                                of.value("roundTripMaxMicros"),
                                of.count("lost"),
                                of.count("retired"),
                                of.count("refused"),
                                of.count("malformed"),
                                of.count("unhandled"),
                                of.count("unanswered"),
                                of.count("handlerFailures"),
                                of.count("receivingFailures"),
                                of.count("pendingRequests"),
                                of.count("waitingTasks"),
                                of.count("workers"),
                                of.count("overflowBytes"),
                                of.count("lentBuffers"),
                                of.count("keptBuffers"),
                                of.count("nativeBytes"),
                                of.count("chunks"),
                                of.count("chunkPayloadBytes"),
                                of.count("chunkHeapBytes"));
        return network.connections().isEmpty() ? text : text + table(network.connections());
    }

    private static String table(List<Map<String, Number>> connections) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        for (Map<String, Number> connection : connections) {
            Figures of = new Figures(connection);
            rows.add(
                    List.of(
                            of.text(NetworkView.NODE),
                            of.text("sentMessages"),
                            of.text("sentBytes"),
                            "%.1f".formatted(of.value("aggregationFactor")),
                            of.text("stalls"),
                            "%.1f".formatted(of.value("stallNanos") / NANOS_PER_MILLI),
                            of.text("unconfirmedBytes"),
                            of.text("receivedMessages"),
                            of.text("receivedBytes")));
        }
        return Columns.aligned(rows, INDENT, GAP, 0);
    }

    /** Figures by name; one that the cluster does not give is 0. */
    private record Figures(Map<String, Number> byName) {
        long count(String name) {
            return byName.getOrDefault(name, 0).longValue();
        }

        double value(String name) {
            return byName.getOrDefault(name, 0).doubleValue();
        }

        String text(String name) {
            return Long.toString(count(name));
        }
    }
}
