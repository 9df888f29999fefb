package org.starling.store.internal.log;

import java.io.IOException;

/** The disk does not return, so it is not known what it has: it may answer again, and have it. */
public final class HungDiskException extends IOException {
    /** With a message. */
    public HungDiskException(String message) {
        super(message);
    }
}
