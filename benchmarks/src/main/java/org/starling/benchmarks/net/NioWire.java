package org.starling.benchmarks.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.starling.net.Waiting;

/**
 * Plain sockets: what is possible with {@code java.nio} when nothing else is wanted. Each sending
 * thread fills an aggregate for each of its connections and writes that; a receiving thread for
 * each node parses each frame, and writes its answers.
 */
final class NioWire implements Wire {
    private static final int BACKLOG = 256;

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final Payload payload;
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private final List<NioLink> links = new CopyOnWriteArrayList<>();
    private final Map<Flow, NioLink> outgoing = new LinkedHashMap<>();
    private volatile boolean closing;

    NioWire(NetPlan plan, List<Integer> hosted, Payload payload) {
        this.plan = plan;
        this.hosted = hosted;
        this.payload = payload;
    }

    @Override
    public Map<Integer, Integer> listen() throws IOException {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (int node : hosted) {
            int sources = plan.sources(node);
            ports.put(node, 0);
            if (sources > 0) {
                ServerSocketChannel server = ServerSocketChannel.open();
                servers.add(server);
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
                ports.put(node, ((InetSocketAddress) server.getLocalAddress()).getPort());
                read(() -> serve(accept(server, sources), plan.waiting()));
            }
        }
        return ports;
    }

    @Override
    public void connect(Map<Integer, Integer> ports) throws IOException {
        for (int node : hosted) {
            List<NioLink> mine = new ArrayList<>();
            for (int target : plan.targets(node)) {
                int port = Objects.requireNonNull(ports.get(target));
                NioLink link =
                        link(
                                SocketChannel.open(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port)));
                outgoing.put(new Flow(node, target), link);
                mine.add(link);
            }
            if (plan.mode() == NetPlan.Mode.ROUNDTRIP && !mine.isEmpty()) {
                read(() -> serve(mine, plan.waiting()));
            } else {
                // only sums come back, and writing threads are to block: a reader for each
                mine.forEach(link -> read(() -> serve(List.of(link), Waiting.SLEEP)));
            }
        }
    }

    @Override
    public Outlet outlet(Flow flow) {
        return link(flow).outlet();
    }

    @Override
    public Inlet inlet(Flow flow) {
        return link(flow).inlet();
    }

    @Override
    public long writes(Flow flow) {
        return link(flow).writes();
    }

    @Override
    public void close() throws IOException {
        closing = true;
        for (Thread reader : readers) {
            reader.interrupt();
            awaitEnd(reader);
        }
        for (ServerSocketChannel server : servers) {
            server.close();
        }
        for (NioLink link : links) {
            link.close();
        }
    }

    /** A link's memory must not go before its reader. */
    private static void awaitEnd(Thread reader) throws IOException {
        try {
            reader.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the bench was interrupted");
        }
    }

    /** What a reading thread does until it is interrupted. */
    @FunctionalInterface
    private interface Reading {
        void run() throws IOException;
    }

    private void read(Reading reading) {
        Runnable work =
                () -> {
                    try {
                        reading.run();
                    } catch (ClosedChannelException closed) {
                        if (!closing) {
                            throw new UncheckedIOException(closed);
                        }
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                };
        readers.add(Thread.ofPlatform().daemon().name("nio-receive").start(work));
    }

    private List<NioLink> accept(ServerSocketChannel server, int connections) throws IOException {
        List<NioLink> accepted = new ArrayList<>();
        while (accepted.size() < connections) {
            accepted.add(link(server.accept()));
        }
        return accepted;
    }

    private NioLink link(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        NioLink link = new NioLink(channel, payload.bytes(), new Inlet(payload));
        links.add(link);
        return link;
    }

    private NioLink link(Flow flow) {
        return Objects.requireNonNull(outgoing.get(flow));
    }

    /**
     * Lets all links receive until they have ended, in the way that is best for them: blocking in
     * the read of a single one, else in a selector; or reading again and again.
     *
     * @param links whose channels block
     * @throws ClosedByInterruptException when the thread is interrupted
     */
    private static void serve(List<NioLink> links, Waiting waiting) throws IOException {
        if (waiting == Waiting.SPIN) {
            spin(links);
        } else if (links.size() == 1) {
            boolean open = true;
            while (open) {
                open = links.getFirst().receive();
            }
        } else {
            select(links);
        }
    }

    private static void spin(List<NioLink> links) throws IOException {
        for (NioLink link : links) {
            link.channel().configureBlocking(false);
        }
        List<NioLink> open = new ArrayList<>(links);
        while (!open.isEmpty()) {
            for (int i = open.size() - 1; i >= 0; i--) {
                if (!open.get(i).receive()) {
                    open.remove(i);
                }
            }
            checkNotInterrupted();
            Thread.onSpinWait();
        }
    }

    private static void select(List<NioLink> links) throws IOException {
        try (Selector selector = Selector.open()) {
            for (NioLink link : links) {
                link.channel().configureBlocking(false);
                link.channel().register(selector, SelectionKey.OP_READ, link);
            }
            int open = links.size();
            while (open > 0) {
                selector.select();
                checkNotInterrupted();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (!((NioLink) key.attachment()).receive()) {
                        key.cancel();
                        open--;
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private static void checkNotInterrupted() throws ClosedByInterruptException {
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }
}
