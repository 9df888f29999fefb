package org.starling.store.internal.chunk;

/**
 * Chunks that were created together.
 *
 * @param first id of the first
 * @param position of the change in the zone's stream
 */
public record Created(long first, long position) {}
