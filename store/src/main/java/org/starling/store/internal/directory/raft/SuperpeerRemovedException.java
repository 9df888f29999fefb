package org.starling.store.internal.directory.raft;

import org.starling.store.StoreException;

/** This superpeer is none of its cluster: it was removed for good, or never was one. */
public final class SuperpeerRemovedException extends StoreException {
    private static final long serialVersionUID = 1;

    SuperpeerRemovedException(String message) {
        super(message, null);
    }
}
