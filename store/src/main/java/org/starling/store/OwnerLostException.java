package org.starling.store;

/** The node that held the chunk has been declared lost, and no other copy of the chunk is known. */
public final class OwnerLostException extends StoreException {
    private final int owner;

    /**
     * For a lost owner.
     *
     * @param id a chunk of it
     * @param owner the lost node
     */
    public OwnerLostException(long id, int owner) {
        super(
                "node "
                        + owner
                        + ", the owner of chunk "
                        + ChunkId.toString(id)
                        + ", is not a member of the cluster (lost or never joined) and there is no backup of it");
        this.owner = owner;
    }

    /**
     * The lost node.
     *
     * @return a node id
     */
    public int owner() {
        return owner;
    }
}
