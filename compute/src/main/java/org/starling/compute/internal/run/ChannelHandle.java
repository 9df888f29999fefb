package org.starling.compute.internal.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.RowWindow;
import org.starling.graph.DoubleChannel;
import org.starling.graph.FloatChannel;
import org.starling.graph.IntChannel;
import org.starling.graph.LongChannel;
import org.starling.graph.VertexChannel;

/** A channel as one worker's program sees it. Confined to the worker's thread. */
abstract class ChannelHandle {
    private final Worker worker;
    private final Channel channel;
    private final RowWindow receivers;
    private final @Nullable RowWindow otherReceivers;
    private Inbox inbox;
    private Published published;
    private long broadcasts;
    private long broadcastEdges;

    ChannelHandle(Worker worker, Channel channel) {
        this.worker = worker;
        this.channel = channel;
        List<EdgePaths.Path> paths = channel.paths().paths();
        this.receivers = worker.window(paths.getFirst().senders());
        this.otherReceivers = paths.size() > 1 ? worker.window(paths.getLast().senders()) : null;
        this.inbox = channel.inbox(0);
        this.published = channel.published(0);
    }

    /** Turns to the columns of a superstep and begins to count anew. */
    final void enter(int superstep) {
        inbox = channel.inbox(superstep);
        published = channel.published(superstep);
        broadcasts = 0;
        broadcastEdges = 0;
    }

    final Channel channel() {
        return channel;
    }

    /** Vertices that broadcast in this superstep. */
    final long broadcasts() {
        return broadcasts;
    }

    /** Edges of the vertices that broadcast in this superstep. */
    final long broadcastEdges() {
        return broadcastEdges;
    }

    final void sendBits(long target, long value) {
        worker.send(channel, target, value);
    }

    /** Publishes a value of so many bytes; of none if the ordinal is the value. */
    final void broadcastBits(long ordinal, long value, int width) {
        worker.checkOwn(ordinal);
        if (published.set(ordinal, value, width)) {
            broadcasts++;
            broadcastEdges += receivers.degree(ordinal);
            if (otherReceivers != null) {
                broadcastEdges += otherReceivers.degree(ordinal);
            }
        }
    }

    /** Bits of what an ordinal received. */
    final long receivedBits(long ordinal) {
        worker.checkOwn(ordinal);
        return inbox.value(ordinal);
    }

    /** The same for values of so many bytes. */
    final long receivedBits(long ordinal, int width) {
        worker.checkOwn(ordinal);
        return inbox.value(ordinal, width);
    }

    public final boolean hasReceived(long ordinal) {
        worker.checkOwn(ordinal);
        return inbox.has(ordinal);
    }

    public final long nextReceiver(long from) {
        if (from < worker.shardEnd()) {
            worker.checkOwn(from);
        }
        return inbox.receivers.next(from, worker.shardEnd());
    }

    /** Integers of 32 bits. */
    static final class OfInt extends ChannelHandle implements IntChannel {
        OfInt(Worker worker, Channel channel) {
            super(worker, channel);
        }

        @Override
        public void send(long target, int value) {
            sendBits(target, value);
        }

        @Override
        public void broadcast(long ordinal, int value) {
            broadcastBits(ordinal, value, Integer.BYTES);
        }

        @Override
        public int received(long ordinal) {
            return (int) receivedBits(ordinal, Integer.BYTES);
        }
    }

    /** Integers of 64 bits. */
    static final class OfLong extends ChannelHandle implements LongChannel {
        OfLong(Worker worker, Channel channel) {
            super(worker, channel);
        }

        @Override
        public void send(long target, long value) {
            sendBits(target, value);
        }

        @Override
        public void broadcast(long ordinal, long value) {
            broadcastBits(ordinal, value, Long.BYTES);
        }

        @Override
        public long received(long ordinal) {
            return receivedBits(ordinal, Long.BYTES);
        }
    }

    /** Floating point numbers of 32 bits. */
    static final class OfFloat extends ChannelHandle implements FloatChannel {
        OfFloat(Worker worker, Channel channel) {
            super(worker, channel);
        }

        @Override
        public void send(long target, float value) {
            sendBits(target, Float.floatToRawIntBits(value));
        }

        @Override
        public void broadcast(long ordinal, float value) {
            broadcastBits(ordinal, Float.floatToRawIntBits(value), Float.BYTES);
        }

        @Override
        public float received(long ordinal) {
            return Float.intBitsToFloat((int) receivedBits(ordinal, Float.BYTES));
        }
    }

    /** Floating point numbers of 64 bits. */
    static final class OfDouble extends ChannelHandle implements DoubleChannel {
        OfDouble(Worker worker, Channel channel) {
            super(worker, channel);
        }

        @Override
        public void send(long target, double value) {
            sendBits(target, Double.doubleToRawLongBits(value));
        }

        @Override
        public void broadcast(long ordinal, double value) {
            broadcastBits(ordinal, Double.doubleToRawLongBits(value), Double.BYTES);
        }

        @Override
        public double received(long ordinal) {
            return Double.longBitsToDouble(receivedBits(ordinal, Double.BYTES));
        }
    }

    /** Callers. */
    static final class OfVertex extends ChannelHandle implements VertexChannel {
        private final ValueOp.OfVertex op;

        OfVertex(Worker worker, Channel channel, ValueOp.OfVertex op) {
            super(worker, channel);
            this.op = op;
        }

        @Override
        public void send(long target, long sender) {
            sendBits(target, sender);
        }

        @Override
        public void broadcast(long ordinal) {
            broadcastBits(ordinal, ordinal, 0);
        }

        @Override
        public long received(long ordinal) {
            return op.caller(receivedBits(ordinal));
        }
    }
}
