package org.starling.benchmarks.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import org.starling.net.NativeMemory;

/** The receiving end of one connection of {@link NettyHost}. Confined to its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is noticed
final class NettyAnswering extends SimpleChannelInboundHandler<ByteBuf> {
    private final Payload payload;
    private long messages;
    private long sum;

    NettyAnswering(Payload payload) {
        this.payload = payload;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        long address = frame.memoryAddress() + frame.readerIndex();
        int length = NioFrame.length(address);
        int kind = NioFrame.kind(address);
        if (kind == NioFrame.DATA) {
            messages++;
            sum += payload.read(address + NioFrame.HEADER_BYTES, length);
        } else if (kind == NioFrame.PING) {
            context.write(frame.retain(), context.voidPromise());
        } else {
            ByteBuf tally =
                    NettyHost.frame(context.channel(), NioFrame.TALLY, NioFrame.TALLY_BYTES);
            long to = tally.memoryAddress() + NioFrame.HEADER_BYTES;
            NativeMemory.putLong(to, messages);
            NativeMemory.putLong(to + Long.BYTES, sum);
            messages = 0;
            sum = 0;
            context.write(tally, context.voidPromise());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }
}
