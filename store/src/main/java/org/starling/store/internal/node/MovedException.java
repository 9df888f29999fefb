package org.starling.store.internal.node;

import org.starling.store.ChunkId;
import org.starling.store.StoreException;

/** The asked node does not own the chunk; the directory is to be asked again. */
final class MovedException extends StoreException {
    MovedException(long id, int node) {
        super(
                "node "
                        + node
                        + " does not own chunk "
                        + ChunkId.toString(id)
                        + ", and the directory knows no other owner");
    }
}
