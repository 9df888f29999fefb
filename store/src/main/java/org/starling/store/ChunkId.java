package org.starling.store;

/**
 * 64-bit chunk ids as plain longs: the creator's node id in the upper 16 bits, the local id in the
 * lower 48. Static functions only, so that ids never become objects.
 */
public final class ChunkId {
    /** No chunk: its creator (65535) is never handed out as a node id. */
    public static final long NONE = -1L;

    /** The greatest node id that can own or create chunks. */
    public static final int MAX_CREATOR = 0xFFFE;

    /** The greatest local id. */
    public static final long MAX_LOCAL = (1L << 48) - 1;

    /** The most ids of one zone. */
    public static final int ZONE_IDS = 1 << 28;

    /** The greatest number of a zone among those of its creator. */
    public static final int MAX_ZONE_NUMBER = (1 << 19) - 1;

    private static final int CREATOR_SHIFT = 48;
    private static final int ZONE_SHIFT = 28;
    private static final long REPLICATED = 1L << 47;

    private ChunkId() {}

    /**
     * The id made of a creator and a local id.
     *
     * @param creator node id, 0 to {@link #MAX_CREATOR}
     * @param local local id, 0 to {@link #MAX_LOCAL}
     * @return the chunk id
     * @throws IllegalArgumentException if either is out of its bounds
     */
    public static long of(int creator, long local) {
        if (creator < 0 || creator > MAX_CREATOR) {
            throw new IllegalArgumentException(
                    "creator " + creator + " is not a node id of 0 to " + MAX_CREATOR);
        }
        if (local < 0 || local > MAX_LOCAL) {
            throw new IllegalArgumentException("local id " + local + " does not fit in 48 bits");
        }
        return ((long) creator << CREATOR_SHIFT) | local;
    }

    /**
     * The node that created the chunk.
     *
     * @param id a chunk id
     * @return node id, 0 to 65535 (65535 only for {@link #NONE} and forged ids)
     */
    public static int creator(long id) {
        return (int) (id >>> CREATOR_SHIFT);
    }

    /**
     * The number of the chunk among those of its creator.
     *
     * @param id a chunk id
     * @return local id, 0 to {@link #MAX_LOCAL}
     */
    public static long local(long id) {
        return id & MAX_LOCAL;
    }

    /**
     * Whether the chunk belongs to a zone with backups: bit 47 of its id says so.
     *
     * @param id a chunk id
     * @return false for a volatile chunk, which its owner alone holds
     */
    public static boolean isReplicated(long id) {
        return (id & REPLICATED) != 0;
    }

    /**
     * The zone of a replicated chunk, creator included: all its ids are {@code zone << 28} to
     * {@code (zone << 28) + ZONE_IDS - 1}.
     *
     * @param id a chunk id
     * @return zone id, not negative
     */
    public static long zone(long id) {
        return id >>> ZONE_SHIFT;
    }

    /**
     * The number of a replicated chunk in its zone.
     *
     * @param id a chunk id
     * @return 0 to {@link #ZONE_IDS} − 1
     */
    public static int index(long id) {
        return (int) id & ZONE_IDS - 1;
    }

    /**
     * The id of a chunk of a zone.
     *
     * @param zone zone id
     * @param index number in the zone, 0 to {@link #ZONE_IDS} − 1
     * @return the chunk id
     */
    public static long ofZone(long zone, int index) {
        return zone << ZONE_SHIFT | index;
    }

    /**
     * The zone of a creator.
     *
     * @param creator node id
     * @param number number of the zone among those of the creator, 0 to {@link #MAX_ZONE_NUMBER}
     * @return zone id
     */
    public static long zoneOf(int creator, int number) {
        if (number < 0 || number > MAX_ZONE_NUMBER) {
            throw new IllegalArgumentException(
                    "zone number " + number + " is not in 0.." + MAX_ZONE_NUMBER);
        }
        return zone(of(creator, REPLICATED | (long) number << ZONE_SHIFT));
    }

    /**
     * The id as people read it: creator and local id in hexadecimal, {@code 0x0002:1f}.
     *
     * @param id a chunk id
     * @return its text
     */
    public static String toString(long id) {
        return id == NONE ? "none" : String.format("0x%04x:%x", creator(id), local(id));
    }
}
