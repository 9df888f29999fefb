package org.starling.store;

/** The owner's heap cannot take what was asked for. Nothing was created or changed. */
public final class OutOfChunkMemoryException extends StoreException {
    /**
     * With a message that names the limit and the remedy.
     *
     * @param message one sentence for people
     */
    public OutOfChunkMemoryException(String message) {
        super(message);
    }
}
