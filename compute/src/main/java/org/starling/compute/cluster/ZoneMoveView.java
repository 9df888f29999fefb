package org.starling.compute.cluster;

import org.starling.compute.script.JsonRecord;
import org.starling.store.ZoneMove;

/**
 * A zone of chunks that has gone from one peer to another, as REST gives it.
 *
 * @param zone its id in hexadecimal digits, as in the nodes' logs
 * @param bytes of the payloads of its chunks
 * @param from node id of the owner of before
 * @param to node id of the owner now
 */
public record ZoneMoveView(String zone, long bytes, int from, int to) implements JsonRecord {
    static ZoneMoveView of(ZoneMove move) {
        return new ZoneMoveView(
                Long.toHexString(move.zone()), move.bytes(), move.from(), move.to());
    }
}
