package org.starling.net.internal;

/**
 * Life of an {@link OutgoingLink}: CONNECTING → OPEN → RETIRING → RETIRED, or LOST from any but the
 * last.
 */
enum LinkState {
    CONNECTING,
    OPEN,
    /** Has said goodbye and waits until the peer has taken up everything. */
    RETIRING,
    /** Broken, or never made. */
    LOST,
    /** Closed on purpose; nothing is missing. */
    RETIRED;

    boolean takesFrames() {
        return this == CONNECTING || this == OPEN;
    }

    boolean isClosed() {
        return this == LOST || this == RETIRED;
    }

    boolean mayBecome(LinkState next) {
        return switch (this) {
            case CONNECTING -> next == OPEN || next == LOST;
            case OPEN -> next == LOST || next == RETIRING;
            case RETIRING -> next == LOST || next == RETIRED;
            case LOST, RETIRED -> false;
        };
    }
}
