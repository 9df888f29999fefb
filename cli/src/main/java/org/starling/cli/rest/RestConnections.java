package org.starling.cli.rest;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The open connections of a API endpoint. Those on which nobody has shown the token yet are
 * strangers: there are at most {@value #MAX_STRANGERS}, the eldest has to go when one more comes,
 * and each has {@link #PROOF_TIMEOUT}. So whoever keeps hundreds of them open stands in the way of
 * nobody else. They are not counted by address: on one machine everybody has all addresses of the
 * loopback. Within TLS the connection of deciphered bytes counts, which begins with the outer one.
 * Any thread.
 */
final class RestConnections implements Connection.Listener {
    static final int MAX_STRANGERS = 256;

    /** Most connections that have shown the token; further ones stay strangers. */
    static final int MAX_KNOWN = 256;

    /** From the beginning of a connection until a whole request with the token has come. */
    static final Duration PROOF_TIMEOUT = Duration.ofSeconds(10);

    private final Scheduler scheduler;

    /** With what ends them in time, the eldest first. Guarded by this. */
    private final LinkedHashMap<Connection, Scheduler.Task> strangers = new LinkedHashMap<>();

    /** Guarded by this. */
    private final Set<Connection> known = new HashSet<>();

    RestConnections(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return;
        }
        Scheduler.Task end =
                scheduler.schedule(
                        () -> endStranger(connection),
                        PROOF_TIMEOUT.toMillis(),
                        TimeUnit.MILLISECONDS);
        Map.Entry<Connection, Scheduler.Task> eldest = null;
        synchronized (this) {
            strangers.put(connection, end);
            if (strangers.size() > MAX_STRANGERS) {
                eldest = strangers.pollFirstEntry();
            }
        }
        if (eldest != null) {
            eldest.getValue().cancel();
            end(eldest.getKey());
        }
    }

    /** Somebody has shown the token on a connection. */
    void trust(Connection connection) {
        Scheduler.Task end = null;
        synchronized (this) {
            if (known.size() < MAX_KNOWN) {
                end = strangers.remove(connection);
                if (end != null) {
                    known.add(connection);
                }
            }
        }
        if (end != null) {
            end.cancel();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        Scheduler.Task end;
        synchronized (this) {
            known.remove(connection);
            end = strangers.remove(connection);
        }
        if (end != null) {
            end.cancel();
        }
    }

    private void endStranger(Connection connection) {
        boolean isStranger;
        synchronized (this) {
            isStranger = strangers.remove(connection) != null;
        }
        if (isStranger) {
            end(connection);
        }
    }

    /** Without saying goodbye in TLS to somebody who may not listen. */
    private static void end(Connection connection) {
        EndPoint end = connection.getEndPoint();
        (end instanceof EndPoint.Wrapper wrapper ? wrapper.unwrap() : end).close();
    }
}
