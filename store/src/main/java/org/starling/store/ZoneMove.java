package org.starling.store;

/**
 * A zone that has gone from one living peer to another.
 *
 * @param zone zone id, the upper 36 bits of its chunks' ids
 * @param bytes of the payloads of its chunks
 * @param from node id of the owner of before
 * @param to node id of the owner now
 */
public record ZoneMove(long zone, long bytes, int from, int to) {}
