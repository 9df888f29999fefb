package org.starling.store;

/** A node is not removed; nothing has changed. */
public final class RemovalRefusedException extends StoreException {
    private static final long serialVersionUID = 1;

    /**
     * With the reason.
     *
     * @param reason one sentence
     */
    public RemovalRefusedException(String reason) {
        super(reason);
    }
}
