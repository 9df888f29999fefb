package org.starling.store.internal.log;

import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * A log that can not be written: a write or force failed, or it was found damaged. What it
 * acknowledged before can still be read.
 */
public final class LogFailedException extends StoreException {
    /**
     * With a message.
     *
     * @param message what happened and where
     * @param cause what the file system said, or null
     */
    public LogFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether the disk does not return.
     *
     * @return true if what could not be read may be all right
     */
    public boolean isHang() {
        return getCause() instanceof HungDiskException;
    }
}
