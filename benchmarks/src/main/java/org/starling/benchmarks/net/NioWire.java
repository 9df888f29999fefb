package org.starling.benchmarks.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
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
                read(() -> NioPoll.serve(accept(server, sources), plan.waiting()));
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
                read(() -> NioPoll.serve(mine, plan.waiting()));
            } else {
                // only sums come back, and writing threads are to block: a reader for each
                mine.forEach(link -> read(() -> NioPoll.serve(List.of(link), Waiting.SLEEP)));
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
}
