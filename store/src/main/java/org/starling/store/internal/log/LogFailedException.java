package org.starling.store.internal.log;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
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
        return isCausedBy(HungDiskException.class) || isCausedBy(TimeoutException.class);
    }

    /**
     * Whether the disk is at fault, and not this log or what it was to take.
     *
     * @return true if other logs on it are to be expected to fail as well
     */
    public boolean isOfDisk() {
        return isCausedBy(IOException.class) || isCausedBy(TimeoutException.class);
    }

    private boolean isCausedBy(Class<? extends Exception> kind) {
        for (Throwable each = getCause(); each != null; each = each.getCause()) {
            if (kind.isInstance(each)) {
                return true;
            }
        }
        return false;
    }
}
