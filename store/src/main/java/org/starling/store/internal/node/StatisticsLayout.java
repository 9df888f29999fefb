package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.NetStatistics;
import org.starling.net.NetStatistics.Connection;
import org.starling.net.NetStatistics.Queues;
import org.starling.net.NetStatistics.RoundTrips;

/** The statistics of a network on the wire: its fields in their order, connections first. */
final class StatisticsLayout {
    /** The fewest bytes that a connection takes: nine compact numbers. */
    private static final int MIN_CONNECTION_BYTES = 9;

    private StatisticsLayout() {}

    static void write(Exporter out, NetStatistics statistics) {
        out.writeCompactInt(statistics.connections().size());
        for (Connection connection : statistics.connections()) {
            write(out, connection);
        }
        out.writeCompactLong(statistics.malformed());
        out.writeCompactLong(statistics.refused());
        out.writeCompactLong(statistics.unhandled());
        out.writeCompactLong(statistics.unanswered());
        out.writeCompactLong(statistics.handlerFailures());
        out.writeCompactLong(statistics.receivingFailures());
        out.writeCompactLong(statistics.lost());
        out.writeCompactLong(statistics.retired());
        out.writeCompactLong(statistics.nativeBytes());
        RoundTrips trips = statistics.roundTrips();
        out.writeCompactLong(trips.count());
        out.writeDouble(trips.p50Micros());
        out.writeDouble(trips.p99Micros());
        out.writeDouble(trips.p999Micros());
        out.writeDouble(trips.maxMicros());
        Queues queues = statistics.queues();
        out.writeCompactInt(queues.pendingRequests());
        out.writeCompactLong(queues.waitingTasks());
        out.writeCompactInt(queues.workers());
        out.writeCompactLong(queues.overflowBytes());
        out.writeCompactInt(queues.lentBuffers());
        out.writeCompactInt(queues.keptBuffers());
    }

    static NetStatistics read(Importer in) {
        int count = in.readLength(MIN_CONNECTION_BYTES);
        List<Connection> connections = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            connections.add(readConnection(in));
        }
        return new NetStatistics(
                connections,
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                new RoundTrips(
                        in.readCompactLong(),
                        in.readDouble(),
                        in.readDouble(),
                        in.readDouble(),
                        in.readDouble()),
                new Queues(
                        in.readCompactInt(),
                        in.readCompactLong(),
                        in.readCompactInt(),
                        in.readCompactLong(),
                        in.readCompactInt(),
                        in.readCompactInt()));
    }

    private static void write(Exporter out, Connection connection) {
        out.writeCompactInt(connection.node());
        out.writeCompactLong(connection.sentMessages());
        out.writeCompactLong(connection.sentBytes());
        out.writeCompactLong(connection.writes());
        out.writeCompactLong(connection.stalls());
        out.writeCompactLong(connection.stallNanos());
        out.writeCompactLong(connection.unconfirmedBytes());
        out.writeCompactLong(connection.receivedMessages());
        out.writeCompactLong(connection.receivedBytes());
    }

    private static Connection readConnection(Importer in) {
        return new Connection(
                in.readCompactInt(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong(),
                in.readCompactLong());
    }
}
