package org.starling.store.internal.replica;

/**
 * What a write has done, kept so that its retry gets the same answer.
 *
 * @param position of its last entry in the zone's stream, 0 if it left none
 * @param first the first chunk id that it created or changed
 * @param count chunks that it created, changed or removed
 */
public record Executed(long position, long first, int count) {}
