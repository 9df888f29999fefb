package org.starling.store.internal.node;

import org.starling.store.StoreException;

/** The owner did not answer a read; another owner may. */
final class UnreachableException extends StoreException {
    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
