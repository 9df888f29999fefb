package org.starling.benchmarks.studies.calls;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Blocking sockets with {@link CallLayout}, a thread for each connection. */
public final class SocketCalls implements Technology {

    private static final int BUFFER_BYTES = 64 << 10;

    @Override
    public String name() {
        return "sockets";
    }

    @Override
    public Server serve(Service service) throws IOException {
        return new Listener(service);
    }

    @Override
    public Caller connect(Server server, Route route) throws IOException {
        return new Connection(
                new Socket(InetAddress.getLoopbackAddress(), route.to(server.port())));
    }

    private static final class Listener implements Server {
        private final ServerSocket server =
                new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
        private final Service service;

        Listener(Service service) throws IOException {
            this.service = service;
            Thread.ofPlatform().name("sockets-accept").daemon().start(this::accept);
        }

        @Override
        public int port() {
            return server.getLocalPort();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Connection connection = new Connection(server.accept());
                    connections.add(connection);
                    Thread.ofPlatform()
                            .name("sockets-serve")
                            .daemon()
                            .start(() -> serve(connection));
                } catch (IOException ended) {
                    if (!server.isClosed()) {
                        throw new IllegalStateException("no more connections", ended);
                    }
                }
            }
        }

        private void serve(Connection connection) {
            try (connection) {
                for (ByteBuffer call = connection.read(); call != null; call = connection.read()) {
                    connection.write(CallLayout.bytes(service.answer(CallLayout.call(call))));
                }
            } catch (IOException broken) {
                if (!server.isClosed()) {
                    throw new IllegalStateException("a connection broke", broken);
                }
            } finally {
                connections.remove(connection);
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    /** Either end of a connection. */
    private static final class Connection implements Caller {
        private final Socket socket;
        private final DataInputStream in;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in =
                    new DataInputStream(
                            new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        }

        @Override
        public Answer call(Call call) throws IOException {
            write(CallLayout.bytes(call));
            ByteBuffer answer = read();
            if (answer == null) {
                throw new EOFException("the server is gone");
            }
            return CallLayout.answer(answer);
        }

        @SuppressWarnings("ByteBufferBackingArray") // made by allocate
        private void write(ByteBuffer frame) throws IOException {
            socket.getOutputStream().write(frame.array(), 0, frame.limit());
        }

        /** The next frame without its length, or null at the end. */
        private @Nullable ByteBuffer read() throws IOException {
            byte[] length = in.readNBytes(CallLayout.LENGTH_BYTES);
            if (length.length == 0) {
                return null;
            }
            int bytes = CallLayout.checkedLength(ByteBuffer.wrap(length).getInt());
            byte[] frame = new byte[bytes];
            in.readFully(frame);
            return ByteBuffer.wrap(frame);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
