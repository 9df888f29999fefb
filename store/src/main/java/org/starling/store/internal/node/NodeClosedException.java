package org.starling.store.internal.node;

import org.starling.store.StoreException;

/** The asking node itself is closed, or expelled: nothing is sent, and nothing tried again. */
final class NodeClosedException extends StoreException {
    private static final long serialVersionUID = 1L;

    NodeClosedException() {
        super("this node has been closed or expelled from the cluster");
    }
}
