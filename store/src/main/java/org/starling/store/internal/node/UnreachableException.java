package org.starling.store.internal.node;

import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/** The owner did not answer a read; another owner may. */
final class UnreachableException extends StoreException {
    UnreachableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
