package org.starling.store.internal.replica;

/**
 * Recoveries of zones that this node has carried out.
 *
 * @param zones brought back
 * @param damaged those of them of which chunks are lost
 * @param failed that came to nothing
 * @param bytes of payloads that were brought back
 */
public record RecoveryFigures(long zones, long damaged, long failed, long bytes) {}
