package org.starling.store.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy whose connections can be stalled: no byte goes on, in either direction, and no end is
 * told, as when cables were cut and TCP waits long before it tries again. Later connections work.
 */
public final class StallingProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 14;

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger stalled = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    /**
     * On the same port of another address.
     *
     * @param host the address
     * @param target where connections go
     */
    public StallingProxy(String host, InetSocketAddress target) {
        this.target = target;
        try {
            server = new ServerSocket(target.getPort(), 50, InetAddress.getByName(host));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /**
     * Where to connect instead of the target.
     *
     * @return the address
     */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Stalls all connections there are now.
     *
     * @return how many
     */
    public int stall() {
        stalled.set(accepted.get());
        return stalled.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket node = new Socket(target.getAddress(), target.getPort());
            client.setTcpNoDelay(true);
            node.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(node);
            int number = accepted.getAndIncrement();
            start(() -> pump(number, client, node));
            start(() -> pump(number, node, client));
        }
    }

    private void pump(int number, Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        int bytes = in.read(buffer);
        while (bytes >= 0 && number >= stalled.get()) {
            out.write(buffer, 0, bytes);
            bytes = in.read(buffer);
        }
        if (number >= stalled.get()) {
            to.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    private void start(Body body) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        body.run();
                    } catch (IOException e) {
                        if (!server.isClosed() && stalled.get() == 0) {
                            System.err.println("the proxy lost a connection: " + e);
                        }
                    }
                });
    }
}
