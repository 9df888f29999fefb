package org.starling.compute.internal.run;

import java.util.function.Consumer;
import org.starling.compute.internal.graph.PageMap;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;
import org.starling.net.RawSender;

/**
 * Blocks of records on their way to one node, written straight into the outgoing ring's memory when
 * full.
 *
 * <p>One for each worker and node, confined to the worker's thread. Records of one kind and channel
 * are collected; a change of either closes the block. Nothing leaves before {@link #flush} but full
 * blocks.
 */
public final class Outbox implements AutoCloseable {
    private final RawSender sender;
    private final Consumer<NetException> onRefusal;
    private final long owner;
    private final int rawType;
    private final int maxBytes;
    private final long buffer;
    private int used = BlockLayout.HEADER_BYTES;
    private int count;
    private long sentBytes;
    private byte kind;
    private int channel;
    private int superstep;

    /**
     * Collects for a run or build, whose number is {@code owner}.
     *
     * @param onRefusal hears why blocks can't be sent, before code of users can make something else
     *     of that
     */
    public Outbox(RawSender sender, int rawType, long owner, Consumer<NetException> onRefusal) {
        this.sender = sender;
        this.onRefusal = onRefusal;
        this.rawType = rawType;
        this.owner = owner;
        this.maxBytes = Math.min(BlockLayout.MAX_BYTES, sender.maxBytes());
        this.buffer = NativeMemory.reserve(BlockLayout.MAX_BYTES);
    }

    /** Sends a message to a vertex of that node. */
    void message(byte messageKind, int toSuperstep, Channel to, long ordinal, long value) {
        MessageRecords layout = to.messages();
        layout.write(record(messageKind, toSuperstep, to.index(), layout.bytes()), ordinal, value);
    }

    /**
     * Room for a record.
     *
     * @param bytes at most {@link BlockLayout#MAX_BYTES} less the header
     * @return where to write it, before the next call
     */
    public long record(byte recordKind, int toSuperstep, int toChannel, int bytes) {
        if (used + bytes > maxBytes
                || recordKind != kind
                || toChannel != channel
                || toSuperstep != superstep) {
            flush();
            kind = recordKind;
            channel = toChannel;
            superstep = toSuperstep;
        }
        long at = buffer + used;
        used += bytes;
        count++;
        return at;
    }

    /** Sends a block without records. */
    public void signal(byte signalKind, int toSuperstep) {
        flush();
        kind = signalKind;
        superstep = toSuperstep;
        channel = 0;
        send();
    }

    /** Sends what has been collected, and sees that it leaves now. */
    public void flush() {
        if (count > 0) {
            send();
        }
    }

    /** Bytes of all blocks that were sent. */
    long sentBytes() {
        return sentBytes;
    }

    /** Bytes of memory that the collected records have taken. */
    long takenBytes() {
        return PageMap.takenBytes(buffer, BlockLayout.MAX_BYTES);
    }

    @Override
    public void close() {
        NativeMemory.release(buffer, BlockLayout.MAX_BYTES);
    }

    private void send() {
        BlockLayout.writeHeader(buffer, owner, superstep, kind, channel, count);
        try {
            long at = sender.claim(rawType, used);
            NativeMemory.copy(buffer, at, used);
            sender.commit();
            sentBytes += used;
            used = BlockLayout.HEADER_BYTES;
            count = 0;
            sender.flush();
        } catch (NetException refused) {
            onRefusal.accept(refused);
            throw refused;
        }
    }
}
