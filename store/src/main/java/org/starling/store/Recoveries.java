package org.starling.store;

import java.util.List;

/**
 * Losses of nodes as the leading superpeer has seen them. It begins anew when another one leads:
 * what still has no owner then is taken over, what was over is not.
 *
 * @param leader the superpeer that tells
 * @param leadsNanos for how long it has led, and so how far back it knows
 * @param damagedZones zones of which some chunks are lost for good, of whatever time
 * @param lostZones zones without any copy that could be recovered now, of whatever time
 * @param losses the losses, at most {@value #MAX_LOSSES}, the oldest first
 */
public record Recoveries(
        int leader, long leadsNanos, int damagedZones, int lostZones, List<NodeLoss> losses) {
    /** The most losses that are remembered. */
    public static final int MAX_LOSSES = 100;

    /** Copies the list. */
    public Recoveries {
        losses = List.copyOf(losses);
    }
}
