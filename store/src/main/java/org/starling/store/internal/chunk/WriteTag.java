package org.starling.store.internal.chunk;

/**
 * Who asked for a change: a client's node id and its number for the operation, so that a retry can
 * be told from a new operation, by the next owner as well.
 *
 * @param client node id of the client, −1 for none
 * @param sequence number of the operation among those of the client
 */
public record WriteTag(int client, long sequence) {
    /** Nobody will ask for this change again. */
    public static final WriteTag NONE = new WriteTag(-1, 0);

    /**
     * Whether this names a client's operation.
     *
     * @return false for {@link #NONE}
     */
    public boolean isPresent() {
        return client >= 0;
    }
}
