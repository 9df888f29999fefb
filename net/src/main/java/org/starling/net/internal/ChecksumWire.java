package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * A socket whose bytes travel in records with a CRC32C, so that a byte changed on the way is found
 * before anybody sees it; the 16-bit sum of TCP lets one damaged segment in 65,000 pass. Both ends
 * must have it.
 *
 * <p>Records are cut wherever a write ends, so a lone message costs 8 bytes more and a burst next
 * to nothing. Nothing is held back: what one write sends is one record or several. Costs one pass
 * over the bytes on each side and a copy on the receiving one; the receiving side holds {@link
 * #IN_BYTES} of native memory from its first byte on.
 *
 * <p>What is written is confined to the writing thread, what is read to the receiving thread.
 *
 * @see ChecksumRecordLayout
 */
final class ChecksumWire implements Wire {

    /** Room for one record of the largest size and much of the next. */
    private static final int IN_BYTES =
            2 * (ChecksumRecordLayout.HEADER_BYTES + ChecksumRecordLayout.MAX_BYTES);

    private final SocketChannel channel;
    private final Exchange exchange;

    // The record being written.
    private final ByteBuffer outHeader = ByteBuffer.allocate(ChecksumRecordLayout.HEADER_BYTES);
    private final ByteBuffer[] outParts = {outHeader, outHeader};
    private final CRC32C outSum = new CRC32C();

    /** Bytes of the record behind its header that have not left. */
    private int outLeft;

    // What has been read: checked bytes, then records that are not checked, the last one cut.
    private final CRC32C inSum = new CRC32C();
    private ByteBuffer in = ByteBuffer.allocate(0);
    private long inAddress;
    private int checkedUntil;
    private boolean isReleased;

    ChecksumWire(SocketChannel channel, Exchange exchange) {
        this.channel = channel;
        this.exchange = exchange;
        outHeader.limit(0);
    }

    @Override
    public boolean prepare(Runnable resume) {
        return true;
    }

    @Override
    public void checkPeer(int nodeId) {}

    // ---- reading
    // ----------------------------------------------------------------------------------------------

    /**
     * Gives checked bytes.
     *
     * @throws MalformedMessageException when bytes were changed or are no records
     */
    @Override
    public int read(ByteBuffer into) throws IOException {
        int bytes = take(into);
        boolean isDry = false;
        while (into.hasRemaining() && !isDry) {
            int room = makeRoom();
            int read = channel.read(in);
            in.flip();
            if (read < 0) {
                return bytes == 0 ? -1 : bytes; // the end is met again by the next call
            }
            isDry = read < room;
            bytes += take(into);
        }
        return bytes;
    }

    @Override
    public boolean isReadByAnyThread() {
        return false;
    }

    @Override
    public boolean hasUnread() {
        return in.position() < checkedUntil || isWholeRecord();
    }

    /** Moves checked bytes, checking records as long as whole ones are there. */
    private int take(ByteBuffer into) {
        int before = into.position();
        while (into.hasRemaining()) {
            if (in.position() == checkedUntil && !check()) {
                break;
            }
            int bytes = Math.min(into.remaining(), checkedUntil - in.position());
            into.put(into.position(), in, in.position(), bytes);
            into.position(into.position() + bytes);
            in.position(in.position() + bytes);
        }
        return into.position() - before;
    }

    /** Checks the next record if it is whole. */
    private boolean check() {
        if (!isWholeRecord()) {
            return false;
        }
        long header = NativeMemory.getLong(inAddress + in.position());
        int start = in.position() + ChecksumRecordLayout.HEADER_BYTES;
        int end = start + ChecksumRecordLayout.bytes(header);
        int limit = in.limit();
        inSum.reset();
        inSum.update(in.limit(end).position(start));
        in.limit(limit).position(start);
        if ((int) inSum.getValue() != ChecksumRecordLayout.sum(header)) {
            throw new MalformedMessageException(
                    "a record of " + (end - start) + " bytes was changed on the way");
        }
        checkedUntil = end;
        return true;
    }

    private boolean isWholeRecord() {
        if (in.remaining() < ChecksumRecordLayout.HEADER_BYTES) {
            return false;
        }
        long header = NativeMemory.getLong(inAddress + in.position());
        ChecksumRecordLayout.check(header);
        return in.remaining()
                >= ChecksumRecordLayout.HEADER_BYTES + ChecksumRecordLayout.bytes(header);
    }

    /** Moves what is not taken to the front, and makes the buffer ready to be filled. */
    private int makeRoom() throws ClosedChannelException {
        if (isReleased) {
            throw new ClosedChannelException();
        }
        if (inAddress == 0) {
            inAddress = NativeMemory.reserve(IN_BYTES);
            exchange.transportHolds(IN_BYTES);
            in = NativeMemory.segment(inAddress, IN_BYTES).asByteBuffer().limit(0);
        }
        checkedUntil -= in.position();
        in.compact();
        return in.remaining();
    }

    // ---- writing
    // ----------------------------------------------------------------------------------------------

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.position();
        int end = from.limit();
        try {
            do {
                if (outLeft == 0 && !outHeader.hasRemaining()) {
                    begin(from);
                }
                from.limit(from.position() + outLeft);
                writeRecord(from);
                from.limit(end);
            } while (outLeft == 0 && from.hasRemaining());
        } finally {
            from.limit(end);
        }
        return from.position() - before;
    }

    private void begin(ByteBuffer from) {
        int start = from.position();
        int limit = from.limit();
        outLeft = Math.min(from.remaining(), ChecksumRecordLayout.MAX_BYTES);
        outSum.reset();
        outSum.update(from.limit(start + outLeft));
        from.limit(limit).position(start);
        ChecksumRecordLayout.write(outHeader.clear(), outLeft, (int) outSum.getValue());
    }

    private void writeRecord(ByteBuffer from) throws IOException {
        int start = from.position();
        if (outHeader.hasRemaining()) {
            outParts[1] = from;
            channel.write(outParts);
        } else {
            channel.write(from);
        }
        outLeft -= from.position() - start;
    }

    @Override
    public boolean flush() {
        return true;
    }

    // ---- life cycle
    // -------------------------------------------------------------------------------------------

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void release() {
        if (!isReleased && inAddress != 0) {
            NativeMemory.release(inAddress, IN_BYTES);
            exchange.transportHolds(-IN_BYTES);
            in = ByteBuffer.allocate(0);
            checkedUntil = 0;
        }
        isReleased = true;
    }
}
