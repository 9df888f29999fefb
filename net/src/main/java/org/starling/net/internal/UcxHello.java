package org.starling.net.internal;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.net.MalformedMessageException;

/**
 * What both ends of a UCX connection say on a TCP socket first, the connecting end before the
 * accepting end. Little-endian.
 *
 * <pre>
 *   0        4         8            16        20      24      28       32    40
 *   +--------+---------+------------+---------+-------+-------+--------+-----+--- - - ---+
 *   | magic  | version | cluster id | speaker | frame | flags | length | key | address   |
 *   +--------+---------+------------+---------+-------+-------+--------+-----+--- - - ---+
 *   speaker  node id in 2 bytes, incarnation in 2, as in every handshake
 *   frame    largest frame in bytes that the writer accepts
 *   flags    0
 *   length   of the writer's UCX worker address
 *   key      what the other end must put into its active messages of this connection
 * </pre>
 *
 * @param clusterId the cluster the writer belongs to
 * @param nodeId who writes
 * @param incarnation how often that id was handed out before
 * @param maxFrameBytes largest frame that the writer accepts
 * @param key goes into the active messages to the writer
 * @param address the writer's UCX worker address
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record UcxHello(
        long clusterId, int nodeId, int incarnation, int maxFrameBytes, long key, byte[] address) {

    static final int HEADER_BYTES = 40;

    /** Largest worker address taken; with eight adapters it is some 2 KiB. */
    static final int MAX_ADDRESS_BYTES = 64 << 10;

    /** "STRX" in the order of the bytes on the wire. */
    static final int MAGIC = 0x58525453;

    byte[] bytes() {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + address.length).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC).putInt(FrameLayout.VERSION).putLong(clusterId);
        out.putInt(HandshakeLayout.speaker(nodeId, incarnation));
        out.putInt(maxFrameBytes).putInt(0).putInt(address.length);
        out.putLong(key).put(address);
        return out.array();
    }

    /**
     * Reads one, and checks everything that can be checked without knowing whom it is from.
     *
     * @throws java.io.EOFException when the other end hangs up
     * @throws MalformedMessageException when it is no node of this cluster over UCX
     */
    static UcxHello read(InputStream input, long clusterId) throws IOException {
        DataInputStream in = new DataInputStream(input);
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        in.readFully(header.array(), 0, HandshakeLayout.BYTES);
        checkMagic(header.getInt(0));
        int speaker = header.getInt(16);
        int node = HandshakeLayout.nodeIdOf(speaker);
        HandshakeLayout.checkSpeaker(header.getInt(4), header.getLong(8), node, clusterId);
        in.readFully(header.array(), HandshakeLayout.BYTES, HEADER_BYTES - HandshakeLayout.BYTES);
        int length = header.getInt(28);
        if (length <= 0 || length > MAX_ADDRESS_BYTES) {
            throw new MalformedMessageException(
                    "handshake with a worker address of " + length + " bytes");
        }
        byte[] address = new byte[length];
        in.readFully(address);
        return new UcxHello(
                clusterId,
                node,
                HandshakeLayout.incarnationOf(speaker),
                header.getInt(20),
                header.getLong(32),
                address);
    }

    private static void checkMagic(int magic) {
        if (magic == HandshakeLayout.MAGIC) {
            throw new MalformedMessageException(
                    "handshake of a node with the transport \"ethernet\", this one has"
                            + " \"infiniband\"; make them equal everywhere");
        }
        if (magic != MAGIC) {
            throw new MalformedMessageException("handshake of a stranger: no Starling node");
        }
    }
}
