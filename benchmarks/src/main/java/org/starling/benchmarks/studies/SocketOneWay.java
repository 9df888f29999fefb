package org.starling.benchmarks.studies;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.starling.net.MalformedMessageException;

/**
 * What a careful program would do with plain blocking sockets: length and content through buffers
 * of 64 KiB, a connection and a receiving thread for each pair of threads that talk.
 */
final class SocketOneWay implements OneWay {

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final int targets;
    private final List<Arrivals> arrivals = new CopyOnWriteArrayList<>();

    /** Guarded by this; kept, so that each thread's successor uses the same connections. */
    private final Map<Integer, Sender> senders = new HashMap<>();

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private SocketOneWay(int targets) throws IOException {
        this.targets = targets;
    }

    /** Each thread sends over a connection of its own. */
    static SocketOneWay pair() throws IOException {
        return new SocketOneWay(1);
    }

    /** A thread for each node, with a connection to each other node. */
    static SocketOneWay mesh(int nodes) throws IOException {
        return new SocketOneWay(nodes - 1);
    }

    @Override
    public synchronized Sender sender(int member) throws IOException {
        Sender known = senders.get(member);
        if (known == null) {
            known = open();
            senders.put(member, known);
        }
        return known;
    }

    private Sender open() throws IOException {
        List<DataOutputStream> connections = new ArrayList<>();
        for (int i = 0; i < targets; i++) {
            connections.add(connect());
        }
        return new Frames(connections);
    }

    private DataOutputStream connect() throws IOException {
        Socket sending = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        Socket receiving = server.accept();
        sending.setTcpNoDelay(true);
        sockets.add(sending);
        sockets.add(receiving);
        Arrivals mine = new Arrivals();
        arrivals.add(mine);
        Thread.ofPlatform().name("receive").daemon().start(() -> receive(receiving, mine));
        return new DataOutputStream(
                new BufferedOutputStream(sending.getOutputStream(), BUFFER_BYTES));
    }

    private void receive(Socket socket, Arrivals arrivals) {
        byte[] content = {};
        try (DataInputStream in =
                new DataInputStream(
                        new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES))) {
            while (true) {
                int bytes = in.readInt();
                if (bytes < 1 || bytes > MAX_MESSAGE_BYTES) {
                    throw new MalformedMessageException("a message of %d bytes".formatted(bytes));
                }
                long mark = bytes >= Long.BYTES ? in.readLong() : in.readUnsignedByte();
                int rest = bytes - (bytes >= Long.BYTES ? Long.BYTES : 1);
                if (content.length < rest) {
                    content = new byte[rest];
                }
                in.readFully(content, 0, rest);
                arrivals.take(mark, bytes);
            }
        } catch (IOException broken) {
            if (!server.isClosed()) {
                throw new IllegalStateException("a connection broke", broken);
            }
        }
    }

    @Override
    public List<Arrivals> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Writes length and content. */
    private static final class Frames implements Sender {
        private final List<DataOutputStream> connections;
        private byte[] content = {};
        private int next;

        Frames(List<DataOutputStream> connections) {
            this.connections = connections;
        }

        @Override
        public void send(long number, int bytes) throws IOException {
            DataOutputStream out = connections.get(next);
            next = next + 1 == connections.size() ? 0 : next + 1;
            if (content.length < bytes) {
                content = new byte[bytes];
            }
            out.writeInt(bytes);
            if (bytes >= Long.BYTES) {
                out.writeLong(number);
                out.write(content, 0, bytes - Long.BYTES);
            } else {
                out.writeByte((int) number);
                out.write(content, 0, bytes - 1);
            }
        }

        @Override
        public void flush() throws IOException {
            for (DataOutputStream connection : connections) {
                connection.flush();
            }
        }
    }
}
