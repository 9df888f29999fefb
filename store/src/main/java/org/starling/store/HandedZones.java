package org.starling.store;

/**
 * What came of handing over the zones of a peer that leaves.
 *
 * @param left zones that have not gone
 * @param why they have not; empty if none is left
 */
public record HandedZones(int left, String why) {
    /** All of them went. */
    public static final HandedZones ALL = new HandedZones(0, "");

    /** Whether others have everything. */
    public boolean isAll() {
        return left == 0 && why.isEmpty();
    }
}
