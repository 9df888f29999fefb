package org.starling.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Nodes with keys of their own, and others who talk to them by means of the JDK's sockets; all
 * closed after each test, with a look for native memory left behind.
 */
final class TlsNodes implements BeforeEachCallback, AfterEachCallback {

    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(LOCAL, 0);
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final List<Closeable> opened = new ArrayList<>();
    private final long reservedBefore = NativeMemory.reservedBytes();
    private @Nullable Path folder;
    private @Nullable Keys keys;

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("starling-tls");
        replaceKeys();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        for (Closeable open : opened.reversed()) {
            open.close();
        }
        try (Stream<Path> files = Files.walk(Objects.requireNonNull(folder))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        long left = NativeMemory.reservedBytes() - reservedBefore;
        if (left != 0) {
            throw new AssertionError(left + " bytes of native memory are left behind");
        }
    }

    /**
     * From now on {@link #keys} are those of another authority, which takes the old one's place.
     */
    void replaceKeys() {
        keys = new Keys(Objects.requireNonNull(folder));
    }

    /** Keys that all nodes accept. */
    Keys keys() {
        return Objects.requireNonNull(keys);
    }

    /** A node under TLS that answers {@link Ask}. */
    Network node(int id, TlsOptions keys) {
        return open(id, Transports.ethernet(ANY_PORT, addresses::get, keys));
    }

    /** A node without TLS that answers {@link Ask}. */
    Network plain(int id) {
        return open(id, Transports.ethernet(ANY_PORT, addresses::get));
    }

    /** From now on the nodes look for node {@code id} there. */
    void move(int id, InetSocketAddress address) {
        addresses.put(id, address);
    }

    /** A connection to a node, before the handshake. */
    SSLSocket socket(int id, SSLContext context) throws IOException {
        int port = address(id).getPort();
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(LOCAL, port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        opened.add(socket);
        return socket;
    }

    /** A connection to a node, below which the caller has a plain socket. */
    SSLSocket socket(int id, SSLContext context, Socket below) throws IOException {
        below.connect(address(id));
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(below, "localhost", 1, true);
        opened.add(socket);
        return socket;
    }

    /** Listens in the place of node {@code id}, and asks for certificates. */
    SSLServerSocket server(int id, TlsOptions keys) throws IOException {
        SSLServerSocket server =
                (SSLServerSocket)
                        Keys.context(keys).getServerSocketFactory().createServerSocket(0, 5, LOCAL);
        server.setNeedClientAuth(true);
        opened.add(server);
        move(id, (InetSocketAddress) server.getLocalSocketAddress());
        return server;
    }

    /** From now on what goes to and comes from node {@code id} goes byte by byte. */
    void dribble(int id) throws IOException {
        InetSocketAddress target = address(id);
        ServerSocket proxy = new ServerSocket(0, 5, LOCAL);
        opened.add(proxy);
        move(id, (InetSocketAddress) proxy.getLocalSocketAddress());
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        Socket near = proxy.accept();
                        Socket far = new Socket(LOCAL, target.getPort());
                        near.setTcpNoDelay(true);
                        far.setTcpNoDelay(true);
                        Thread.ofVirtual().start(() -> copy(near, far));
                        copy(far, near);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("it did not come to pass");
            }
            Thread.sleep(5);
        }
    }

    private Network open(int id, Transport transport) {
        Network network = Network.open(id, transport, NetConfig.defaults());
        opened.add(network::close);
        network.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
        move(id, Objects.requireNonNull(network.localAddress()));
        return network;
    }

    private InetSocketAddress address(int id) {
        return Objects.requireNonNull(addresses.get(id));
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                out.write(next);
            }
        } catch (IOException e) {
            return; // the other direction has ended, and closed both
        }
    }
}
