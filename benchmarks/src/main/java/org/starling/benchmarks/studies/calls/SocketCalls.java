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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;

/**
 * Blocking sockets, a thread for each connection. Big-endian:
 *
 * <pre>
 * call:   u32 bytes that follow | u8 pattern | i64 first | i64 second | i64 each element
 * answer: u32 bytes that follow | i64 number | i64 each element
 * </pre>
 */
final class SocketCalls implements Technology {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int CALL_HEADER_BYTES = 1 + 2 * Long.BYTES;
    private static final int ANSWER_HEADER_BYTES = Long.BYTES;

    /** Most bytes that follow. */
    private static final int MAX_BYTES = CALL_HEADER_BYTES + CallPattern.MAX_VECTOR * Long.BYTES;

    @Override
    public String name() {
        return "sockets";
    }

    @Override
    public Server serve(Function<Call, Answer> service) throws IOException {
        return new Listener(service);
    }

    @Override
    public Caller connect(Server server) throws IOException {
        return new Connection(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }

    /** A call with its length in front. */
    static byte[] bytes(Call call) {
        ByteBuffer to = frame(CALL_HEADER_BYTES, call.vector());
        to.put((byte) call.pattern().ordinal()).putLong(call.first()).putLong(call.second());
        return finish(to, call.vector());
    }

    /** An answer with its length in front. */
    static byte[] bytes(Answer answer) {
        return finish(
                frame(ANSWER_HEADER_BYTES, answer.vector()).putLong(answer.number()),
                answer.vector());
    }

    /** The call in all bytes that remain. */
    static Call call(ByteBuffer from) {
        check(from.remaining(), CALL_HEADER_BYTES);
        CallPattern pattern = CallPattern.of(from.get());
        return new Call(pattern, from.getLong(), from.getLong(), vector(from));
    }

    /** The answer in all bytes that remain. */
    static Answer answer(ByteBuffer from) {
        check(from.remaining(), ANSWER_HEADER_BYTES);
        return new Answer(from.getLong(), vector(from));
    }

    /** Checks lengths, before anything is allocated. */
    private static void check(int bytes, int headerBytes) {
        if (bytes < headerBytes || bytes > MAX_BYTES || (bytes - headerBytes) % Long.BYTES != 0) {
            throw new MalformedMessageException(
                    "no call and no answer has %d bytes".formatted(bytes));
        }
    }

    private static ByteBuffer frame(int headerBytes, long[] vector) {
        int bytes = headerBytes + vector.length * Long.BYTES;
        return ByteBuffer.allocate(Integer.BYTES + bytes).putInt(bytes);
    }

    @SuppressWarnings("ByteBufferBackingArray") // made by allocate
    private static byte[] finish(ByteBuffer to, long[] vector) {
        to.asLongBuffer().put(vector);
        return to.array();
    }

    private static long[] vector(ByteBuffer from) {
        long[] vector = new long[from.remaining() / Long.BYTES];
        from.asLongBuffer().get(vector);
        return vector;
    }

    private static final class Listener implements Server {
        private final ServerSocket server =
                new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
        private final Function<Call, Answer> service;

        Listener(Function<Call, Answer> service) throws IOException {
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
                    connection.write(bytes(service.apply(call(call))));
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
            write(bytes(call));
            ByteBuffer answer = read();
            if (answer == null) {
                throw new EOFException("the server is gone");
            }
            return answer(answer);
        }

        private void write(byte[] frame) throws IOException {
            socket.getOutputStream().write(frame);
        }

        /** The next frame without its length, or null at the end. */
        private @Nullable ByteBuffer read() throws IOException {
            byte[] length = in.readNBytes(Integer.BYTES);
            if (length.length == 0) {
                return null;
            }
            int bytes = ByteBuffer.wrap(length).getInt();
            if (bytes < 0 || bytes > MAX_BYTES) {
                throw new IOException("a frame of %d bytes".formatted(bytes));
            }
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
