package org.starling.store.internal.replica;

/**
 * A zone that was handed over, or none.
 *
 * @param zone zone id
 * @param bytes of the payloads of its chunks; 0 if there was none to go
 */
public record HandedOver(long zone, long bytes) {}
