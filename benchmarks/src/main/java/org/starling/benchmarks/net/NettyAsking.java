package org.starling.benchmarks.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.starling.net.NativeMemory;

/**
 * The sending end of one connection of {@link NettyHost}: takes what comes back, and sends the next
 * message at once while round trips are measured. All but {@link #measure} and {@link #tally} runs
 * on the event loop, to which what is not final is confined.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyAsking extends SimpleChannelInboundHandler<ByteBuf> {
    private final Payload payload;
    private final CompletableFuture<Tally> tally = new CompletableFuture<>();
    private final CompletableFuture<Repetition> trips = new CompletableFuture<>();
    private final Histogram histogram = Repetition.histogram();
    private long[] starts = new long[0];
    private long[] sums = new long[0];
    private long timeNanos;
    private long begin;
    private long received;
    private long number;
    private int underWay;

    NettyAsking(Payload payload) {
        this.payload = payload;
    }

    /** Waits for what the other end says that came. */
    Tally tally() throws InterruptedException, ExecutionException, TimeoutException {
        return tally.get(StarlingHost.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Lets messages go round; once.
     *
     * @param open this connection
     * @param turns under way at a time
     */
    Repetition measure(Channel open, int turns, Duration time)
            throws InterruptedException, ExecutionException, TimeoutException {
        open.eventLoop().execute(() -> begin(open, turns, time.toNanos()));
        long patience = time.plus(StarlingHost.PATIENCE).toMillis();
        return trips.get(patience, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        long address = frame.memoryAddress() + frame.readerIndex();
        int length = NioFrame.length(address);
        long content = address + NioFrame.HEADER_BYTES;
        if (NioFrame.kind(address) == NioFrame.TALLY) {
            tally.complete(
                    new Tally(
                            NativeMemory.getLong(content),
                            NativeMemory.getLong(content + Long.BYTES)));
            return;
        }
        long now = System.nanoTime();
        int turn = (int) (received++ % starts.length);
        Repetition.record(histogram, now - starts[turn]);
        if (length != payload.bytes() || payload.read(content, length) != sums[turn]) {
            throw new WrongContentException("a message came back changed");
        }
        if (now - begin < timeNanos) {
            send(context.channel(), turn, now);
        } else if (--underWay == 0) {
            trips.complete(new Repetition(received, now - begin, 0, histogram));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        tally.completeExceptionally(cause);
        trips.completeExceptionally(cause);
        context.close();
    }

    private void begin(Channel open, int turns, long nanos) {
        starts = new long[turns];
        sums = new long[turns];
        underWay = turns;
        timeNanos = nanos;
        begin = System.nanoTime();
        for (int turn = 0; turn < turns; turn++) {
            send(open, turn, System.nanoTime());
        }
        open.flush();
    }

    private void send(Channel to, int turn, long now) {
        starts[turn] = now;
        ByteBuf frame = NettyHost.frame(to, NioFrame.PING, payload.bytes());
        sums[turn] = payload.write(frame.memoryAddress() + NioFrame.HEADER_BYTES, number++);
        to.write(frame, to.voidPromise());
    }
}
