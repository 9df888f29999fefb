package org.starling.store;

/** The write asked for a durability that the cluster cannot give now. It did not take effect. */
public final class UnderReplicatedException extends StoreException {
    /**
     * For a write.
     *
     * @param asked the durability that was asked for
     * @param promised the most that the cluster can promise now
     */
    public UnderReplicatedException(Durability asked, Durability promised) {
        super(
                "durability "
                        + asked
                        + " needs live backup peers, and there are none: this cluster promises "
                        + promised
                        + "; write with durability "
                        + promised
                        + " or add backup peers");
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
