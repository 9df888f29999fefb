package org.starling.store.internal.node;

import org.jspecify.annotations.Nullable;
import org.starling.store.UnservedException;

/** The owner did not answer a read; another owner may. */
final class UnreachableException extends UnservedException {
    UnreachableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
