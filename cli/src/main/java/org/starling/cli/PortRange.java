package org.starling.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Where a node may listen: one port, the first free one of several, or any (0). Immutable.
 *
 * @param first the lowest, or 0
 * @param last the highest, or 0
 */
record PortRange(int first, int last) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    /** So often any port is tried: the one beside it has to be free, too. */
    private static final int MAX_TRIES = 100;

    /** One port, or 0 for any. */
    static PortRange of(int port) {
        return new PortRange(port, port);
    }

    /** As settings say it; null if it is none. */
    static @Nullable PortRange read(Object value) {
        if (value instanceof Long port && port >= 0 && port <= Settings.MAX_PORT) {
            return of(port.intValue());
        }
        Matcher range = RANGE.matcher(value.toString());
        if (value instanceof String && range.matches()) {
            int low = Integer.parseInt(range.group(1));
            int high = Integer.parseInt(range.group(2));
            return low < 1 || low > high || high > Settings.MAX_PORT
                    ? null
                    : new PortRange(low, high);
        }
        return null;
    }

    /** What {@link #read} takes. */
    Object written() {
        return first == last ? (Object) (long) first : first + "-" + last;
    }

    /** Whether others can know it before the node has started. */
    boolean isFixed() {
        return first == last && first > 0;
    }

    /**
     * The port, if there is but one; else one that is free now, together with another.
     *
     * @param at where the node listens
     * @param apart by how much the other one is higher; 0 for none
     * @throws InvalidInputException if there is none
     */
    int choose(InetAddress at, int apart) {
        if (isFixed()) {
            return first;
        }
        int tries = first == 0 ? MAX_TRIES : last - first + 1;
        for (int i = 0; i < tries; i++) {
            int port = free(at, first == 0 ? 0 : first + i);
            if (port > 0 && (apart == 0 || free(at, port + apart) > 0)) {
                return port;
            }
        }
        throw new InvalidInputException(
                first == 0
                        ? "no port at %s is free".formatted(at.getHostAddress())
                        : "no port from %d to %d at %s is free%s; name others with --port"
                                .formatted(
                                        first,
                                        last,
                                        at.getHostAddress(),
                                        apart == 0
                                                ? ""
                                                : " together with the one %d above it"
                                                        .formatted(apart)));
    }

    /** That port, or any for 0; −1 if it can't be had. */
    private static int free(InetAddress at, int port) {
        if (port > Settings.MAX_PORT) {
            return -1;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(at, port));
            return socket.getLocalPort();
        } catch (IOException taken) {
            return -1;
        }
    }
}
