package org.starling.compute.internal.protocol;

import org.starling.net.NativeMemory;

/**
 * A block of records between slaves, on the raw path.
 *
 * <pre>
 *   0        8           12     13         16       20     24
 *   +--------+-----------+------+----------+--------+------+-----------+
 *   | owner  | superstep | kind | channel  | count  | zero | records … |
 *   +--------+-----------+------+----------+--------+------+-----------+
 *     long     int         byte   3 bytes    int      int
 * </pre>
 *
 * {@code owner} is the number of the run or the build (see {@link Attempt}): a block of an older
 * attempt finds nobody who wants it; {@code superstep} the one in which the records are received.
 * Records by kind:
 *
 * <ul>
 *   <li>{@link #MESSAGES}, {@link #PUSHED}: ordinal (n bytes), value (4 or 8 bytes).
 *   <li>{@link #RECORDS}: ordinals of receiver and sender (n each), number (4), fields.
 *   <li>{@link #PUBLISHED}, {@link #MIRROR}: word number (8), bits (8), then the value of each set
 *       bit (none for vertex channels).
 *   <li>{@link #DELIVERED}: none; the sender has delivered everything of this superstep.
 *   <li>{@link #IDS}, {@link #RANKS}: 8 bytes each.
 *   <li>{@link #EDGES}: direction in {@code channel}; ordinal (n), ordinal of the other end (n),
 *       weight (4, if weighted), values of properties. Or instead of an edge a vertex: ordinal (n),
 *       zero (n), values of properties.
 *   <li>{@link #SHARD_IDS}: ordinal (8), id (8).
 *   <li>{@link #DEGREES}, {@link #ORDERED}: rank (n), ends of edges or ordinal (n).
 *   <li>{@link #PROJECTED}: ordinal in the older graph (8), rank (8).
 *   <li>{@link #STRINGS}: code (4), length (4), UTF-8.
 *   <li>{@link #TEXTS}, {@link #TEXT_PIECES}: number (8), length (4), offset (4), bytes (4), UTF-8.
 *   <li>{@link #SENT}: none; the sender has sent everything of this build step ({@code superstep}
 *       is its number).
 * </ul>
 *
 * Here n is the number of bytes of a target in the graph's rows: 4, or 8 in wide ones.
 */
public final class BlockLayout {
    /** Raw type of blocks of runs. */
    public static final int RUN_BLOCK = 301;

    /** Raw type of blocks of builds. */
    public static final int BUILD_BLOCK = 302;

    /** Combined messages. */
    public static final byte MESSAGES = 1;

    /** Combined messages of broadcasts that are pushed. */
    public static final byte PUSHED = 9;

    /** Messages that are not combined. */
    public static final byte RECORDS = 14;

    /** Broadcast values. */
    public static final byte PUBLISHED = 2;

    /** Values of mirrors. */
    public static final byte MIRROR = 3;

    /** End of a delivery. */
    public static final byte DELIVERED = 4;

    /** The same where something has failed: not all of it has come, and none more will. */
    public static final byte ABANDONED = 19;

    /** Ids of vertices. */
    public static final byte IDS = 5;

    /** Ranks of ids. */
    public static final byte RANKS = 6;

    /** Edges of a shard. */
    public static final byte EDGES = 7;

    /** End of an exchange. */
    public static final byte SENT = 8;

    /** Ids of vertices for the owners of their shards. */
    public static final byte SHARD_IDS = 10;

    /** Ends of edges of ranks. */
    public static final byte DEGREES = 11;

    /** Ordinals of ranks. */
    public static final byte ORDERED = 12;

    /** Ranks that vertices of another graph have. */
    public static final byte PROJECTED = 15;

    /** Strings that are values of properties. */
    public static final byte STRINGS = 16;

    /** Ids that are texts, for the slaves of their ranges. */
    public static final byte TEXTS = 17;

    /** Ids that are texts, for those who keep them. */
    public static final byte TEXT_PIECES = 18;

    /** Bytes before the records. */
    public static final int HEADER_BYTES = 24;

    /** Largest block, header included. */
    public static final int MAX_BYTES = 32 << 10;

    /** Largest number in {@code channel}. */
    public static final int MAX_CHANNEL = (1 << 24) - 1;

    private BlockLayout() {}

    /** Writes a header. */
    public static void writeHeader(
            long address, long owner, int superstep, byte kind, int channel, int count) {
        NativeMemory.putLong(address, owner);
        NativeMemory.putInt(address + 8, superstep);
        NativeMemory.putInt(address + 12, (kind & 0xFF) | (channel << 8));
        NativeMemory.putInt(address + 16, count);
        NativeMemory.putInt(address + 20, 0);
    }

    /** Number of the run or build. */
    public static long owner(long address) {
        return NativeMemory.getLong(address);
    }

    /** Superstep in which the records are received. */
    public static int superstep(long address) {
        return NativeMemory.getInt(address + 8);
    }

    /** What the records are. */
    public static byte kind(long address) {
        return NativeMemory.getByte(address + 12);
    }

    /** Channel, mirror or shard. */
    public static int channel(long address) {
        return NativeMemory.getInt(address + 12) >>> 8;
    }

    /** Number of records. */
    public static int count(long address) {
        return NativeMemory.getInt(address + 16);
    }
}
