package org.starling.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for clusters of tests. */
final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int PORTS = 100;
    private static final int[] USED = {0, 1, 2, 10, 11, 12, 20, 21, 22, 23, 90, 91, 92};

    private FreePorts() {}

    /** First of a hundred ports of which nobody has those that a small cluster takes. */
    static int base() throws IOException {
        IOException last = new IOException("no ports");
        for (int tries = 0; tries < 100; tries++) {
            int base = FIRST + PORTS * ThreadLocalRandom.current().nextInt((END - FIRST) / PORTS);
            try {
                for (int offset : USED) {
                    check(base + offset);
                }
                return base;
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }

    private static void check(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
    }
}
