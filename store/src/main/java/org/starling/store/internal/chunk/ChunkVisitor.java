package org.starling.store.internal.chunk;

/** Takes the chunks of a zone one by one. */
@FunctionalInterface
public interface ChunkVisitor {
    /**
     * One chunk, inside of which the caller is as a reader: no writer meanwhile.
     *
     * @param id chunk id
     * @param payloadAddress where the payload is; valid during the call
     * @param bytes its length
     * @return false to stop after this chunk
     */
    boolean visit(long id, long payloadAddress, int bytes);
}
