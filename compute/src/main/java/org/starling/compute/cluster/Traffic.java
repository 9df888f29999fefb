package org.starling.compute.cluster;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.starling.net.NetStatistics;
import org.starling.store.Role;

/**
 * What the connections of a node have carried, by the role of those on the other side. Figures of
 * connections begin at 0 with each and end with it; these only grow. What a connection carries
 * between the last look at it and its end is not counted. Any thread.
 */
final class Traffic {
    /** One figure of a connection. */
    enum Figure {
        SENT_MESSAGES,
        SENT_BYTES,
        RECEIVED_MESSAGES,
        RECEIVED_BYTES,
        WRITES,
        STALLS,
        STALL_NANOS;

        private double of(NetStatistics.Connection connection) {
            return (double)
                    switch (this) {
                        case SENT_MESSAGES -> connection.sentMessages();
                        case SENT_BYTES -> connection.sentBytes();
                        case RECEIVED_MESSAGES -> connection.receivedMessages();
                        case RECEIVED_BYTES -> connection.receivedBytes();
                        case WRITES -> connection.writes();
                        case STALLS -> connection.stalls();
                        case STALL_NANOS -> connection.stallNanos();
                    };
        }
    }

    private final IntPredicate isSuperpeer;

    /** By the other node; those alone that have a connection now. Guarded by this. */
    private final Map<Integer, Map<Figure, Double>> last = new HashMap<>();

    /** Guarded by this. */
    private final Map<Role, Map<Figure, Double>> sums = new EnumMap<>(Role.class);

    /** Guarded by this. */
    private final Map<Role, Integer> connections = new EnumMap<>(Role.class);

    Traffic(IntPredicate isSuperpeer) {
        this.isSuperpeer = isSuperpeer;
        for (Role role : Role.values()) {
            sums.put(role, new EnumMap<>(Figure.class));
        }
    }

    /** Takes what connections have carried since the last look. */
    synchronized void look(List<NetStatistics.Connection> now) {
        connections.clear();
        for (NetStatistics.Connection connection : now) {
            Role role = isSuperpeer.test(connection.node()) ? Role.SUPERPEER : Role.PEER;
            connections.merge(role, 1, Integer::sum);
            Map<Figure, Double> before =
                    last.computeIfAbsent(connection.node(), _ -> new EnumMap<>(Figure.class));
            boolean isAnother =
                    before.getOrDefault(Figure.SENT_BYTES, 0.0) > connection.sentBytes()
                            || before.getOrDefault(Figure.RECEIVED_BYTES, 0.0)
                                    > connection.receivedBytes();
            for (Figure figure : Figure.values()) {
                double value = figure.of(connection);
                double known = isAnother ? 0 : before.getOrDefault(figure, 0.0);
                sums.getOrDefault(role, Map.of())
                        .merge(figure, Math.max(0, value - known), Double::sum);
                before.put(figure, value);
            }
        }
        last.keySet()
                .retainAll(
                        new HashSet<>(now.stream().map(NetStatistics.Connection::node).toList()));
    }

    synchronized double sum(Role role, Figure figure) {
        return sums.getOrDefault(role, Map.of()).getOrDefault(figure, 0.0);
    }

    synchronized int connections(Role role) {
        return connections.getOrDefault(role, 0);
    }
}
