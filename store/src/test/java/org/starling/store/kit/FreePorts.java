package org.starling.store.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Addresses for servers that must know theirs before they start. They lie below the ports that
 * systems hand out by themselves, so that no connection of another test takes one in between.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 1_000;

    private FreePorts() {}

    /** So many addresses of the loopback interface that nobody has now. */
    public static List<InetSocketAddress> addresses(int count) {
        List<ServerSocket> probes = new ArrayList<>();
        List<InetSocketAddress> addresses = new ArrayList<>();
        try {
            while (addresses.size() < count) {
                ServerSocket probe = probe();
                probes.add(probe);
                addresses.add((InetSocketAddress) probe.getLocalSocketAddress());
            }
            for (ServerSocket probe : probes) {
                probe.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no free ports", e);
        }
        return addresses;
    }

    private static ServerSocket probe() throws IOException {
        IOException last = new IOException("no ports");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }
}
