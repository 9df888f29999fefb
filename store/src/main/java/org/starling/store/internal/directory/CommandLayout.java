package org.starling.store.internal.directory;

import org.starling.store.AccessRegistry;
import org.starling.store.Job;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.AddSuperpeer;
import org.starling.store.internal.directory.Command.BeginRecovery;
import org.starling.store.internal.directory.Command.CancelJob;
import org.starling.store.internal.directory.Command.CommitCheckpoint;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.ElectMaster;
import org.starling.store.internal.directory.Command.EndJob;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.GiveBackZone;
import org.starling.store.internal.directory.Command.GrantAccess;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.NoteDisk;
import org.starling.store.internal.directory.Command.NoteLeaving;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.ReleaseNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RemoveSuperpeer;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.RevokeAccess;
import org.starling.store.internal.directory.Command.StartJob;
import org.starling.store.internal.directory.Command.SubmitJob;
import org.starling.store.internal.directory.Command.SwitchZone;
import org.starling.store.internal.directory.Command.YieldZone;

/**
 * The bytes of a {@link Command}, for messages and replication. Numbers are big-endian, strings are
 * UTF-8 with their length in 2 bytes before them, byte arrays have theirs in 4.
 *
 * <pre>
 * | version 1 | kind 1 | fields |
 * kind 1 RegisterNode     role 1, host string, port 2, cores 4, capabilities 8, cluster id 8,
 *                         previous node 4, its incarnation 4, nonce 8
 *      2 RemoveNode       node 4, incarnation 4
 *      3 ReleaseNode      node 4, incarnation 4
 *      4 RegisterName     name string, id 8, nonce 8
 *      5 RemoveName       name string, nonce 8
 *      9 FoundCluster     cluster id 8, superpeers 4
 *     10 RegisterSuperpeer index 4, host string, port 2
 *     11 OpenZone         zone 8, owner 4, wanted 4: confirmed; is not written any more
 *     12 ConfirmZone      zone 8, epoch 8, owner 4
 *     13 AddBackup        zone 8, epoch 8, node 4, incarnation 4
 *     14 RetireBackup     zone 8, epoch 8, node 4, kept 1
 *     15 SwitchZone       zone 8, epoch 8, new owner 4, left count 4, each 4, damaged 1
 *     16 DropZone         zone 8, epoch 8, owner 4
 *     17 ElectMaster      node 4
 *     18 SubmitJob        nonce 8, name string, payload bytes
 *     19 StartJob         job 8, node 4, term 8, last attempt 8
 *     20 CommitCheckpoint job 8, attempt 8, number 8, progress bytes
 *     21 EndJob           job 8, attempt 8, status 1, report bytes
 *     22 CancelJob        job 8
 *     25 NoteDisk         node 4, incarnation 4, hangs 1
 *     26 MoveName         name string, expected 8, id 8, nonce 8
 *     27 NoteLeaving      node 4, incarnation 4
 *     28 GrantAccess      name string, grant bytes, nonce 8
 *     29 RevokeAccess     name string, nonce 8
 *     30 RegisterNode     as 1, place string; 1 is of nodes of whose place nothing is known
 *     31 YieldZone        zone 8, epoch 8, owner 4: to anybody; is not written any more
 *     32 GiveBackZone     zone 8, epoch 8
 *     33 BeginRecovery    zone 8, epoch 8
 *     34 ForgetNode       node 4, incarnation 4, accepts loss 1
 *     35 AddSuperpeer     host string, port 2, nonce 8
 *     36 RemoveSuperpeer  node 4
 *     37 YieldZone        zone 8, epoch 8, owner 4, target 4 (−1: anybody)
 *     38 OpenZone         as 11: not confirmed
 * </pre>
 */
public final class CommandLayout {
    /** Version of this layout. */
    public static final int VERSION = 4;

    /** The longest command: a job's submission or end with the longest bytes. */
    public static final int MAX_BYTES =
            Math.max(Job.MAX_PAYLOAD_BYTES, Job.MAX_REPORT_BYTES) + 2048;

    private CommandLayout() {}

