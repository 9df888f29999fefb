package org.starling.store.internal.directory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.starling.store.AccessRegistry;
import org.starling.store.NodeInfo;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.ZoneRecord.Holder;

/**
 * The bytes of a whole {@link Directory}: equal directories have equal bytes. Numbers are
 * big-endian; everything is in ascending order but what is said to be oldest first.
 *
 * <pre>
 * | magic 4 "SDIR" | version 1 |
 * | cluster id 8 | superpeers at the founding 4 | next node 4 | where to look again 4 | membership version 8 |
 * | incarnations above 0: count 4, each node 4, incarnation 4 | resting: count 4, each node 4 |
 * | nodes: count 4, each id 4, role 1, host string, port 2, cores 4, capabilities 8,
 *      place string from version 6 on |
 * | nonces of nodes, oldest first: count 4, each nonce 8, incarnation 6, node 2 |
 * | zone version 8 | zones: count 4, each id 8, owner 4, epoch 8, confirmed epoch 8, version 8,
 *      damaged 1, backups: count 4, each node 4; holders: count 4, each node 4, state 1 |
 * | the greatest zone opened under each node id: count 4, each id 8 |
 * | master 4, term 8 |
 * | next job 8 | jobs: count 4, each id 8, name string, status 1, attempt 8, cancel requested 1,
 *      checkpoints 8, payload bytes, progress bytes, report bytes, term 8 |
 * | ended jobs, oldest first: count 4, each id 8 |
 * | nonces of jobs, oldest first: count 4, each nonce 8, job 8 |
 * | names: count 4, each name string, id 8 |
 * | nonces of names and grants, oldest first: count 4, each nonce 8, changed 8 |
 * | grants, from version 5 on: count 4, each name string, grant bytes |
 * | forgotten nodes, from version 7 on: count 4, each node 4, incarnation 4 |
 * | superpeers, from version 8 on: count 4, each node 4, host string, port 2, state 1;
 *      removed: count 4, each node 4 |
 * | CRC32C of all before 4 |
 * </pre>
 */
public final class DirectorySnapshot {
    /** Version of this layout. */
    public static final int VERSION = 8;

    /** The oldest that is still read: before there were grants. */
    private static final int OLDEST_VERSION = 4;

    private static final int FIRST_WITH_GRANTS = 5;
    private static final int FIRST_WITH_PLACES = 6;
    private static final int FIRST_WITH_FORGOTTEN = 7;
    private static final int FIRST_WITH_SUPERPEERS = 8;

    private static final int MAGIC = 0x53444952;
    private static final int NODE_BYTES = 21;
    private static final int INCARNATION_BYTES = 8;
    private static final int NONCE_BYTES = 16;
    private static final int ZONE_BYTES = 45;
    private static final int HOLDER_BYTES = 5;
    private static final int JOB_BYTES = 48;
    private static final int NAME_BYTES = 10;
    private static final int GRANT_BYTES = 6;
    private static final int SUPERPEER_BYTES = 9;

    private DirectorySnapshot() {}

    /** The bytes of a directory. */
    public static byte[] write(Directory directory) {
        ByteWriter out = new ByteWriter().putInt(MAGIC).putByte(VERSION);
        writeNodes(out, directory.nodeTable());
        writeZones(out, directory.zoneTable());
        writeJobs(out, directory.jobTable());
        out.putInt(directory.names().size());
        directory.names().forEach((name, id) -> out.putString(name).putLong(id));
        write(out, directory.nameNonces());
        out.putInt(directory.grants().size());
        directory.grants().forEach((name, grant) -> out.putString(name).putBytes(grant));
        SortedMap<Integer, Integer> forgotten = directory.nodeTable().forgotten();
        out.putInt(forgotten.size());
        forgotten.forEach((id, incarnation) -> out.putInt(id).putInt(incarnation));
        writeSuperpeers(out, directory.nodeTable().superpeers());
        byte[] body = out.toBytes();
        return ByteBuffer.allocate(body.length + Integer.BYTES)
                .put(body)
                .putInt(checksum(body, body.length))
                .array();
    }

