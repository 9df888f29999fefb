package org.starling.net;

/**
 * Writes blocks of bytes right into the outgoing ring of one node: {@link #claim}, write, {@link
 * #commit}. Used by one thread; make one per thread. Between claim and commit the thread makes no
 * other send to the same node.
 */
public interface RawSender {

    /**
     * Claims room for a block; waits while the ring or the receiver's window is full (never on the
     * receiving thread).
     *
     * @param type raw type, 1 to {@link MessageType#MAX_ID}
     * @param bytes length of the block, 1 to {@link #maxBytes()}
     * @return address of its first byte, 8-byte aligned; what is there is what earlier blocks to
     *     the same node have left
     * @throws NodeLostException when the node is lost
     */
    long claim(int type, int bytes);

    /**
     * Sends the claimed block. It leaves soon: by this thread if the line is quiet, else with the
     * next ones.
     */
    void commit();

    /**
     * Sends the first {@code bytes} bytes (1 to what was claimed) and gives the rest of the claim
     * up.
     */
    void commit(int bytes);

    /** Gives the claimed block up. */
    void abort();

    /** Writes all committed blocks to the transport now, in this thread, if it takes them. */
    void flush();

    /** The largest block in bytes. */
    int maxBytes();
}
