package org.starling.benchmarks.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of Netty over NIO in one JVM, as programs use it: a pooled buffer for each message, written
 * by the sending thread and flushed in bursts; a decoder that cuts frames by their length; one
 * event loop for all connections of a node, which always sleeps in its selector.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyHost implements Host {
    private static final long FULL_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long QUIET_MILLIS = 0;
    private static final long STOP_SECONDS = 5;

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final List<EventLoopGroup> loops = new ArrayList<>();
    private final Map<Flow, Channel> channels = new LinkedHashMap<>();
    private @Nullable Payload payload;

    NettyHost(NetPlan plan, List<Integer> hosted) {
        this.plan = plan;
        this.hosted = hosted;
    }

    @Override
    public Map<Integer, Integer> open(boolean whole) throws InterruptedException {
        Payload content = new Payload(plan.bytes(), whole);
        payload = content;
        Map<Integer, Integer> ports = new TreeMap<>();
        for (int node : hosted) {
            Channel listening =
                    new ServerBootstrap()
                            .group(loop())
                            .channel(NioServerSocketChannel.class)
                            .childOption(ChannelOption.TCP_NODELAY, true)
                            .childHandler(framed(() -> new NettyAnswering(content)))
                            .bind(InetAddress.getLoopbackAddress(), 0)
                            .sync()
                            .channel();
            ports.put(node, ((InetSocketAddress) listening.localAddress()).getPort());
        }
        return ports;
    }

    @Override
    public void connect(Map<Integer, Integer> ports) throws InterruptedException {
        for (int node : hosted) {
            List<Integer> targets = plan.targets(node);
            if (targets.isEmpty()) {
                continue;
            }
            Bootstrap bootstrap =
                    new Bootstrap()
                            .group(loop())
                            .channel(NioSocketChannel.class)
                            .option(ChannelOption.TCP_NODELAY, true)
                            .handler(framed(() -> new NettyAsking(content())));
            for (int target : targets) {
                int port = Objects.requireNonNull(ports.get(target));
                Channel channel =
                        bootstrap.connect(InetAddress.getLoopbackAddress(), port).sync().channel();
                channels.put(new Flow(node, target), channel);
            }
        }
    }

    @Override
    public Repetition measure(Duration time) throws Exception {
        return plan.mode() == Mode.ROUNDTRIP ? roundTrips(time) : rates(time);
    }

    @Override
    public void close() {
        for (EventLoopGroup loop : loops) {
            loop.shutdownGracefully(QUIET_MILLIS, STOP_SECONDS, TimeUnit.SECONDS)
                    .syncUninterruptibly();
        }
        loops.clear();
        channels.clear();
        if (payload != null) {
            payload.close();
            payload = null;
        }
    }

    /** A frame with room for its payload. */
    static ByteBuf frame(Channel channel, int kind, int bytes) {
        ByteBuf frame = channel.alloc().directBuffer(NioFrame.HEADER_BYTES + bytes);
        NioFrame.putHeader(frame.memoryAddress(), kind, bytes);
        return frame.writerIndex(NioFrame.HEADER_BYTES + bytes);
    }

    private Repetition roundTrips(Duration time) throws Exception {
        Map<Channel, Integer> turns = new LinkedHashMap<>();
        for (List<Flow> lane : plan.lanes(hosted)) {
            turns.merge(channel(lane.getFirst()), 1, Integer::sum);
        }
        List<Callable<Repetition>> tasks = new ArrayList<>();
        turns.forEach(
                (channel, count) -> tasks.add(() -> asking(channel).measure(channel, count, time)));
        Repetition sum = Repetition.nothing();
        for (Repetition one : Together.run("netty-ask", tasks)) {
            sum = sum.beside(one);
        }
        return sum;
    }

    private Repetition rates(Duration time) throws Exception {
        long begin = System.nanoTime();
        Map<Flow, Tally> sent = Sending.all("netty-send", plan.lanes(hosted), time, this::send);
        for (Flow flow : sent.keySet()) {
            Channel channel = channel(flow);
            channel.writeAndFlush(frame(channel, NioFrame.END, 0), channel.voidPromise());
        }
        for (Map.Entry<Flow, Tally> one : sent.entrySet()) {
            Tally received = asking(channel(one.getKey())).tally();
            WrongContentException.check(one.getKey(), one.getValue(), received);
        }
        long messages = Sending.messages(sent);
        return Repetition.of(messages, System.nanoTime() - begin, 0);
    }

    private Map<Flow, Tally> send(List<Flow> lane, long first, long timeNanos) {
        Channel[] targets = lane.stream().map(this::channel).toArray(Channel[]::new);
        long[] messages = new long[targets.length];
        long[] sums = new long[targets.length];
        Payload content = content();
        int burst = StarlingRates.burst(plan.bytes());
        long number = first;
        int next = 0;
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < burst; i++) {
                Channel channel = targets[next];
                ByteBuf frame = frame(channel, NioFrame.DATA, plan.bytes());
                sums[next] +=
                        content.write(frame.memoryAddress() + NioFrame.HEADER_BYTES, number++);
                channel.write(frame, channel.voidPromise());
                messages[next]++;
                next = next + 1 == targets.length ? 0 : next + 1;
            }
            for (Channel channel : targets) {
                channel.flush();
                while (!channel.isWritable()) {
                    LockSupport.parkNanos(this, FULL_PAUSE_NANOS);
                }
            }
        } while (System.nanoTime() - begin < timeNanos);
        return StarlingRates.tallies(lane, messages, sums);
    }

    private EventLoopGroup loop() {
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory(NettyHost.class, true),
                        NioIoHandler.newFactory());
        loops.add(loop);
        return loop;
    }

    private ChannelInitializer<SocketChannel> framed(Supplier<ChannelHandler> last) {
        int max = NioFrame.HEADER_BYTES + Math.max(plan.bytes(), NioFrame.TALLY_BYTES);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(
                                        ByteOrder.LITTLE_ENDIAN, max, 0, 4, 4, 0, true))
                        .addLast(last.get());
            }
        };
    }

    private static NettyAsking asking(Channel channel) {
        return channel.pipeline().get(NettyAsking.class);
    }

    private Channel channel(Flow flow) {
        return Objects.requireNonNull(channels.get(flow));
    }

    private Payload content() {
        return Objects.requireNonNull(payload, "the host is not open");
    }
}