    /**
     * A directory equal to the one that {@link #write} was given.
     *
     * @throws IllegalArgumentException if the bytes are damaged or of another version
     */
    public static Directory read(byte[] bytes) {
        ByteParser in = new ByteParser(bytes);
        if (in.getInt() != MAGIC) {
            throw new IllegalArgumentException("these bytes are no snapshot of a directory");
        }
        int version = in.getByte();
        if (version < OLDEST_VERSION || version > VERSION) {
            throw new IllegalArgumentException(
                    "snapshot has version " + version + ", expected " + VERSION);
        }
        int end = bytes.length - Integer.BYTES;
        if (end < in.position() || checksum(bytes, end) != ByteBuffer.wrap(bytes).getInt(end)) {
            throw new IllegalArgumentException(
                    "snapshot of the directory is damaged: wrong checksum");
        }
        Directory directory = new Directory();
        int founded = readNodes(in, directory.nodeTable(), version);
        readZones(in, directory.zoneTable());
        readJobs(in, directory.jobTable());
        int names = in.getCount(NAME_BYTES);
        for (int i = 0; i < names; i++) {
            directory.names().put(in.getString(), in.getLong());
        }
        read(in, directory.nameNonces());
        int grants = version >= FIRST_WITH_GRANTS ? in.getCount(GRANT_BYTES) : 0;
        for (int i = 0; i < grants; i++) {
            directory.restoreGrant(in.getString(), in.getBytes(AccessRegistry.MAX_GRANT_BYTES));
        }
        int forgotten = version >= FIRST_WITH_FORGOTTEN ? in.getCount(INCARNATION_BYTES) : 0;
        for (int i = 0; i < forgotten; i++) {
            directory.nodeTable().forgotten().put(in.getInt(), in.getInt());
        }
        readSuperpeers(in, directory.nodeTable(), founded, version);
        if (in.position() != end) {
            throw new IllegalArgumentException("snapshot of the directory has bytes too many");
        }
        return directory;
    }

    // nodes

    private static void writeNodes(ByteWriter out, NodeTable nodes) {
        out.putLong(nodes.clusterId())
                .putInt(nodes.superpeers().founded())
                .putInt(nodes.nextNode())
                .putInt(nodes.again())
                .putLong(nodes.version());
        out.putInt(nodes.incarnations().size());
        nodes.incarnations().forEach((id, number) -> out.putInt(id).putInt(number));
        out.putInts(nodes.resting()).putInt(nodes.members().size());
        for (NodeInfo node : nodes.members()) {
            out.putInt(node.id())
                    .putByte(CommandLayout.number(node.role()))
                    .putString(node.host())
                    .putShort(node.port())
                    .putInt(node.cores())
                    .putLong(node.capabilities())
                    .putString(node.place().path());
        }
        write(out, nodes.nonces());
    }

    /** Tells how many superpeers there were at the founding. */
    private static int readNodes(ByteParser in, NodeTable nodes, int version) {
        long cluster = in.getLong();
        int founded = in.getInt();
        nodes.restore(cluster, in.getInt(), in.getInt(), in.getLong());
        int again = in.getCount(INCARNATION_BYTES);
        for (int i = 0; i < again; i++) {
            nodes.incarnations().put(in.getInt(), in.getInt());
        }
        nodes.resting().addAll(in.getInts());
        int count = in.getCount(NODE_BYTES);
        for (int i = 0; i < count; i++) {
            int id = in.getInt();
            nodes.restore(
                    new NodeInfo(
                            id,
                            CommandLayout.role(in.getByte()),
                            in.getString(),
                            in.getShort(),
                            in.getInt(),
                            in.getLong(),
                            nodes.incarnation(id),
                            version >= FIRST_WITH_PLACES
                                    ? new Place(in.getString())
                                    : Place.UNKNOWN));
        }
        read(in, nodes.nonces());
        return founded;
    }

    private static void writeSuperpeers(ByteWriter out, SuperpeerTable superpeers) {
        out.putInt(superpeers.size());
        for (SuperpeerInfo one : superpeers.copy()) {
            out.putInt(one.node())
                    .putString(one.host())
                    .putShort(one.port())
                    .putByte(number(one.state()));
        }
        out.putInts(superpeers.retired());
    }

