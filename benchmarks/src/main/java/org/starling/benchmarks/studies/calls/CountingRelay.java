package org.starling.benchmarks.studies.calls;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A detour over which all bytes are counted, in both directions and whatever they mean.
 * Thread-safe; has a thread for each port and two for each connection, which end when it is closed.
 */
public final class CountingRelay implements Route, Closeable {

    private static final int BUFFER_BYTES = 64 << 10;

    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong breaks = new AtomicLong();
    private volatile boolean closed;

    /** Bytes that passed so far, without the headers of TCP and IP. */
    public long bytes() {
        return bytes.get();
    }

    /** Directions that ended because one end was gone rather than done. */
    public long breaks() {
        return breaks.get();
    }

    @Override
    public int to(int port) throws IOException {
        ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread.ofPlatform().name("relay-accept").daemon().start(() -> accept(server, port));
        return server.getLocalPort();
    }

    private void accept(ServerSocket server, int port) {
        while (!closed) {
            try {
                Socket from = server.accept();
                open.add(from);
                Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(to);
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                pump(from, to);
                pump(to, from);
            } catch (IOException ended) {
                if (!closed) {
                    throw new IllegalStateException("the relay broke", ended);
                }
            }
        }
    }

    private void pump(Socket from, Socket to) {
        Thread.ofPlatform()
                .name("relay-pump")
                .daemon()
                .start(() -> {
                    try (from;
                            to) {
                        copy(from, to);
                    } catch (IOException broken) {
                        breaks.incrementAndGet();
                    }
                });
    }

    private void copy(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = from.getInputStream().read(buffer);
                count >= 0;
                count = from.getInputStream().read(buffer)) {
            bytes.addAndGet(count);
            to.getOutputStream().write(buffer, 0, count);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Closeable end : open) {
            end.close();
        }
    }
}
