package org.starling.benchmarks.studies.calls;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
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
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Netty over NIO with {@link CallLayout}: the server answers on its event loops, as many as Netty
 * takes by itself; all callers of a process share event loops, too.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
public final class NettyCalls implements Technology {

    private static final long QUIET_MILLIS = 0;
    private static final long STOP_SECONDS = 5;

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public Server serve(Service service) throws InterruptedException {
        return new Listener(service);
    }

    @Override
    public Caller connect(Server server, Route route) throws IOException, InterruptedException {
        Calling answers = new Calling();
        Channel channel =
                new Bootstrap()
                        .group(CallingLoops.LOOPS)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(framed(() -> answers))
                        .connect(InetAddress.getLoopbackAddress(), route.to(server.port()))
                        .sync()
                        .channel();
        return new NettyCaller(channel, answers);
    }

    private static final class Listener implements Server {
        private final EventLoopGroup loops = loops();
        private final Channel listening;

        Listener(Service service) throws InterruptedException {
            listening =
                    new ServerBootstrap()
                            .group(loops)
                            .channel(NioServerSocketChannel.class)
                            .childOption(ChannelOption.TCP_NODELAY, true)
                            .childHandler(framed(() -> new Serving(service)))
                            .bind(InetAddress.getLoopbackAddress(), 0)
                            .sync()
                            .channel();
        }

        @Override
        public int port() {
            return ((InetSocketAddress) listening.localAddress()).getPort();
        }

        @Override
        public void close() {
            listening.close().syncUninterruptibly();
            loops.shutdownGracefully(QUIET_MILLIS, STOP_SECONDS, TimeUnit.SECONDS)
                    .syncUninterruptibly();
        }
    }

    private static EventLoopGroup loops() {
        return new MultiThreadIoEventLoopGroup(
                new DefaultThreadFactory(NettyCalls.class, true), NioIoHandler.newFactory());
    }

    /** Of all callers of this process; made on first use, its threads are daemons. */
    private static final class CallingLoops {
        private static final EventLoopGroup LOOPS = loops();

        private CallingLoops() {}
    }

    /** Makes the last handler of a pipeline. */
    @FunctionalInterface
    private interface Last {
        ChannelHandler handler();
    }

    private static ChannelInitializer<SocketChannel> framed(Last last) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(
                                        CallLayout.MAX_BYTES + CallLayout.LENGTH_BYTES,
                                        0,
                                        CallLayout.LENGTH_BYTES,
                                        0,
                                        CallLayout.LENGTH_BYTES))
                        .addLast(last.handler());
            }
        };
    }

    /** Answers calls. */
    private static final class Serving extends SimpleChannelInboundHandler<ByteBuf> {
        private final Service service;

        Serving(Service service) {
            this.service = service;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            Answer answer = service.answer(CallLayout.call(frame.nioBuffer()));
            context.writeAndFlush(
                    Unpooled.wrappedBuffer(CallLayout.bytes(answer)), context.voidPromise());
        }
    }

    /** Takes answers. */
    private static final class Calling extends SimpleChannelInboundHandler<ByteBuf> {
        private volatile CompletableFuture<Answer> next = new CompletableFuture<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            next.complete(CallLayout.answer(frame.nioBuffer()));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            next.completeExceptionally(new EOFException("the server is gone"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            next.completeExceptionally(cause);
            context.close();
        }
    }

    private record NettyCaller(Channel channel, Calling answers) implements Caller {
        @Override
        public Answer call(Call call) throws InterruptedException, ExecutionException {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.next = answer;
            channel.writeAndFlush(
                    Unpooled.wrappedBuffer(CallLayout.bytes(call)), channel.voidPromise());
            return answer.get();
        }

        @Override
        public void close() {
            channel.close().syncUninterruptibly();
        }
    }
}
