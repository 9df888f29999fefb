package org.starling.benchmarks.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Netty over NIO, as programs use it: a pooled buffer for each message, written by the sending
 * thread and flushed in bursts; a decoder that cuts frames by their length; one event loop for all
 * connections of a node, which always sleeps in its selector. Frames are those of {@link NioLink}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyWire implements Wire {
    private static final long FULL_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long QUIET_MILLIS = 0;
    private static final long STOP_SECONDS = 5;

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final Payload payload;
    private final List<EventLoopGroup> loops = new ArrayList<>();
    private final Map<Flow, Channel> channels = new LinkedHashMap<>();

    NettyWire(NetPlan plan, List<Integer> hosted, Payload payload) {
        this.plan = plan;
        this.hosted = hosted;
        this.payload = payload;
    }

    @Override
    public Map<Integer, Integer> listen() throws InterruptedException {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (int node : hosted) {
            Channel listening =
                    new ServerBootstrap()
                            .group(loop())
                            .channel(NioServerSocketChannel.class)
                            .childOption(ChannelOption.TCP_NODELAY, true)
                            .childHandler(framed())
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
            EventLoopGroup loop = plan.targets(node).isEmpty() ? null : loop();
            for (int target : plan.targets(node)) {
                int port = Objects.requireNonNull(ports.get(target));
                Channel channel =
                        new Bootstrap()
                                .group(loop)
                                .channel(NioSocketChannel.class)
                                .option(ChannelOption.TCP_NODELAY, true)
                                .handler(framed())
                                .connect(InetAddress.getLoopbackAddress(), port)
                                .sync()
                                .channel();
                channels.put(new Flow(node, target), channel);
            }
        }
    }

    @Override
    public Outlet outlet(Flow flow) {
        return new Buffers(channel(flow), payload.burst());
    }

    @Override
    public Inlet inlet(Flow flow) {
        return channel(flow).pipeline().get(End.class).inlet;
    }

    @Override
    public long writes(Flow flow) {
        return 0;
    }

    @Override
    public void close() {
        for (EventLoopGroup loop : loops) {
            loop.shutdownGracefully(QUIET_MILLIS, STOP_SECONDS, TimeUnit.SECONDS)
                    .syncUninterruptibly();
        }
    }

    private EventLoopGroup loop() {
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory(NettyWire.class, true),
                        NioIoHandler.newFactory());
        loops.add(loop);
        return loop;
    }

    private ChannelInitializer<SocketChannel> framed() {
        int max = NioLink.HEADER_BYTES + Math.max(payload.bytes(), Inlet.TALLY_BYTES);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(
                                        ByteOrder.LITTLE_ENDIAN, max, 0, 4, 4, 0, true))
                        .addLast(new End(new Inlet(payload), new Buffers(channel, 0)));
            }
        };
    }

    private Channel channel(Flow flow) {
        return Objects.requireNonNull(channels.get(flow));
    }

    /** One end of a connection, on its event loop. */
    private static final class End extends SimpleChannelInboundHandler<ByteBuf> {
        private final Inlet inlet;
        private final Outlet back;

        End(Inlet inlet, Outlet back) {
            this.inlet = inlet;
            this.back = back;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame)
                throws IOException {
            long address = frame.memoryAddress() + frame.readerIndex();
            inlet.take(
                    NioLink.kind(address),
                    address + NioLink.HEADER_BYTES,
                    NioLink.length(address),
                    back);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    /** A buffer for each message. */
    private static final class Buffers implements Outlet {
        private final Channel channel;
        private final int burst;
        private @Nullable ByteBuf claimed;
        private int unflushed;

        /**
         * An outlet.
         *
         * @param burst messages after which it flushes and waits for room; 0 on the event loop
         */
        Buffers(Channel channel, int burst) {
            this.channel = channel;
            this.burst = burst;
        }

        @Override
        public long claim(int kind, int bytes) {
            ByteBuf frame = channel.alloc().directBuffer(NioLink.HEADER_BYTES + bytes);
            claimed = frame.writerIndex(NioLink.HEADER_BYTES + bytes);
            NioLink.putHeader(frame.memoryAddress(), kind, bytes);
            return frame.memoryAddress() + NioLink.HEADER_BYTES;
        }

        @Override
        public void commit() {
            channel.write(Objects.requireNonNull(claimed), channel.voidPromise());
            claimed = null;
            if (++unflushed == burst) {
                flush();
            }
        }

        @Override
        public void flush() {
            channel.flush();
            unflushed = 0;
            while (!channel.isWritable()) {
                LockSupport.parkNanos(this, FULL_PAUSE_NANOS);
            }
        }
    }
}
