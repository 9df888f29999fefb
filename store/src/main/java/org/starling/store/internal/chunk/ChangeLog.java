package org.starling.store.internal.chunk;

/**
 * Takes the changes of one zone in the order in which they take effect. Made by whoever replicates
 * the zone and given to {@link LocalChunks}, which calls it on the thread that makes the change,
 * inside the changed chunks as their writer: so two changes of one chunk come in their order, and a
 * reader that sees a change also finds it logged. Several threads call at the same time for
 * different chunks.
 *
 * <p>An implementation copies what it needs and returns; it must not wait for other threads, nor
 * call the store. If it throws, the operation fails with that exception and counts as not logged; a
 * write may then have changed the memory of the chunk, so only a zone that is given up may throw.
 */
public interface ChangeLog {
    /**
     * A chunk has a new payload (put, resize, or written in place).
     *
     * @param id chunk id
     * @param payloadAddress where the payload is; valid during the call
     * @param bytes its length
     * @param tag who asked for it
     * @return the position of the change in the zone's stream
     */
    long written(long id, long payloadAddress, int bytes, WriteTag tag);

    /**
     * Chunks are gone. All of them existed until now.
     *
     * @param first the first chunk id
     * @param count consecutive ids, at least 1
     * @param tag who asked for it; when one operation removes several runs, only the last of them
     *     carries the tag
     * @return the position of the change in the zone's stream
     */
    long removed(long first, int count, WriteTag tag);

    /**
     * Chunks with consecutive ids come into being, their payload zero. Called before anybody can
     * see them.
     *
     * @param first the first chunk id
     * @param sizes their lengths; valid during the call
     * @param tag who asked for it
     * @return the position of the change in the zone's stream
     */
    long created(long first, Sizes sizes, WriteTag tag);

    /**
     * Whether a chunk may have changes that not all backups have yet; asked by readers after the
     * read.
     *
     * @return false only if everything logged for it so far is acknowledged
     */
    boolean isPending(long id);

    /**
     * The position of the last change logged.
     *
     * @return a position, 0 before the first
     */
    long position();
}
