package org.starling.benchmarks.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.starling.net.NativeMemory;
import org.starling.net.Waiting;

/**
 * The receiving end of plain sockets: a thread that takes the frames of a known number of
 * connections, counts and sums up their payloads, sends back what asks for that, and says what came
 * when it is asked.
 */
final class NioReceiver implements AutoCloseable {
    private static final int BACKLOG = 256;

    private final ServerSocketChannel server;
    private final int connections;
    private final Payload payload;
    private final Waiting waiting;
    private final Thread thread;

    /** Confined to the receiving thread while that runs. */
    private final List<Inlet> inlets = new ArrayList<>();

    private volatile boolean closing;

    private NioReceiver(
            ServerSocketChannel server, int connections, Payload payload, Waiting waiting) {
        this.server = server;
        this.connections = connections;
        this.payload = payload;
        this.waiting = waiting;
        this.thread = Thread.ofPlatform().daemon().name("nio-receive").unstarted(this::run);
    }

    /** Begins to listen on the loopback interface. */
    static NioReceiver open(int connections, Payload payload, Waiting waiting) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        NioReceiver receiver = new NioReceiver(server, connections, payload, waiting);
        receiver.thread.start();
        return receiver;
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closing = true;
        thread.interrupt();
        thread.join();
        server.close();
        for (Inlet inlet : inlets) {
            inlet.link().close();
        }
    }

    private void run() {
        try {
            while (inlets.size() < connections) {
                var channel = server.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                inlets.add(new Inlet(new NioLink(channel, payload.bytes()), payload));
            }
            NioPoll.serve(inlets, waiting);
        } catch (ClosedChannelException closed) {
            if (!closing) {
                throw new UncheckedIOException(closed);
            }
        } catch (IOException broken) {
            hangUp();
            throw new UncheckedIOException(broken);
        }
    }

    /** So that nobody waits for an answer. */
    private void hangUp() {
        for (Inlet inlet : inlets) {
            try {
                inlet.link().channel().close();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    /** One connection. */
    private static final class Inlet implements NioEnd {
        private final NioLink link;
        private final Payload payload;
        private long messages;
        private long sum;

        Inlet(NioLink link, Payload payload) {
            this.link = link;
            this.payload = payload;
        }

        @Override
        public NioLink link() {
            return link;
        }

        @Override
        public boolean receive() throws IOException {
            if (link.read() < 0) {
                return false;
            }
            while (link.next()) {
                if (link.kind() == NioFrame.DATA) {
                    messages++;
                    sum += payload.read(link.payload(), link.length());
                } else if (link.kind() == NioFrame.PING) {
                    long to = link.put(NioFrame.PING, link.length());
                    NativeMemory.copy(link.payload(), to, link.length());
                } else {
                    answer();
                }
            }
            link.flush();
            return true;
        }

        private void answer() throws IOException {
            long to = link.put(NioFrame.TALLY, NioFrame.TALLY_BYTES);
            NativeMemory.putLong(to, messages);
            NativeMemory.putLong(to + Long.BYTES, sum);
            messages = 0;
            sum = 0;
        }
    }
}
