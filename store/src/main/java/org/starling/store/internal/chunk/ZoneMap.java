package org.starling.store.internal.chunk;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Zone id to the zone's chunks, in constant time: open addressing, at most half full. Immutable;
 * {@link Zones} publishes a new one for each change.
 */
final class ZoneMap {
    static final ZoneMap EMPTY = new ZoneMap(new long[0], new IdSpace[0]);

    private static final int MIN_CAPACITY = 8;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Ascending. */
    private final long[] zones;

    /** By slot: zone ids; a slot is in use where {@link #slots} is not null. */
    private final long[] keys;

    private final @Nullable IdSpace[] slots;
    private final int shift;
    private final int mask;

    private ZoneMap(long[] zones, IdSpace[] spaces) {
        this.zones = zones;
        int capacity = Math.max(MIN_CAPACITY, Integer.highestOneBit(zones.length) * 4);
        keys = new long[capacity];
        slots = new IdSpace[capacity];
        mask = capacity - 1;
        shift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
        for (int i = 0; i < zones.length; i++) {
            int slot = slotOf(zones[i]);
            while (slots[slot] != null) {
                slot = slot + 1 & mask;
            }
            keys[slot] = zones[i];
            slots[slot] = spaces[i];
        }
    }

    /**
     * The chunks of a zone.
     *
     * @return its space, or null if it is not here
     */
    @Nullable IdSpace find(long zone) {
        int slot = slotOf(zone);
        while (true) {
            IdSpace space = slots[slot];
            if (space == null || keys[slot] == zone) {
                return space;
            }
            slot = slot + 1 & mask;
        }
    }

    /**
     * This table and one zone more.
     *
     * @param zone zone id, not in here
     * @param space its chunks
     */
    ZoneMap with(long zone, IdSpace space) {
        int at = -1 - Arrays.binarySearch(zones, zone);
        long[] more = new long[zones.length + 1];
        IdSpace[] spaces = new IdSpace[more.length];
        for (int i = 0; i < more.length; i++) {
            more[i] = i == at ? zone : zones[i < at ? i : i - 1];
            spaces[i] = i == at ? space : spaceAt(i < at ? i : i - 1);
        }
        return new ZoneMap(more, spaces);
    }

    /**
     * This table without one zone.
     *
     * @param zone zone id, in here
     */
    ZoneMap without(long zone) {
        long[] fewer = Arrays.stream(zones).filter(other -> other != zone).toArray();
        IdSpace[] spaces = new IdSpace[fewer.length];
        for (int i = 0; i < fewer.length; i++) {
            spaces[i] = spaceAt(Arrays.binarySearch(zones, fewer[i]));
        }
        return new ZoneMap(fewer, spaces);
    }

    /** All zone ids, ascending. */
    long[] zones() {
        return zones.clone();
    }

    private IdSpace spaceAt(int index) {
        IdSpace space = find(zones[index]);
        if (space == null) {
            throw new IllegalStateException("zone table lost zone " + zones[index]);
        }
        return space;
    }

    private int slotOf(long zone) {
        return (int) ((zone * GOLDEN) >>> shift);
    }
}
