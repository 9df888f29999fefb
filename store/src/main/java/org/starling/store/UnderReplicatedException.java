package org.starling.store;

/** The write asked for a durability that the cluster cannot give now. It did not take effect. */
public final class UnderReplicatedException extends StoreException {
    /**
     * For a write.
     *
     * @param asked the durability that was asked for
     * @param needed so many live backups does it take
     * @param live so many are there now
     */
    public UnderReplicatedException(Durability asked, int needed, int live) {
        super(
                "durability "
                        + asked
                        + " needs "
                        + (needed == 1 ? "a live backup" : needed + " live backups")
                        + ", and there is "
                        + (live == 0 ? "none" : live)
                        + ": add peers with data directories, or write with durability "
                        + Durability.MEMORY);
    }

    /**
     * With a message.
     *
     * @param message one sentence for people
     */
    public UnderReplicatedException(String message) {
        super(message);
    }
}
