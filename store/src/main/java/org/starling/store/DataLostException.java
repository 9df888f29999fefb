package org.starling.store;

/**
 * No good copy of the chunk is left among the live nodes. It is not answered as absent and not as
 * something older; it may come back when a node that holds a copy returns.
 */
public final class DataLostException extends StoreException {
    /**
     * For one chunk.
     *
     * @param id the chunk
     */
    public DataLostException(long id) {
        super(
                "DATA LOST: no good copy of chunk "
                        + ChunkId.toString(id)
                        + " is left on the live nodes; start the nodes that held its backups again, with their data directories: it comes back with them, unless their copies are damaged");
    }

    /**
     * With a message.
     *
     * @param message one sentence for people
     */
    public DataLostException(String message) {
        super(message);
    }
}
