package org.starling.store.internal.directory;

import org.starling.store.Role;
import org.starling.store.internal.directory.Command.ArriveAtBarrier;
import org.starling.store.internal.directory.Command.AssignRange;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveBarrier;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/**
 * The bytes of a {@link Command}, for journal and replication. Numbers are big-endian, strings are
 * UTF-8 with their length in 2 bytes before them.
 *
 * <pre>
 * | version 1 | kind 1 | fields |
 * kind 1 RegisterNode     role 1, host string, port 2, cores 4, capabilities 8
 *      2 RemoveNode       node 2
 *      3 AssignRange      first 8, last 8, owner 2
 *      4 RegisterName     name string, id 8
 *      5 RemoveName       name string
 *      6 CreateBarrier    parties 4
 *      7 ArriveAtBarrier  barrier 8, party 4, round 8
 *      8 RemoveBarrier    barrier 8
 * </pre>
 */
public final class CommandLayout {
    /** Version of this layout. */
    public static final int VERSION = 1;

    /** The longest command: a registration or name with the longest string. */
    public static final int MAX_BYTES = 2048;

    private CommandLayout() {}

    /**
     * The bytes of a command.
     *
     * @param command the command
     * @return its bytes
     */
    public static byte[] write(Command command) {
        ByteWriter out = new ByteWriter().putByte(VERSION);
        switch (command) {
            case RegisterNode c ->
                    out.putByte(1)
                            .putByte(number(c.role()))
                            .putString(c.host())
                            .putShort(c.port())
                            .putInt(c.cores())
                            .putLong(c.capabilities());
            case RemoveNode c -> out.putByte(2).putShort(c.node());
            case AssignRange c ->
                    out.putByte(3).putLong(c.first()).putLong(c.last()).putShort(c.owner());
            case RegisterName c -> out.putByte(4).putString(c.name()).putLong(c.id());
            case RemoveName c -> out.putByte(5).putString(c.name());
            case CreateBarrier c -> out.putByte(6).putInt(c.parties());
            case ArriveAtBarrier c ->
                    out.putByte(7).putLong(c.barrier()).putInt(c.party()).putLong(c.round());
            case RemoveBarrier c -> out.putByte(8).putLong(c.barrier());
        }
        byte[] bytes = out.toBytes();
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "command of " + bytes.length + " bytes, limit " + MAX_BYTES);
        }
        return bytes;
    }

    /**
     * The command of some bytes.
     *
     * @param bytes what {@link #write} made
     * @return the command
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
        int kind = in.getByte();
        Command command =
                switch (kind) {
                    case 1 ->
                            new RegisterNode(
                                    role(in.getByte()),
                                    in.getString(),
                                    in.getShort(),
                                    in.getInt(),
                                    in.getLong());
                    case 2 -> new RemoveNode(in.getShort());
                    case 3 -> new AssignRange(in.getLong(), in.getLong(), in.getShort());
                    case 4 -> new RegisterName(in.getString(), in.getLong());
                    case 5 -> new RemoveName(in.getString());
                    case 6 -> new CreateBarrier(in.getInt());
                    case 7 -> new ArriveAtBarrier(in.getLong(), in.getInt(), in.getLong());
                    case 8 -> new RemoveBarrier(in.getLong());
                    default ->
                            throw new IllegalArgumentException("unknown kind of command " + kind);
                };
        in.end();
        return command;
    }

    /**
     * The role with a number.
     *
     * @param number as written
     * @return the role
     * @throws IllegalArgumentException if there is none
     */
    public static Role role(int number) {
        return switch (number) {
            case 0 -> Role.SUPERPEER;
            case 1 -> Role.PEER;
            default -> throw new IllegalArgumentException("unknown role " + number);
        };
    }

    /**
     * The number of a role, in commands, snapshots and messages.
     *
     * @param role the role
     * @return its number
     */
    public static int number(Role role) {
        return switch (role) {
            case SUPERPEER -> 0;
            case PEER -> 1;
        };
    }
}
