package org.starling.net.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

/**
 * Who wants to know of lost nodes: told by workers, of one loss after the other. What a listener
 * throws is counted, and the others are told all the same. Owned by {@link Connections}.
 * Thread-safe.
 */
final class LossListeners {

    private final List<IntConsumer> listeners = new CopyOnWriteArrayList<>();
    private final Workers workers;
    private final OrderedLane lane;

    LossListeners(Workers workers) {
        this.workers = workers;
        this.lane = new OrderedLane(workers);
    }

    void add(IntConsumer listener) {
        listeners.add(listener);
    }

    /** Tells of a loss soon. */
    void tell(int node) {
        lane.add(() -> listeners.forEach(listener -> tell(listener, node)));
    }

    private void tell(IntConsumer listener, int node) {
        try {
            listener.accept(node);
        } catch (RuntimeException | Error e) {
            workers.failed("listener to the loss of node " + node, e);
        }
    }
}
