package org.starling.store.internal.replica;

import org.starling.store.StoreException;

/**
 * This node does not own the zone, or does not any more. A write that meets it while it waits for
 * its backups may have taken effect: the new owner knows by its tag.
 */
public final class ZoneMovedException extends StoreException {
    /**
     * For one zone.
     *
     * @param zone zone id
     * @param node the node that does not own it
     */
    public ZoneMovedException(long zone, int node) {
        super("node " + node + " does not own zone " + Long.toHexString(zone));
    }
}
