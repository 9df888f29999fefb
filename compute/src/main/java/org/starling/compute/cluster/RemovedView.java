package org.starling.compute.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.RecordJson;
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
public record RemovedView(int node, boolean changed, int waiting, int damaged) {
    static RemovedView of(ForgottenNode node) {
        return new RemovedView(node.node(), node.changed(), node.waiting(), node.damaged());
    }

    /** As a JSON tree. */
    public Map<String, @Nullable Object> tree() {
        return RecordJson.PLAIN.tree(this);
    }
}
