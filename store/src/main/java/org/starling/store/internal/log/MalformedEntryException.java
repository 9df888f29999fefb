package org.starling.store.internal.log;

import org.starling.store.StoreException;

/** Bytes that should be entries are none. */
public final class MalformedEntryException extends StoreException {
    /** With a message. */
    public MalformedEntryException(String message) {
        super(message);
    }
}
