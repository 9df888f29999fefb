package org.starling.store.internal.chunk;

/**
 * Chunks that were removed.
 *
 * @param count how many
 * @param position of the last change in the zone's stream; 0 if nothing was removed or the chunks
 *     were volatile
 */
public record Removed(int count, long position) {}
