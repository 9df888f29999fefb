package org.starling.store.internal.directory;

import org.starling.store.internal.directory.Result.Done;
import org.starling.store.internal.directory.Result.Forgotten;
import org.starling.store.internal.directory.Result.JobStarted;
import org.starling.store.internal.directory.Result.JobSubmitted;
import org.starling.store.internal.directory.Result.MasterElected;
import org.starling.store.internal.directory.Result.NodeRegistered;
import org.starling.store.internal.directory.Result.Refused;
import org.starling.store.internal.directory.Result.Zone;

/**
 * The bytes of a {@link Result}, for the replicas of the directory. Numbers are big-endian, strings
 * are UTF-8 with their length in 2 bytes before them.
 *
 * <pre>
 * | version 1 | kind 1 | fields |
 * kind 1 Done            changed 1
 *      2 Refused         reason string
 *      3 NodeRegistered  node 4, incarnation 4, first zone 4
 *      6 Zone            zone info, changed 1
 *      7 MasterElected   node 4, term 8, changed 1
 *      8 JobSubmitted    job 8
 *      9 JobStarted      attempt 8
 *     10 Forgotten       changed 1, waiting 4, damaged 4
 * zone info: zone 8, owner 4, epoch 8, flags 1 (1 lost, 2 recoverable,
 *      4 damaged),
 *      backups count 4, each 4, returned holders count 4, each 4
 * </pre>
 */
public final class ResultLayout {
    /** Version of this layout. */
    public static final int VERSION = 2;

    /** The longest result: a zone with all its backups and holders. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int LOST = 1;
    private static final int RECOVERABLE = 2;
    private static final int DAMAGED = 4;

    private ResultLayout() {}

    /** The bytes of a result. */
    public static byte[] write(Result result) {
        ByteWriter out = new ByteWriter().putByte(VERSION);
        switch (result) {
            case Done r -> out.putByte(1).putFlag(r.changed());
            case Refused r -> out.putByte(2).putString(r.reason());
            case NodeRegistered r ->
                    out.putByte(3).putInt(r.node()).putInt(r.incarnation()).putInt(r.firstZone());
            case Zone r -> {
                write(out.putByte(6), r.info());
                out.putFlag(r.changed());
            }
            case MasterElected r ->
                    out.putByte(7).putInt(r.node()).putLong(r.term()).putFlag(r.changed());
            case JobSubmitted r -> out.putByte(8).putLong(r.job());
            case JobStarted r -> out.putByte(9).putLong(r.attempt());
            case Forgotten r ->
                    out.putByte(10).putFlag(r.changed()).putInt(r.waiting()).putInt(r.damaged());
        }
        return out.toBytes();
    }

    /**
     * Reads what {@link #write} made.
     *
     * @throws IllegalArgumentException if the bytes are not a result
     */
    public static Result read(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "result of " + bytes.length + " bytes, limit " + MAX_BYTES);
        }
        ByteParser in = new ByteParser(bytes);
        int version = in.getByte();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "result has version " + version + ", expected " + VERSION);
        }
        int kind = in.getByte();
        Result result =
                switch (kind) {
                    case 1 -> new Done(in.getFlag());
                    case 2 -> new Refused(in.getString());
                    case 3 -> new NodeRegistered(in.getInt(), in.getInt(), in.getInt());
                    case 6 -> new Zone(readZone(in), in.getFlag());
                    case 7 -> new MasterElected(in.getInt(), in.getLong(), in.getFlag());
                    case 8 -> new JobSubmitted(in.getLong());
                    case 9 -> new JobStarted(in.getLong());
                    case 10 -> new Forgotten(in.getFlag(), in.getInt(), in.getInt());
                    default -> throw new IllegalArgumentException("unknown kind of result " + kind);
                };
        in.end();
        return result;
    }

    private static void write(ByteWriter out, ZoneInfo zone) {
        out.putLong(zone.zone())
                .putInt(zone.owner())
                .putLong(zone.epoch())
                .putByte(
                        (zone.lost() ? LOST : 0)
                                | (zone.recoverable() ? RECOVERABLE : 0)
                                | (zone.damaged() ? DAMAGED : 0));
        out.putInts(zone.backups()).putInts(zone.returnedHolders());
    }

    private static ZoneInfo readZone(ByteParser in) {
        long zone = in.getLong();
        int owner = in.getInt();
        long epoch = in.getLong();
        int flags = in.getByte();
        if (flags > (LOST | RECOVERABLE | DAMAGED)) {
            throw new IllegalArgumentException("unknown flags of a zone " + flags);
        }
        return new ZoneInfo(
                zone,
                owner,
                epoch,
                in.getInts(),
                (flags & LOST) != 0,
                (flags & RECOVERABLE) != 0,
                in.getInts(),
                (flags & DAMAGED) != 0);
    }
}