    private static void readSuperpeers(ByteParser in, NodeTable nodes, int founded, int version) {
        if (version < FIRST_WITH_SUPERPEERS) {
            nodes.superpeers().found(founded);
            nodes.members().stream()
                    .filter(node -> node.role() == Role.SUPERPEER)
                    .forEach(node -> {
                        boolean _ = nodes.superpeers().started(node.id(), node.host(), node.port());
                    });
            return;
        }
        int count = in.getCount(SUPERPEER_BYTES);
        List<SuperpeerInfo> superpeers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            superpeers.add(
                    new SuperpeerInfo(
                            in.getInt(), in.getString(), in.getShort(), state(in.getByte())));
        }
        nodes.superpeers().restore(founded, superpeers, in.getInts());
    }

    private static int number(SuperpeerInfo.State state) {
        return switch (state) {
            case JOINING -> 0;
            case VOTING -> 1;
            case LEAVING -> 2;
        };
    }

    private static SuperpeerInfo.State state(int number) {
        return switch (number) {
            case 0 -> SuperpeerInfo.State.JOINING;
            case 1 -> SuperpeerInfo.State.VOTING;
            case 2 -> SuperpeerInfo.State.LEAVING;
            default -> throw new IllegalArgumentException("unknown state of a superpeer " + number);
        };
    }

    private static void write(ByteWriter out, RecentNonces nonces) {
        Map<Long, Long> ids = nonces.oldestFirst();
        out.putInt(ids.size());
        ids.forEach((nonce, id) -> out.putLong(nonce).putLong(id));
    }

    private static void read(ByteParser in, RecentNonces nonces) {
        int count = in.getCount(NONCE_BYTES);
        for (int i = 0; i < count; i++) {
            nonces.remember(in.getLong(), in.getLong());
        }
    }

    // zones

    private static void writeZones(ByteWriter out, ZoneTable zones) {
        out.putLong(zones.version()).putInt(zones.all().size());
        for (ZoneRecord zone : zones.all()) {
            out.putLong(zone.id())
                    .putInt(zone.owner())
                    .putLong(zone.epoch())
                    .putLong(zone.confirmed())
                    .putLong(zone.version())
                    .putFlag(zone.damaged())
                    .putInts(zone.backups())
                    .putInt(zone.holders().size());
            zone.holders().forEach((node, state) -> out.putInt(node).putByte(number(state)));
        }
        out.putInt(zones.lastOpened().size());
        zones.lastOpened().forEach(out::putLong);
    }

    private static void readZones(ByteParser in, ZoneTable zones) {
        zones.restore(in.getLong());
        int count = in.getCount(ZONE_BYTES);
        for (int i = 0; i < count; i++) {
            long id = in.getLong();
            int owner = in.getInt();
            long epoch = in.getLong();
            long confirmed = in.getLong();
            long version = in.getLong();
            boolean damaged = in.getFlag();
            List<Integer> listed = in.getInts();
            int holders = in.getCount(HOLDER_BYTES);
            SortedMap<Integer, Holder> states = new TreeMap<>();
            for (int k = 0; k < holders; k++) {
                states.put(in.getInt(), holder(in.getByte()));
            }
            zones.restore(
                    new ZoneRecord(
                            id,
                            owner,
                            epoch,
                            confirmed,
                            List.copyOf(listed),
                            states,
                            version,
                            damaged));
        }
        int openers = in.getCount(Long.BYTES);
        for (int i = 0; i < openers; i++) {
            zones.restoreLastOpened(in.getLong());
        }
    }

    private static int number(Holder holder) {
        return switch (holder) {
            case KEPT -> 0;
            case RETURNED -> 1;
            case RETIRED -> 2;
        };
    }

    private static Holder holder(int number) {
        return switch (number) {
            case 0 -> Holder.KEPT;
            case 1 -> Holder.RETURNED;
            case 2 -> Holder.RETIRED;
            default -> throw new IllegalArgumentException("unknown state of a holder " + number);
        };
    }

    // jobs

    private static void writeJobs(ByteWriter out, JobTable jobs) {
        out.putInt(jobs.master().node())
                .putLong(jobs.master().term())
                .putLong(jobs.nextJob())
                .putInt(jobs.all().size());
        for (JobTable.Entry entry : jobs.all().values()) {
            JobLayout.write(out, entry.job());
            out.putLong(entry.term());
        }
        out.putInt(jobs.ended().size());
        jobs.ended().forEach(out::putLong);
        write(out, jobs.nonces());
    }

    private static void readJobs(ByteParser in, JobTable jobs) {
        jobs.restore(new MasterInfo(in.getInt(), in.getLong()), in.getLong());
        int count = in.getCount(JOB_BYTES);
        for (int i = 0; i < count; i++) {
            jobs.restore(JobLayout.readJob(in), in.getLong());
        }
        int ended = in.getCount(Long.BYTES);
        for (int i = 0; i < ended; i++) {
            jobs.restoreEnded(in.getLong());
        }
        read(in, jobs.nonces());
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
