package org.starling.store;

/** The directory did not queue a job: too many wait. Nothing has happened. */
public final class JobRefusedException extends StoreException {
    /**
     * With a message.
     *
     * @param message one sentence for people
     */
    public JobRefusedException(String message) {
        super(message);
    }
}
