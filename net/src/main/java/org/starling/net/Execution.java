package org.starling.net;

/**
 * Where a handler runs. The message is read from its bytes on the receiving thread in all three
 * cases.
 */
public enum Execution {
    /**
     * At once on the receiving thread, one at a time per network and in order per connection: for
     * tiny work that never waits. It may send (a send from here never waits) but must not make
     * blocking calls, nor take a lock that anybody holds while he waits for an answer.
     */
    INLINE,
    /** On a worker, in order per connection among ORDERED messages. It may wait. */
    ORDERED,
    /** On any worker, in no order. It may wait; the pool grows while workers wait in calls. */
    WORKER
}
