package org.starling.compute.cluster;

import org.starling.compute.script.JsonRecord;
import org.starling.store.ForgottenNode;

/**
 * What came of the removal of a peer that is gone for good.
 *
 * @param node its node id
 * @param changed whether it was not removed before
 * @param waiting zones without a live copy that come back with the disks of all others that had
 *     them
 * @param damaged zones without a live copy that have lost changes for good
 */
public record RemovedView(int node, boolean changed, int waiting, int damaged)
        implements JsonRecord {
    static RemovedView of(ForgottenNode node) {
        return new RemovedView(node.node(), node.changed(), node.waiting(), node.damaged());
    }
}
