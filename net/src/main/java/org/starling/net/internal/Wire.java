package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * The bytes of one socket as its two ends see them: as they are ({@link PlainWire}), or enciphered
 * ({@link TlsWire}).
 *
 * <p>Owned by one {@link SocketEnd}. {@link #prepare}, {@link #read}, {@link #hasUnread} and {@link
 * #release} belong to the receiving thread; {@link #write} to whoever may consume what is written,
 * one thread at a time; {@link #flush} and {@link #close} to any thread. Nothing here waits.
 */
sealed interface Wire extends ByteChannel permits PlainWire, TlsWire {

    /**
     * Goes on with what comes before the first byte, as far as the socket allows.
     *
     * @param resume called once, by any thread, when this returned false for another reason than
     *     the socket, and is worth another try
     * @return whether bytes can be read and written
     */
    boolean prepare(Runnable resume) throws IOException;

    /**
     * Checks, once prepared, that the other end may call itself node {@code nodeId}.
     *
     * @throws RefusedException if it may not
     */
    void checkPeer(int nodeId) throws RefusedException;

    /** Reads what there is; returns bytes, 0 when there are none now, -1 at the end. */
    @Override
    int read(ByteBuffer into) throws IOException;

    /** Whether it might call itself another node as well; true where no end proves which it is. */
    default boolean covers(int nodeId) {
        return true;
    }

    /** Whether any thread may {@link #read}, one at a time. */
    boolean isReadByAnyThread();

    /** Whether {@link #read} would give bytes although the socket itself has none. */
    boolean hasUnread();

    /**
     * Writes what the socket takes.
     *
     * @return bytes that have left, and by which the position of {@code from} moves; the next write
     *     must begin with those that have not
     */
    @Override
    int write(ByteBuffer from) throws IOException;

    /** Passes on what the wire itself has to say; true when nothing of it is left. */
    boolean flush() throws IOException;

    /** Closes the socket at once; the other end may be told. */
    @Override
    void close() throws IOException;

    /** Releases the memory of the closed wire; more than once does no harm. */
    void release();
}
