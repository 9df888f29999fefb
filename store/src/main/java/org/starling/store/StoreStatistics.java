package org.starling.store;

/**
 * What the chunks of one node take, at one moment.
 *
 * @param chunks chunks that exist
 * @param payloadBytes their payloads
 * @param headerBytes their length headers
 * @param tableBytes the chunk table's entries for ids in use or free for use again
 * @param heapUsedBytes heap segments in use: payloads, headers, and what fragmentation leaves
 *     between them
 * @param heapLimitBytes the most that {@code heapUsedBytes} can become
 */
public record StoreStatistics(
        long chunks,
        long payloadBytes,
        long headerBytes,
        long tableBytes,
        long heapUsedBytes,
        long heapLimitBytes) {}
