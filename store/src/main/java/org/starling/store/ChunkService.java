package org.starling.store;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * The chunk operations of one node, on local and remote chunks alike. Per chunk they take effect in
 * one order, and a read returns the last acknowledged write or a later one. All methods are safe
 * for any thread; the blocking ones must not be called from message handlers that run on a
 * receiving thread.
 *
 * <p>Common to all: an id without a chunk is answered with {@link ChunkNotFoundException}; an owner
 * that is no member of the cluster any more with {@link OwnerLostException}; an answer that does
 * not come in time with {@link IndeterminateException} if the operation could have taken effect,
 * else with {@link StoreException}; a closed node with {@link StoreException}.
 */
public interface ChunkService {
    /** The longest payload that can be sent to or read from another node. */
    int MAX_REMOTE_BYTES = 128 << 20;

    /** The most ids that a batch or a range created on another node can have. */
    int MAX_REMOTE_COUNT = 16 << 20;

    /**
     * The same service with another durability for all writes made through it.
     *
     * @param durability asked of every create, put, resize and remove
     * @return a view of this service
     */
    ChunkService with(Durability durability);

    /**
     * The durability of writes made through this service.
     *
     * @return the durability
     */
    Durability durability();

    /**
     * The same service, whose creates go to the zone of a chunk, whatever the size of the zone; but
     * not to one that this node has taken over, where a free id may be that of a chunk that its
     * former owner had handed out and no backup has heard of. For volatile creates it is this
     * service.
     *
     * @param id a chunk of a zone that this node owns, or a volatile one
     * @return a view of this service
     */
    ChunkService near(long id);

    // replication

    /**
     * Brings the values of local chunks that were written in place ({@link #pin}) to the backups,
     * as a write of each with the durability of this service would. They are to be pinned until it
     * returns: their zone may be handed over as soon as they are not. Volatile chunks have none:
     * nothing happens.
     *
     * @param first the first chunk id
     * @param count ids; those without a chunk are passed over
     */
    void replicate(long first, int count);

    /**
     * Waits until everything that this node has written to its own zones so far, in whatever
     * durability, is on the disks of at least two backups and with all of them.
     */
    void sync();

    /**
     * The same of the zones of some chunks alone.
     *
     * @param ids chunk ids; those of zones that this node has not owned, and volatile ones, are
     *     passed over
     */
    void sync(Collection<Long> ids);

    /**
     * Who owns a chunk now.
     *
     * @param id chunk id
     * @return node id, or −1 while nobody does (its owner was lost and it is being recovered, or is
     *     lost)
     */
    int owner(long id);

    /**
     * Who owns a chunk; waits while nobody does.
     *
     * @param id chunk id
     * @param patience how long to wait
     * @return node id, or −1 if nobody does even then
     * @throws ChunkNotFoundException as soon as it is known that there is no such zone (any more)
     * @throws DataLostException if no good copy is left even then: nodes that have one may come
     *     back
     */
    int awaitOwner(long id, Duration patience);

    // create

    /**
     * Creates a chunk on this node; its payload is zero.
     *
     * @param bytes length of the payload, 0 to 2^31 − 9
     * @return its id
     * @throws OutOfChunkMemoryException if the heap has no room
     * @throws UnderReplicatedException if the durability cannot be had
     */
    long create(int bytes);

    /**
     * Creates chunks of the same length with consecutive ids on this node, their memory together in
     * id order, their payload zero; all or none.
     *
     * @param count how many, at least 1
     * @param bytes length of each payload
     * @return id of the first
     * @throws OutOfChunkMemoryException if the heap has no room for all
     */
    long createRange(int count, int bytes);

    /**
     * Creates chunks with consecutive ids on this node, their memory together in id order, their
     * payload zero; all or none.
     *
     * @param sizes lengths of the payloads in id order, not empty
     * @return id of the first
     * @throws OutOfChunkMemoryException if the heap has no room for all
     */
    default long createRange(int[] sizes) {
        return createRange(sizes, 0, sizes.length);
    }

    /**
     * As {@link #createRange(int[])}, but backups hear of the chunks by {@link #replicate} alone: a
     * node that is lost before leaves nothing of them. Who has told others of them before that can
     * have them removed by whoever is their next owner.
     *
     * @param sizes lengths of the payloads in id order, not empty
     * @return id of the first
     * @throws OutOfChunkMemoryException if the heap has no room for all
     */
    long createUnreplicated(int[] sizes);

    /**
     * As {@link #createRange(int[])}, with lengths from a part of an array.
     *
     * @param sizes lengths of the payloads
     * @param offset index of the first length
     * @param count how many, at least 1
     * @return id of the first
     */
    long createRange(int[] sizes, int offset, int count);

    /**
     * As {@link #createRange(int[])}, with lengths from native memory.
     *
     * @param sizesAddress address of the lengths, native ints one after the other
     * @param count how many, at least 1
     * @return id of the first
     */
    long createRange(long sizesAddress, int count);

    /**
     * Creates chunks with consecutive ids on another peer (or this one), as {@link
     * #createRange(int[])} does there.
     *
     * @param peer node id
     * @param sizes lengths of the payloads, at most {@link #MAX_REMOTE_COUNT}
     * @return id of the first
     */
    long createOn(int peer, int[] sizes);

    // read

    /**
     * Whether the chunk exists.
     *
     * @param id chunk id
     * @return true if it does
     */
    boolean exists(long id);

    /**
     * Length of a chunk.
     *
     * @param id chunk id
     * @return bytes of its payload
     */
    int size(long id);

    /**
     * Reads a chunk.
     *
     * @param id chunk id
     * @return its payload
     */
    byte[] get(long id);

