package org.starling.compute.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.RecordJson;
import org.starling.store.ZoneMove;

/**
 * A zone of chunks that has gone from one peer to another, as REST gives it.
 *
 * @param zone its id in hexadecimal digits, as in the nodes' logs
 * @param bytes of the payloads of its chunks
 * @param from node id of the owner of before
 * @param to node id of the owner now
 */
public record ZoneMoveView(String zone, long bytes, int from, int to) {
    static ZoneMoveView of(ZoneMove move) {
        return new ZoneMoveView(
                Long.toHexString(move.zone()), move.bytes(), move.from(), move.to());
    }

    /** As JSON. */
    public Map<String, @Nullable Object> tree() {
        return RecordJson.PLAIN.tree(this);
    }
}
