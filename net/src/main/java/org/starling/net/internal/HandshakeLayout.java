package org.starling.net.internal;

import java.util.zip.CRC32C;
import org.starling.net.AddressBook;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * What both ends of a connection say first, the connecting end before the accepting end.
 *
 * <pre>
 *   0         4         8            16        18            20      24         28
 *   +---------+---------+------------+---------+-------------+-------+----------+
 *   | magic   | version | cluster id | node id | incarnation | frame | checksum |
 *   +---------+---------+------------+---------+-------------+-------+----------+
 *   incarnation  how often the node id was handed out before
 *   frame        largest frame in bytes that the writer of this handshake accepts
 *   checksum     CRC32C of what is before it, as one node must not be taken for another
 * </pre>
 */
final class HandshakeLayout {

    static final int BYTES = 28;

    private static final int CHECKED_BYTES = 24;

    /** "STRL" in the order of the bytes on the wire. */
    static final int MAGIC = 0x4C525453;

    /** Node ids are 16 bits wide, and so are incarnations. */
    static final int MAX_NODE_ID = 65_535;

    private static final int INCARNATION_SHIFT = 16;

    private HandshakeLayout() {}

    /** Checks what somebody in this process takes for a node id. */
    static void checkNode(int node) {
        if (node < 0 || node > MAX_NODE_ID) {
            throw new IllegalArgumentException(
                    "node id must be 0.." + MAX_NODE_ID + ", found " + node);
        }
    }

    static void write(
            long address, long clusterId, int nodeId, int incarnation, int maxFrameBytes) {
        NativeMemory.putInt(address, MAGIC);
        NativeMemory.putInt(address + 4, FrameLayout.VERSION);
        NativeMemory.putLong(address + 8, clusterId);
        NativeMemory.putInt(address + 16, speaker(nodeId, incarnation));
        NativeMemory.putInt(address + 20, maxFrameBytes);
        NativeMemory.putInt(address + CHECKED_BYTES, checksum(address));
    }

    /** Checks magic, version, checksum, cluster and ranges. */
    static void check(long address, long clusterId) {
        if (NativeMemory.getInt(address) != MAGIC) {
            throw new MalformedMessageException("handshake of a stranger: no Starling node");
        }
        int version = NativeMemory.getInt(address + 4);
        if (version == FrameLayout.VERSION
                && NativeMemory.getInt(address + CHECKED_BYTES) != checksum(address)) {
            throw new MalformedMessageException("damaged handshake");
        }
        checkSpeaker(version, NativeMemory.getLong(address + 8), nodeId(address), clusterId);
    }

    /** Node id and incarnation as they stand in every kind of handshake. */
    static int speaker(int nodeId, int incarnation) {
        return nodeId | incarnation << INCARNATION_SHIFT;
    }

    static int nodeIdOf(int speaker) {
        return speaker & MAX_NODE_ID;
    }

    static int incarnationOf(int speaker) {
        return speaker >>> INCARNATION_SHIFT;
    }

    /** Checks who speaks, whatever kind of handshake it is. */
    static void checkSpeaker(int version, long cluster, int node, long clusterId) {
        if (version != FrameLayout.VERSION) {
            throw new MalformedMessageException(
                    "handshake of protocol version %s, this node speaks %s; run the same release everywhere"
                            .formatted(version, FrameLayout.VERSION));
        }
        if (cluster != clusterId) {
            throw new MalformedMessageException(
                    "node %s is of cluster %s, this node belongs to %s"
                            .formatted(
                                    node, Long.toHexString(cluster), Long.toHexString(clusterId)));
        }
    }

    /** Checks that the caller has its id still. One that is not known yet may be a newcomer. */
    static void checkCaller(int node, int incarnation, AddressBook book) {
        int known = book.incarnationOf(node);
        if (incarnation < known) {
            throw new MalformedMessageException(
                    "node %s (incarnation %s) has left the cluster, and its id was handed out again (incarnation %s); start it again to join under another id"
                            .formatted(node, incarnation, known));
        }
    }

    /** Lets a caller in that has proven itself; a newcomer may be here before the news of it. */
    static void admit(int node, int incarnation, AddressBook book) {
        checkCaller(node, incarnation, book);
        if (incarnation > book.incarnationOf(node)) {
            book.called(node, incarnation);
        }
    }

    /** Checks that the node that has answered is the one wanted, and takes this node's frames. */
    static void checkAnswer(
            int wanted,
            AddressBook book,
            int node,
            int incarnation,
            int takenFrameBytes,
            int sentFrameBytes) {
        int wantedIncarnation = book.incarnationOf(wanted);
        if (node != wanted || incarnation != wantedIncarnation) {
            if (node != wanted && book.isGuess(wanted)) {
                book.answered(wanted, node);
            }
            throw new MalformedMessageException(
                    "node %s (incarnation %s) answers at the address of node %s (incarnation %s)"
                            .formatted(node, incarnation, wanted, wantedIncarnation));
        }
        if (takenFrameBytes < sentFrameBytes) {
            throw new MalformedMessageException(
                    "node %s takes frames of at most %s bytes, this node sends %s; all nodes must be of one version"
                            .formatted(node, takenFrameBytes, sentFrameBytes));
        }
    }

    static int nodeId(long address) {
        return nodeIdOf(NativeMemory.getInt(address + 16));
    }

    static int incarnation(long address) {
        return incarnationOf(NativeMemory.getInt(address + 16));
    }

    static int maxFrameBytes(long address) {
        return NativeMemory.getInt(address + 20);
    }

    private static int checksum(long address) {
        CRC32C sum = new CRC32C();
        sum.update(NativeMemory.segment(address, CHECKED_BYTES).asByteBuffer());
        return (int) sum.getValue();
    }
}
