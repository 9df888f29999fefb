package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.Directory.Barrier;

/**
 * The bytes of a whole {@link Directory}: equal directories have equal bytes. Numbers are
 * big-endian; everything is in ascending order.
 *
 * <pre>
 * | magic 4 "SDIR" | version 1 | next node 4 | next barrier 8 | membership version 8 |
 * | nodes: count 4, each id 2, role 1, host string, port 2, cores 4, capabilities 8 |
 * | ranges: count 4, each first 8, last 8, owner 2 |
 * | names: count 4, each name string, id 8 |
 * | barriers: count 4, each id 8, parties 4, round 8, arrived count 4, each party 4 |
 * | CRC32C of all before 4 |
 * </pre>
 */
public final class DirectorySnapshot {
    /** Version of this layout. */
    public static final int VERSION = 1;

    private static final int MAGIC = 0x53444952;
    private static final int NODE_BYTES = 19;
    private static final int RANGE_BYTES = 18;
    private static final int NAME_BYTES = 10;
    private static final int BARRIER_BYTES = 24;

    private DirectorySnapshot() {}

    /**
     * The bytes of a directory.
     *
     * @param directory the directory
     * @return its bytes
     */
    public static byte[] write(Directory directory) {
        ByteWriter out =
                new ByteWriter()
                        .putInt(MAGIC)
                        .putByte(VERSION)
                        .putInt(directory.nextNode())
                        .putLong(directory.nextBarrier())
                        .putLong(directory.membershipVersion());
        List<NodeInfo> nodes = directory.nodes();
        out.putInt(nodes.size());
        for (NodeInfo node : nodes) {
            out.putShort(node.id())
                    .putByte(CommandLayout.number(node.role()))
                    .putString(node.host())
                    .putShort(node.port())
                    .putInt(node.cores())
                    .putLong(node.capabilities());
        }
        List<RangeMap.Range> ranges = directory.owners().ranges();
        out.putInt(ranges.size());
        for (RangeMap.Range range : ranges) {
            out.putLong(range.first()).putLong(range.last()).putShort(range.node());
        }
        out.putInt(directory.names().size());
        directory.names().forEach((name, id) -> out.putString(name).putLong(id));
        out.putInt(directory.barriers().size());
        directory.barriers().forEach((id, barrier) -> write(out, id, barrier));
        byte[] body = out.toBytes();
        out.putInt(checksum(body, body.length));
        return out.toBytes();
    }

    /**
     * The directory of some bytes.
     *
     * @param bytes what {@link #write} made
     * @return an equal directory
     * @throws IllegalArgumentException if the bytes are damaged or of another version
     */
    public static Directory read(byte[] bytes) {
        ByteParser in = new ByteParser(bytes);
        if (in.getInt() != MAGIC) {
            throw new IllegalArgumentException("these bytes are no snapshot of a directory");
        }
        int version = in.getByte();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "snapshot has version " + version + ", expected " + VERSION);
        }
        Directory directory = new Directory();
        int nextNode = in.getInt();
        long nextBarrier = in.getLong();
        long membershipVersion = in.getLong();
        directory.restore(readNodes(in), nextNode, nextBarrier, membershipVersion);
        int ranges = in.getCount(RANGE_BYTES);
        for (int i = 0; i < ranges; i++) {
            directory.owners().put(new RangeMap.Range(in.getLong(), in.getLong(), in.getShort()));
        }
        int names = in.getCount(NAME_BYTES);
        for (int i = 0; i < names; i++) {
            directory.names().put(in.getString(), in.getLong());
        }
        int barriers = in.getCount(BARRIER_BYTES);
        for (int i = 0; i < barriers; i++) {
            directory.barriers().put(in.getLong(), readBarrier(in));
        }
        int length = in.position();
        int expected = in.getInt();
        in.end();
        if (checksum(bytes, length) != expected) {
            throw new IllegalArgumentException(
                    "snapshot of the directory is damaged: wrong checksum");
        }
        return directory;
    }

    private static List<NodeInfo> readNodes(ByteParser in) {
        int count = in.getCount(NODE_BYTES);
        List<NodeInfo> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(
                    new NodeInfo(
                            in.getShort(),
                            CommandLayout.role(in.getByte()),
                            in.getString(),
                            in.getShort(),
                            in.getInt(),
                            in.getLong()));
        }
        return nodes;
    }

    private static void write(ByteWriter out, long id, Barrier barrier) {
        out.putLong(id)
                .putInt(barrier.parties())
                .putLong(barrier.round())
                .putInt(barrier.arrived().size());
        barrier.arrived().forEach(out::putInt);
    }

    private static Barrier readBarrier(ByteParser in) {
        int parties = in.getInt();
        long round = in.getLong();
        int arrived = in.getCount(Integer.BYTES);
        TreeSet<Integer> who = new TreeSet<>();
        for (int i = 0; i < arrived; i++) {
            who.add(in.getInt());
        }
        return new Barrier(parties, round, who);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
