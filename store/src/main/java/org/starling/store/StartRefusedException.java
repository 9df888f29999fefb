package org.starling.store;

/**
 * A node can't be started like this, however often it is tried: a superpeer that was removed from
 * its cluster for good, or never was one, or superpeers that found no cluster.
 */
public final class StartRefusedException extends StoreException {
    private static final long serialVersionUID = 1;

    /**
     * With a sentence for people.
     *
     * @param message why, and what to do
     */
    public StartRefusedException(String message) {
        super(message);
    }
}
