package org.starling.net.internal;

/**
 * An end of a connection over UCX that may have a request on its way, one at a time. Called with
 * the transport's turn.
 */
sealed interface UcxEnd permits UcxSender, UcxReceiver {

    /** Looks whether the request is done and goes on if so; false while it is on its way. */
    boolean finish();

    /** The worker is gone, and with it the request. */
    void abandon();
}
