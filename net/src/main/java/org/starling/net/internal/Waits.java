package org.starling.net.internal;

import java.util.concurrent.Future;

/** What waiting for an answer takes; asked and told by the thread that waits. Thread-safe. */
interface Waits {

    /** Whether the calling thread is the one that brings answers in, and so must not wait. */
    boolean isReceivingThread();

    /** The calling thread is going to wait for an answer, and may bring it in itself here. */
    default void receive(Future<?> answer) {}

    /** The calling thread is going to wait; {@link #resume} follows. */
    default void await() {}

    /** The calling thread goes on. */
    default void resume() {}
}