    /** The bytes of a command. */
    public static byte[] write(Command command) {
        ByteWriter out = new ByteWriter().putByte(VERSION);
        switch (command) {
            case FoundCluster c -> out.putByte(9).putLong(c.clusterId()).putInt(c.superpeers());
            case RegisterSuperpeer c ->
                    out.putByte(10).putInt(c.index()).putString(c.host()).putShort(c.port());
            case RegisterNode c -> writeNode(out, c);
            case RemoveNode c -> out.putByte(2).putInt(c.node()).putInt(c.incarnation());
            case ReleaseNode c -> out.putByte(3).putInt(c.node()).putInt(c.incarnation());
            case RegisterName c ->
                    out.putByte(4).putString(c.name()).putLong(c.id()).putLong(c.nonce());
            case MoveName c ->
                    out.putByte(26)
                            .putString(c.name())
                            .putLong(c.expected())
                            .putLong(c.id())
                            .putLong(c.nonce());
            case RemoveName c -> out.putByte(5).putString(c.name()).putLong(c.nonce());
            case GrantAccess c ->
                    out.putByte(28).putString(c.name()).putBytes(c.grant()).putLong(c.nonce());
            case RevokeAccess c -> out.putByte(29).putString(c.name()).putLong(c.nonce());
            case OpenZone c ->
                    out.putByte(c.isConfirmed() ? 11 : 38)
                            .putLong(c.zone())
                            .putInt(c.owner())
                            .putInt(c.wanted());
            case ConfirmZone c ->
                    out.putByte(12).putLong(c.zone()).putLong(c.epoch()).putInt(c.owner());
            case AddBackup c ->
                    out.putByte(13)
                            .putLong(c.zone())
                            .putLong(c.epoch())
                            .putInt(c.node())
                            .putInt(c.incarnation());
            case RetireBackup c ->
                    out.putByte(14)
                            .putLong(c.zone())
                            .putLong(c.epoch())
                            .putInt(c.node())
                            .putFlag(c.isKept());
            case SwitchZone c ->
                    out.putByte(15)
                            .putLong(c.zone())
                            .putLong(c.epoch())
                            .putInt(c.newOwner())
                            .putInts(c.left())
                            .putFlag(c.damaged());
            case DropZone c ->
                    out.putByte(16).putLong(c.zone()).putLong(c.epoch()).putInt(c.owner());
            case YieldZone c ->
                    out.putByte(37)
                            .putLong(c.zone())
                            .putLong(c.epoch())
                            .putInt(c.owner())
                            .putInt(c.target());
            case GiveBackZone c -> out.putByte(32).putLong(c.zone()).putLong(c.epoch());
            case BeginRecovery c -> out.putByte(33).putLong(c.zone()).putLong(c.epoch());
            case ForgetNode c ->
                    out.putByte(34)
                            .putInt(c.node())
                            .putInt(c.incarnation())
                            .putFlag(c.acceptsLoss());
            case AddSuperpeer c ->
                    out.putByte(35).putString(c.host()).putShort(c.port()).putLong(c.nonce());
            case RemoveSuperpeer c -> out.putByte(36).putInt(c.node());
            case ElectMaster c -> out.putByte(17).putInt(c.node());
            case SubmitJob c ->
                    out.putByte(18).putLong(c.nonce()).putString(c.name()).putBytes(c.payload());
            case StartJob c ->
                    out.putByte(19)
                            .putLong(c.job())
                            .putInt(c.node())
                            .putLong(c.term())
                            .putLong(c.lastAttempt());
            case CommitCheckpoint c ->
                    out.putByte(20)
                            .putLong(c.job())
                            .putLong(c.attempt())
                            .putLong(c.number())
                            .putBytes(c.progress());
            case EndJob c ->
                    out.putByte(21)
                            .putLong(c.job())
                            .putLong(c.attempt())
                            .putByte(JobLayout.number(c.status()))
                            .putBytes(c.report());
            case CancelJob c -> out.putByte(22).putLong(c.job());
            case NoteDisk c ->
                    out.putByte(25).putInt(c.node()).putInt(c.incarnation()).putFlag(c.hangs());
            case NoteLeaving c -> out.putByte(27).putInt(c.node()).putInt(c.incarnation());
        }
        byte[] bytes = out.toBytes();
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "command of " + bytes.length + " bytes, limit " + MAX_BYTES);
        }
        return bytes;
    }

    /**
     * Reads what {@link #write} made.
     *
     * @throws IllegalArgumentException if the bytes are not a command
     */
    public static Command read(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "command of " + bytes.length + " bytes, limit " + MAX_BYTES);
        }
        ByteParser in = new ByteParser(bytes);
        int version = in.getByte();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "command has version " + version + ", expected " + VERSION);
        }
        Command command = read(in.getByte(), in);
        in.end();
        return command;
    }

    private static Command read(int kind, ByteParser in) {
        return switch (kind) {
            case 1 -> readNode(in, false);
            case 2 -> new RemoveNode(in.getInt(), in.getInt());
            case 3 -> new ReleaseNode(in.getInt(), in.getInt());
            case 4 -> new RegisterName(in.getString(), in.getLong(), in.getLong());
            case 5 -> new RemoveName(in.getString(), in.getLong());
            case 9 -> new FoundCluster(in.getLong(), in.getInt());
            case 10 -> new RegisterSuperpeer(in.getInt(), in.getString(), in.getShort());
            case 11 -> new OpenZone(in.getLong(), in.getInt(), in.getInt(), true);
            case 12 -> new ConfirmZone(in.getLong(), in.getLong(), in.getInt());
            case 13 -> new AddBackup(in.getLong(), in.getLong(), in.getInt(), in.getInt());
            case 14 -> new RetireBackup(in.getLong(), in.getLong(), in.getInt(), in.getFlag());
            case 15 ->
                    new SwitchZone(
                            in.getLong(), in.getLong(), in.getInt(), in.getInts(), in.getFlag());
            case 16 -> new DropZone(in.getLong(), in.getLong(), in.getInt());
            case 17 -> new ElectMaster(in.getInt());
            case 18 ->
                    new SubmitJob(in.getLong(), in.getString(), in.getBytes(Job.MAX_PAYLOAD_BYTES));
            case 19 -> new StartJob(in.getLong(), in.getInt(), in.getLong(), in.getLong());
            case 20 ->
                    new CommitCheckpoint(
                            in.getLong(),
                            in.getLong(),
                            in.getLong(),
                            in.getBytes(Job.MAX_PROGRESS_BYTES));
            case 21 ->
                    new EndJob(
                            in.getLong(),
                            in.getLong(),
                            JobLayout.status(in.getByte()),
                            in.getBytes(Job.MAX_REPORT_BYTES));
            case 22 -> new CancelJob(in.getLong());
            case 25 -> new NoteDisk(in.getInt(), in.getInt(), in.getFlag());
            case 27 -> new NoteLeaving(in.getInt(), in.getInt());
            case 26 -> new MoveName(in.getString(), in.getLong(), in.getLong(), in.getLong());
            case 28 ->
                    new GrantAccess(
                            in.getString(),
                            in.getBytes(AccessRegistry.MAX_GRANT_BYTES),
                            in.getLong());
            case 29 -> new RevokeAccess(in.getString(), in.getLong());
            case 30 -> readNode(in, true);
            case 31 -> new YieldZone(in.getLong(), in.getLong(), in.getInt());
            case 37 -> new YieldZone(in.getLong(), in.getLong(), in.getInt(), in.getInt());
            case 32 -> new GiveBackZone(in.getLong(), in.getLong());
            case 33 -> new BeginRecovery(in.getLong(), in.getLong());
            case 34 -> new ForgetNode(in.getInt(), in.getInt(), in.getFlag());
            case 35 -> new AddSuperpeer(in.getString(), in.getShort(), in.getLong());
            case 36 -> new RemoveSuperpeer(in.getInt());
            case 38 -> new OpenZone(in.getLong(), in.getInt(), in.getInt());
            default -> throw new IllegalArgumentException("unknown kind of command " + kind);
        };
    }

    private static void writeNode(ByteWriter out, RegisterNode node) {
        out.putByte(node.place().isKnown() ? 30 : 1)
                .putByte(number(node.role()))
                .putString(node.host())
                .putShort(node.port())
                .putInt(node.cores())
                .putLong(node.capabilities())
                .putLong(node.clusterId())
                .putInt(node.previous())
                .putInt(node.incarnation())
                .putLong(node.nonce());
        if (node.place().isKnown()) {
            out.putString(node.place().path());
        }
    }

    private static RegisterNode readNode(ByteParser in, boolean hasPlace) {
        return new RegisterNode(
                role(in.getByte()),
                in.getString(),
                in.getShort(),
                in.getInt(),
                in.getLong(),
                in.getLong(),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                hasPlace ? new Place(in.getString()) : Place.UNKNOWN);
    }

    /**
     * The role with a number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Role role(int number) {
        return switch (number) {
            case 0 -> Role.SUPERPEER;
            case 1 -> Role.PEER;
            default -> throw new IllegalArgumentException("unknown role " + number);
        };
    }

    /** The number of a role, in commands, snapshots and messages. */
    public static int number(Role role) {
        return switch (role) {
            case SUPERPEER -> 0;
            case PEER -> 1;
        };
    }
}