    /**
     * Reads a chunk into native memory.
     *
     * @param id chunk id
     * @param address where to
     * @param capacity bytes there
     * @return bytes of the payload
     * @throws IllegalArgumentException if the payload is longer than the capacity; nothing is
     *     written then
     */
    int get(long id, long address, int capacity);

    /**
     * Reads a chunk into a native segment.
     *
     * @param id chunk id
     * @param into where to, native
     * @return bytes of the payload
     * @throws IllegalArgumentException if the payload is longer than the segment, or the segment is
     *     not native
     */
    default int get(long id, MemorySegment into) {
        if (!into.isNative()) {
            throw new IllegalArgumentException("the segment is not in native memory");
        }
        return get(id, into.address(), (int) Math.min(Integer.MAX_VALUE, into.byteSize()));
    }

    /**
     * Reads several chunks, with one request per owner (several if the answer is long).
     *
     * @param ids chunk ids
     * @return the values in the order of the ids; a chunk that does not exist is marked there
     */
    Chunks get(long[] ids);

    /**
     * Reads a range of consecutive ids of one owner, in several bounded messages if it is remote.
     *
     * @param first the first chunk id
     * @param count ids
     * @return a copy, to be closed; a chunk that does not exist is marked there
     */
    RangeCopy readRange(long first, int count);

    // write

    /**
     * Replaces the value of a chunk; its length becomes that of the value.
     *
     * @param id chunk id
     * @param value the new payload
     * @throws ChunkPinnedException if the chunk is pinned and the length would change
     * @throws OutOfChunkMemoryException if the length would change and the owner's heap has no room
     */
    void put(long id, byte[] value);

    /**
     * Replaces the value of a chunk from native memory; its length becomes that of the value.
     *
     * @param id chunk id
     * @param address where the value is
     * @param bytes its length
     */
    void put(long id, long address, int bytes);

    /**
     * Replaces several values, with one request per owner (several if the values are long). Not
     * atomic as a whole.
     *
     * @param ids chunk ids
     * @param values by index the new payload
     * @throws BatchException if some failed; the others took effect
     */
    void put(long[] ids, byte[][] values);

    /**
     * Changes the length of a chunk; the payload is cut at the end, or zeros are added there.
     *
     * @param id chunk id
     * @param bytes new length
     * @throws ChunkPinnedException if the chunk is pinned
     * @throws OutOfChunkMemoryException if the owner's heap has no room
     */
    void resize(long id, int bytes);

    /**
     * Removes a chunk. Its id may be used again later.
     *
     * @param id chunk id
     * @throws ChunkPinnedException if the chunk is pinned
     */
    void remove(long id);

    /**
     * Removes several chunks, with one request per owner. Not atomic as a whole.
     *
     * @param ids chunk ids
     * @throws BatchException if some failed; the others took effect
     */
    void remove(long[] ids);

    /**
     * Removes the chunks of a range of consecutive ids of one owner; ids without a chunk are passed
     * over.
     *
     * @param first the first chunk id
     * @param count ids
     * @return chunks removed
     * @throws ChunkPinnedException if one of them is pinned; nothing is removed then, or those
     *     before it if it is pinned meanwhile
     */
    int removeRange(long first, int count);

    // asynchronous

    /**
     * As {@link #get(long)}, without waiting.
     *
     * @param id chunk id
     * @return completes with the payload, or exceptionally with what {@code get} throws
     */
    CompletableFuture<byte[]> getAsync(long id);

    /**
     * As {@link #get(long[])}, without waiting.
     *
     * @param ids chunk ids
     * @return completes with the values, or exceptionally with what {@code get} throws
     */
    CompletableFuture<Chunks> getAsync(long[] ids);

    /**
     * As {@link #put(long, byte[])}, without waiting. The array must not be changed before
     * completion.
     *
     * @param id chunk id
     * @param value the new payload
     * @return completes when the write is acknowledged, or exceptionally with what {@code put}
     *     throws
     */
    CompletableFuture<Void> putAsync(long id, byte[] value);

    /**
     * As {@link #put(long[], byte[][])}, without waiting. The arrays must not be changed before
     * completion.
     *
     * @param ids chunk ids
     * @param values by index the new payload
     * @return completes when all writes are acknowledged, or exceptionally with what {@code put}
     *     throws
     */
    CompletableFuture<Void> putAsync(long[] ids, byte[][] values);

    /**
     * As {@link #remove(long[])}, without waiting.
     *
     * @param ids chunk ids
     * @return completes when all are acknowledged, or exceptionally with what {@code remove} throws
     */
    CompletableFuture<Void> removeAsync(long[] ids);

    // local

    /**
     * Whether this node owns the id, whether or not there is a chunk.
     *
     * @param id chunk id
     * @return true if operations on it stay on this node
     */
    boolean isLocal(long id);

    /**
     * Pins a range of local chunks.
     *
     * @param first the first chunk id
     * @param count chunks, at least 1
     * @return the pinned range, to be closed
     * @throws ChunkNotFoundException if one of them does not exist; nothing is pinned then
     * @throws StoreException if the range is not local
     */
    PinnedRange pin(long first, int count);

    /**
     * Withholds the ids of a range of local chunks: those that become free are given to no new
     * chunk. For who has to tell others that he has removed chunks, who would remove them again
     * otherwise. Pages of {@value ChunkEntryLayout#PAGE_ENTRIES} ids are withheld together.
     *
     * @param first the first chunk id
     * @param count ids, at least 1
     * @return the ids, to be closed
     * @throws StoreException if the range is not in the memory of this node; while its zone is
     *     being handed over it still is
     */
    WithheldIds withhold(long first, int count);

    /**
     * What the chunks of this node take.
     *
     * @return a snapshot
     */
    StoreStatistics statistics();
}
